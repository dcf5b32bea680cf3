"""The report of a bench session as data: `report.json`, the source of the page, the picture and the
comparison of two sessions."""

from enum import Enum
from pathlib import Path
from typing import Final

import msgspec

from drivers.contract import DataSheet, Settings
from drivers.errors import DeviceError
from drivers.io.deck_check import Findings
from drivers.io.identity import Identity, line_for

FORM: Final = 1
FILE: Final = "report.json"
PAGE: Final = "report.html"


class BadReport(DeviceError):
    """A file that is no report of a bench session."""


class CheckOutcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    LEFT_OUT = "left_out"


class ReportPart(Enum):
    UNIT = "unit"
    DRIVER = "driver"
    STORY = "story"


class Row(msgspec.Struct, frozen=True):
    name: str
    """As in `junit.xml`: two reports are compared by it."""
    part: ReportPart
    tried: str
    """What was tried, in a sentence."""
    outcome: CheckOutcome
    seconds: float = 0.0
    saw: str = ""
    """The result, in a sentence."""
    do: str = ""
    """Where to look, if it did not pass; why, if it was left out."""


class UnitFacts(msgspec.Struct, frozen=True):
    asset: str
    driver: str
    maker: str
    model: str
    firmware: str
    """The value of the rig file; the one that the unit reports is compared with it."""
    identity: str
    wiring: str
    settings: str
    serial: str = ""
    """Empty if the unit does not report it."""


class BenchReport(msgspec.Struct, frozen=True):
    unit: UnitFacts
    began: str
    ended: str
    sabot: str
    """The release and, from a checkout, the commit."""
    rows: tuple[Row, ...]
    deck: Findings | None = None
    gone: tuple[int, ...] = ()
    """After which cards of the deck the link was lost."""
    stopped: str = ""
    """Why it ended early."""
    sabot_bench_report: int = FORM

    @property
    def failed(self) -> list[Row]:
        return [row for row in self.rows if row.outcome is CheckOutcome.FAILED]

    @property
    def good(self) -> bool:
        tried = [row for row in self.rows if row.outcome is not CheckOutcome.LEFT_OUT]
        return bool(tried) and not self.failed and not self.stopped

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.rows)


def written(report: BenchReport) -> bytes:
    """Return the bytes of the file."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


def load(path: Path) -> BenchReport:
    """Load a report from a session's folder or its `report.json`; raises `BadReport`."""
    file = path / FILE if path.is_dir() else path
    try:
        report = msgspec.json.decode(file.read_bytes(), type=BenchReport)
    except OSError as error:
        raise BadReport(f"{file}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadReport(f"{file} is no report of `sabot hil` or `test-deck`: {error}") from error
    if report.sabot_bench_report != FORM:
        raise BadReport(f"{file} is of a newer Sabot: compare it there")
    return report


# --- the unit ---------------------------------------------------------------------------------


def unit_facts(
    sheet: DataSheet, settings: Settings, identity: Identity, *, asset: str, firmware: str
) -> UnitFacts:
    return UnitFacts(
        asset=asset,
        driver=sheet.name,
        maker=sheet.maker,
        model=sheet.model,
        firmware=firmware,
        identity=identity.enrolment,
        wiring=wiring(sheet, settings, identity),
        settings=", ".join(f"{key} = {value}" for key, value in settings.items()) or "as delivered",
        serial=identity.serial if sheet.link == "usb" else "",
    )


_PARITY: Final = {"N": "no parity", "E": "even parity", "O": "odd parity"}


def wiring(sheet: DataSheet, settings: Settings, identity: Identity) -> str:
    """Return how the unit is connected to this machine, in a technician's words."""
    line = line_for(sheet, settings)
    set_to = (
        f"{line.baud} baud, {line.data_bits} data bits, {_PARITY[line.parity]}, "
        f"{line.stop_bits} stop bit{'s' if line.stop_bits > 1 else ''}"
    )
    socket = f" in USB socket {identity.usb_port}" if identity.usb_port else ""
    product = f" ({identity.product})" if identity.product else ""
    if identity.kind == "tcp":
        return (
            f"device server {identity.address} over the network; how its own serial line is set "
            "cannot be seen from here"
        )
    if identity.kind == "rfc2217":
        return f"device server {identity.address} over the network, its line set to {set_to}"
    if identity.kind == "usb":
        return f"USB {identity.usb_id}{product}{socket}"
    if identity.kind == "usbip":
        return f"USB {identity.usb_id}{product} over the network from {identity.address}"
    if identity.usb_id:
        number = f" number {identity.serial}" if identity.serial else " without a number"
        return f"USB adapter {identity.usb_id}{product}{number}{socket}, {set_to}"
    return f"serial port {identity.address}, {set_to}"

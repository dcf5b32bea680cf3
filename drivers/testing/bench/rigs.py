"""A rig: one real unit on a bench, named so that it cannot be confused with another. Read from
rig.toml."""

from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from drivers import registry
from drivers.contract import DataSheet
from drivers.errors import DeviceError
from drivers.io.bench import wired
from drivers.io.identity import line_for, parse

HOUR_S: Final = 3600.0


class BadRig(Exception):
    """An error in a rig file: the file and the reason."""


class Rig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: str
    port: str
    identity: str
    """The identity of the adapter, the device server or the unit, as `sabot device enrol` prints
    it."""
    asset: str
    """The number on the plate, which a person reads and types before anything is sent."""
    firmware: str = "unknown"
    """An RS-232 shoe does not report it; one that a device reports is compared."""
    can_unplug: bool = True
    """Whether pulling the cable removes the port: not so with a serial port on the mainboard."""
    wait_s: Annotated[float, msgspec.Meta(gt=0.0, le=HOUR_S)] = 120.0
    """How long a person may take for one card."""
    quiet_s: Annotated[float, msgspec.Meta(ge=0.0, le=HOUR_S)] = 5.0
    """How long the unit is left alone, to check that it reports nothing by itself."""
    settings: dict[str, Any] = {}
    """The driver's own, and baud, data_bits, parity and stop_bits of a serial line."""

    @property
    def sheet(self) -> DataSheet:
        return registry.find(self.driver).sheet


def load(path: Path) -> Rig:
    """Load a rig file; raises `BadRig`."""
    try:
        rig = msgspec.toml.decode(path.read_bytes(), type=Rig)
        wired(rig.sheet, rig.port)
        registry.checked(rig.sheet, rig.settings)
        line_for(rig.sheet, rig.settings)
        parse(rig.port)
    except OSError as error:
        raise BadRig(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError, DeviceError) as error:
        raise BadRig(f"{path}: {error}") from error
    for name in ("identity", "asset"):
        if not getattr(rig, name).strip():
            raise BadRig(f"{path}: {name} is empty, so any unit would do; see rig.example.toml")
    return rig

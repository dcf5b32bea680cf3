"""Device enrolment: read the device's identity, let a person confirm it against the plate, and
write it into the table's configuration. Comments in the file stay."""

import os
import re
import shutil
import time
from pathlib import Path
from threading import Event as Flag
from typing import Final

import typer

from controller.config import file as config
from controller.config import key_reference
from controller.config.file import Config, ConfigError, Device
from controller.hil import keyboards
from drivers import registry
from drivers.contract import DataSheet
from drivers.events import Identified
from drivers.io import ports
from drivers.io.bench import Bench
from drivers.io.identity import Identity, line_for

IDENTIFY_S: Final = 10.0
"""Time-out for a device's answer about its identity."""
DEVICES: Final = ("shoe", "shuffler")


def enrol(file: Path, name: str) -> None:
    """Run the guided enrolment; raises `ConfigError`, `DeviceError` or `typer.Abort`."""
    loaded = config.load(file)
    device = _section(loaded, file, name)
    sheet = registry.find(device.driver).sheet
    identity, unit = _read(device, sheet)
    _show(device, sheet, identity, unit)
    keyboards.may_take(identity)
    ports.try_out(device.port, identity.enrolment)
    asset = typer.prompt(f"The number on the {name}'s plate", default=device.asset).strip()
    if not typer.confirm(
        f"Is unit {asset}, on {identity.enrolment}, the {name} of {loaded.site.name}?"
    ):
        raise typer.Abort
    lines = {"asset": asset, "identity": identity.enrolment}
    if loaded.checks.site_key is not None:
        raise ConfigError(
            f"{file} is signed by the site, so it stays as it is: in [{name}] of the site's own "
            f"copy write\n{_written(lines)}\nsign it again (`sabot sign file`), and bring both here"
        )
    _write(file, name, lines)
    typer.echo(f"{file}: written. Now start the table again: systemctl restart sabot")


def _section(loaded: Config, file: Path, name: str) -> Device:
    device = {"shoe": loaded.shoe, "shuffler": loaded.shuffler}.get(name)
    if device is None:
        raise ConfigError(f"{file} has no [{name}]: write its driver and port there first")
    return device


def _read(device: Device, sheet: DataSheet) -> tuple[Identity, Identified | None]:
    """Return the port's identity and, if the device supports it, its own. A USB device is
    not opened, because another program may have it."""
    if not sheet.serial_number or sheet.link == "usb":
        return ports.look(device.port, line_for(sheet, device.settings)), None
    bench = Bench(registry.find(device.driver), device.port, device.settings)
    unit, stop, until = None, Flag(), time.monotonic() + IDENTIFY_S
    for moment in bench.moments(stop):
        unit = next((each for each in moment.events if isinstance(each, Identified)), None)
        if unit is not None or time.monotonic() > until:
            stop.set()
    assert bench.identity is not None
    return bench.identity, unit


def _show(device: Device, sheet: DataSheet, identity: Identity, unit: Identified | None) -> None:
    typer.echo(f"{sheet.maker} {sheet.model} on {device.port}")
    typer.echo(f"  read from the port: {identity}")
    if unit is not None:
        typer.echo(f"  it says of itself:  {unit.maker} {unit.model}, serial {unit.serial}")
    if sheet.link == "serial" and unit is None:
        typer.echo(
            "  nothing of the unit itself: this line tells no serial number, so the table checks "
            "the adapter, its socket or an address. The plate only you can check"
        )
    typer.echo(f"  it will be taken by: {identity.enrolment}")


# --- the file ----------------------------------------------------------------------------------

_HEADER: Final = re.compile(r"\s*\[")
_ENTRY: Final = r"\s*#?\s*{key}\s*=\s*(\"[^\"]*\"|'[^']*')(?P<after>\s+#.*)?"


def _written(lines: dict[str, str]) -> str:
    return "\n".join(f"{key} = {key_reference.toml(value)}" for key, value in lines.items())


def _write(file: Path, section: str, lines: dict[str, str]) -> None:
    """Replace the file atomically; owner and permissions stay."""
    text = with_lines(file.read_text(encoding="utf-8"), section, lines)
    if text is None:
        raise ConfigError(f"{file} has no line [{section}]: write there\n{_written(lines)}")
    fresh = file.with_name(f".{file.name}.new")
    try:
        shutil.copy2(file, fresh)
        fresh.write_text(text, encoding="utf-8")
        config.load(fresh)
        owner = file.stat()
        os.chown(fresh, owner.st_uid, owner.st_gid)
        fresh.replace(file)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        fresh.unlink(missing_ok=True)


def with_lines(text: str, section: str, lines: dict[str, str]) -> str | None:
    """Return the file's text with these keys of a section set and all comments kept; None if there
    is no such section. An existing line of a key, commented out or not, is replaced."""
    found = text.splitlines()
    start = key_reference.line_of(text, section)
    if start is None or not _HEADER.match(found[start - 1]):
        return None
    rest = (n for n in range(start, len(found)) if _HEADER.match(found[n]))
    end = next(rest, len(found))
    for key, value in lines.items():
        end += _set(found, range(start, end), key, value)
    return "\n".join(found) + "\n"


def _set(found: list[str], where: range, key: str, value: str) -> int:
    """Replace the line of a key, or add one under the heading. Returns how many lines were
    added."""
    entry = re.compile(_ENTRY.format(key=key))
    for number in where:
        if match := entry.fullmatch(found[number]):
            found[number] = f"{key} = {key_reference.toml(value)}{match.group('after') or ''}"
            return 0
    found.insert(where.start, f"{key} = {key_reference.toml(value)}")
    return 1

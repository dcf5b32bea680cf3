"""Vectors: bytes of a device and their meaning, in the `vectors.json` in a driver's folder.

A list of objects. `hex` are the bytes; `meaning` and `origin` describe what they are and where they
come from; `settings` are the driver's, if it needs any; `asks` is a command that the bytes answer
(`{"command": "Home"}`, with its fields). `tells` are the expected events, in order: each with its
name as `event` and the fields that matter, a card by its code (`{"event": "CardRead", "card":
"9H"}`). `means` pairs each error's number with its meaning. Other fields are for the device's own
tests.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_args

from drivers import registry
from drivers.commands import DeviceCommand
from drivers.contract import DataSheet
from drivers.events import ErrorRaised, Event, ShufflerFault
from drivers.io.capture import plain
from drivers.testing.lives import LONG, born

FILE: Final = "vectors.json"
WITNESSES: Final = {
    "shoe": frozenset({"CardRead", "ReadFailed"}),
    "shuffler": frozenset({"ShuffleVerified", "ShufflerChanged", "CommandDone"}),
}
"""The main events of each kind of device: at least one vector must produce one of them."""


def vectors_of(driver: str) -> list[dict[str, Any]]:
    """Return the driver's vectors; empty if it has none."""
    path = _path(driver)
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else []


def told(driver: str, vector: dict[str, Any]) -> list[Event]:
    """Return what a new driver reports for the vector's bytes and the silence after them."""
    sheet = registry.find(driver).sheet
    life = born(driver, _settings(sheet, vector))
    if "asks" in vector:
        life.ask(_command(**vector["asks"]))
    life.hear(bytes.fromhex(vector["hex"]))
    life.wait(LONG)
    return life.events


@cache
def tells_nothing(driver: str) -> bool:
    """Return whether no vector produces an event: then waiting for its events is useless."""
    telling = [each for each in vectors_of(driver) if each.get("tells")]
    try:
        return bool(telling) and not any(told(driver, each) for each in telling)
    except Exception:  # noqa: BLE001  whatever a driver does wrong is another fault than silence
        return False


def comes_out(events: Sequence[Event], tells: list[dict[str, Any]]) -> bool:
    """Return whether these are the events that a vector names, by the fields it names."""
    plainly = [plain(event) for event in events]
    return len(plainly) == len(tells) and all(
        wanted.items() <= found.items() for wanted, found in zip(tells, plainly, strict=True)
    )


def errors_of(events: list[Event]) -> list[list[Any]]:
    """Return the errors among the events: number and meaning."""
    errors = [each for each in events if isinstance(each, ErrorRaised | ShufflerFault)]
    return [[each.code, each.means.value] for each in errors]


def _command(command: str, **fields: Any) -> DeviceCommand:
    kinds = {each.__name__: each for each in get_args(DeviceCommand)}
    made: DeviceCommand = kinds[command](**fields)
    return made


def _settings(sheet: DataSheet, vector: dict[str, Any]) -> dict[str, Any]:
    """Return the driver's settings; a vector may contain others for the emulator."""
    given = vector.get("settings", {})
    return {key: given[key] for key in given if key in sheet.settings}


def _path(driver: str) -> Path:
    module = import_module(registry.find(driver).where)
    return Path(str(module.__file__)).with_name(FILE)

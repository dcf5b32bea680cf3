"""Vectors: bytes of a device and what they mean, in the `vectors.json` beside a driver's module.

A list of objects. `hex` are the bytes; `meaning` and `origin` say in words what they are and where
they come from; `settings` are the driver's, where it needs any; `asks` is a command that the bytes
answer (`{"command": "Home"}`, with its fields). `tells` are the events that must
come out, in order: each with its name as `event` and those of its fields that matter, a card by its
code (`{"event": "CardRead", "card": "9H"}`). `means` pairs each error's number with its meaning.
What else stands there is for tests of the device's own.
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
"""What a device of each kind is there to tell: one vector at least must come out as such."""


def vectors_of(driver: str) -> list[dict[str, Any]]:
    """All of them; empty where the driver has none beside it."""
    path = _path(driver)
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else []


def told(driver: str, vector: dict[str, Any]) -> list[Event]:
    """What a new driver tells of the vector's bytes, and of the silence after them."""
    sheet = registry.find(driver).sheet
    life = born(driver, _settings(sheet, vector))
    if "asks" in vector:
        life.ask(_command(**vector["asks"]))
    life.hear(bytes.fromhex(vector["hex"]))
    life.wait(LONG)
    return life.events


@cache
def tells_nothing(driver: str) -> bool:
    """Whether nothing at all comes of the vectors: then it is no use to wait for its events."""
    telling = [each for each in vectors_of(driver) if each.get("tells")]
    try:
        return bool(telling) and not any(told(driver, each) for each in telling)
    except Exception:  # noqa: BLE001  whatever a driver does wrong is another fault than silence
        return False


def comes_out(events: Sequence[Event], tells: list[dict[str, Any]]) -> bool:
    """Whether these are the events that a vector names, by the fields it names."""
    plainly = [plain(event) for event in events]
    return len(plainly) == len(tells) and all(
        wanted.items() <= found.items() for wanted, found in zip(tells, plainly, strict=True)
    )


def errors_of(events: list[Event]) -> list[list[Any]]:
    """The errors among them: number and meaning."""
    errors = [each for each in events if isinstance(each, ErrorRaised | ShufflerFault)]
    return [[each.code, each.means.value] for each in errors]


def _command(command: str, **fields: Any) -> DeviceCommand:
    kinds = {each.__name__: each for each in get_args(DeviceCommand)}
    made: DeviceCommand = kinds[command](**fields)
    return made


def _settings(sheet: DataSheet, vector: dict[str, Any]) -> dict[str, Any]:
    """Those of the driver; a vector may name others, for the emulator."""
    given = vector.get("settings", {})
    return {key: given[key] for key in given if key in sheet.settings}


def _path(driver: str) -> Path:
    module = import_module(registry.find(driver).where)
    return Path(str(module.__file__)).with_name(FILE)

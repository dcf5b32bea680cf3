"""Which devices can be emulated, by name. A package is imported only when it is asked for."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Final

from simulators.kit.contract import Emulator, Given, Make
from simulators.kit.settings import Choice

DEVICES: Final[Mapping[str, str]] = {
    "shoe_angel_eye": "Angel Eye II-EX baccarat shoe, RS-232 at 4800 baud",
    "shoe_bee_tek": "Bee-Tek electronic shoe, RS-232 at 9600 baud",
    "shoe_barcode_usb": "USB barcode scanner at a shoe's mouth, served over USB/IP",
    "shuffler_reshuffled": "ReShuffled open-hardware card shuffler",
    "shuffler_batch": "multi-deck verifying batch shuffler",
}

OVER_USBIP: Final = frozenset({"shoe_barcode_usb"})
"""Devices without a line: a USB/IP server is the only way to them."""


class NoSuchDevice(ValueError):
    """The name asked for, and the names there are."""


def make(name: str, settings: Given | None = None, seed: int = 0) -> Emulator:
    """A device that has just been switched on; raises `NoSuchDevice` or `WrongSetting`."""
    make_one: Make = import_module(_package(name)).make
    return make_one(settings or {}, seed)


def settings_of(name: str) -> Mapping[str, Choice]:
    """The settings a device has; raises `NoSuchDevice`."""
    known: Mapping[str, Choice] = import_module(_package(name)).SETTINGS
    return known


def _package(name: str) -> str:
    if name not in DEVICES:
        near = get_close_matches(name, DEVICES, 1)
        hint = f"; did you mean {near[0]}?" if near else f". There are: {', '.join(DEVICES)}"
        raise NoSuchDevice(f"there is no emulator {name!r}{hint}")
    return f"simulators.{name}"

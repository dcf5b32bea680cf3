"""The registry of emulated devices: built-in ones by name, makers' own by the entry point
`sabot.emulators`.

A package is imported only on request. An entry point names the module or package that contains
`ABOUT` (an `About`), `SETTINGS` and `make`: `acme_shoe = "acme_sabot.emulator"`. Its name is the
driver's. Two packages with one name are both refused, because the order of the path would choose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Literal

from simulators.kit.contract import About, Emulator, Given, Make
from simulators.kit.settings import Choice

GROUP: Final = "sabot.emulators"

DEVICES: Final[Mapping[str, str]] = {
    "shoe_angel_eye": "Angel Eye II-EX baccarat shoe, RS-232 at 4800 baud",
    "shoe_bee_tek": "Bee-Tek electronic shoe, RS-232 at 9600 baud",
    "shoe_barcode_usb": "USB barcode scanner at a shoe's mouth, served over USB/IP",
    "shoe_line_reader": "barcode or RFID reader that sends a line for each card",
    "shoe_feed": "camera over the table and the program that sees cards with it",
    "shuffler_reshuffled": "ReShuffled open-hardware card shuffler",
    "shuffler_batch": "multi-deck verifying batch shuffler",
}
"""The built-in devices."""

SHOES: Final = frozenset(name for name in DEVICES if name.startswith("shoe_"))
OVER_USBIP: Final = frozenset({"shoe_barcode_usb"})
"""Built-in devices without a line, which are reached through a USB/IP server only."""

WORDS: Final = frozenset({"dealer", "do", "settings", "state", "words"})
"""Sub-commands of `python -m simulators` that are no devices."""


class NoSuchDevice(ValueError):
    """An unknown device; the message lists the known ones."""


class BrokenEmulator(ValueError):
    """A registered emulator that cannot be used: its name, its location and the reason."""


@dataclass(frozen=True)
class Registered:
    """A registered emulator that can be made."""

    about: About
    settings: Mapping[str, Choice]
    make: Make


def names() -> list[str]:
    """Return all names: built-in ones first, then the makers' own in alphabetical order."""
    return [*DEVICES, *sorted(_makers().used)]


def refused() -> Mapping[str, str]:
    """Return the refused names of packages, with the reasons."""
    return _makers().refused


def find(name: str) -> Registered:
    """Return the emulator; raises `NoSuchDevice` or `BrokenEmulator`."""
    where = f"simulators.{name}" if name in DEVICES else _in_a_package(name)
    if where is None:
        near = get_close_matches(name, names(), 1)
        hint = f"; did you mean {near[0]}?" if near else f". There are: {', '.join(names())}"
        raise NoSuchDevice(f"there is no emulator {name!r}{hint}")
    try:
        module = import_module(where)
        settings, make_one = module.SETTINGS, module.make
        reported = _ours(name) if name in DEVICES else module.ABOUT
        if not isinstance(reported, About):
            raise TypeError("ABOUT is no About")
    except (Exception, SystemExit) as error:  # any error of a maker's package
        why = f"{type(error).__name__}: {error}"
        raise BrokenEmulator(f"emulator {name!r} in {where} cannot be used: {why}") from error
    return Registered(reported, settings, make_one)


def make(name: str, settings: Given | None = None, seed: int = 0) -> Emulator:
    """Make a device that has just been switched on; raises `NoSuchDevice` or `WrongSetting`."""
    return find(name).make(settings or {}, seed)


def settings_of(name: str) -> Mapping[str, Choice]:
    """Return the settings of a device; raises `NoSuchDevice`."""
    return find(name).settings


def description(name: str) -> str:
    """Return a device's description without importing its package."""
    return DEVICES.get(name) or f"a maker's own, in {_makers().used[name]}"


def _ours(name: str) -> About:
    kind: Literal["shoe", "shuffler"] = "shoe" if name in SHOES else "shuffler"
    return About(DEVICES[name], kind, over_usbip=name in OVER_USBIP)


# --- the makers' own ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Makers:
    """The entry points of the installed packages."""

    used: Mapping[str, str]
    """The module of each usable name."""
    refused: Mapping[str, str]
    """The reason for each refused name."""


def _in_a_package(name: str) -> str | None:
    """Return a maker's module; raises `BrokenEmulator` where the name is refused."""
    makers = _makers()
    if name in makers.refused:
        raise BrokenEmulator(makers.refused[name])
    return makers.used.get(name)


def _makers() -> _Makers:
    named: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        named.setdefault(point.name, []).append(point)
    used: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name, points in named.items():
        where = " and ".join(sorted(f"{each.value} (package {_package(each)})" for each in points))
        cannot = f"emulator {name!r} in {where} cannot be used"
        if name in DEVICES:
            refused[name] = f"{cannot}: the name is Sabot's own, which stays"
        elif name in WORDS:
            refused[name] = f"{cannot}: the name is a word of `python -m simulators`; rename it"
        elif len(points) > 1:
            refused[name] = f"{cannot}: one name, so none is taken; uninstall all but one"
        else:
            used[name] = points[0].value
    return _Makers(used, refused)


def _package(point: EntryPoint) -> str:
    """Return the package's name in pip; a partly removed package has none."""
    return (point.dist and point.dist.name) or "without a name"

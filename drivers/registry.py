"""The registry of drivers: ours by name, those of makers by the entry point `sabot.drivers`.

A module is imported only when its driver is requested. An entry point names the module or package
that contains `SHEET` (a `DataSheet`) and `Driver` (the class): `acme_shoe = "acme_sabot.shoe"`. Of
two packages with one name none is used: otherwise the path would choose. Our names are reserved.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import UnionType
from typing import Final, get_args

from drivers.commands import DeviceCommand
from drivers.contract import CONTRACT, LINE_SETTINGS, DataSheet, Driver, Setting, Settings
from drivers.errors import BadSetting, DeviceError

GROUP: Final = "sabot.drivers"
COMMANDS: Final = frozenset(get_args(DeviceCommand))

OURS: Final[Mapping[str, str]] = {
    "shoe_angel_eye": "drivers.shoe_angel_eye",
    "shoe_bee_tek": "drivers.shoe_bee_tek",
    "shoe_barcode_usb": "drivers.shoe_barcode_usb",
    "shoe_line_reader": "drivers.shoe_line_reader",
    "shoe_feed": "drivers.shoe_feed",
    "shoe_by_hand": "drivers.shoe_by_hand",
    "shuffler_reshuffled": "drivers.shuffler_reshuffled",
    "shuffler_batch": "drivers.shuffler_batch",
}

EMULATORS_WORDS: Final = frozenset({"dealer", "do", "settings", "state", "words"})
"""Sub-commands of `python -m simulators`: no emulator of such a name can be started. That program
has a list of its own, which this module must not import."""


class NoSuchDriver(DeviceError):
    """An unknown driver name; the text lists the known names."""


class BrokenDriver(DeviceError):
    """A registered driver that cannot be used: its name, its module and the reason."""


@dataclass(frozen=True)
class RegisteredDriver:
    """A driver that can be instantiated."""

    sheet: DataSheet
    make: type[Driver]
    where: str = ""
    """The module that contains it."""

    def with_settings(self, settings: Settings | None = None) -> Driver:
        """Return a driver; raises `BadSetting` with the driver's and the setting's name, or
        `BrokenDriver`."""
        fit = checked(self.sheet, settings or {})
        try:
            return self.make(fit)  # type: ignore[call-arg]
        except (DeviceError, KeyboardInterrupt):
            raise
        except BaseException as error:
            name = self.sheet.name
            raise BrokenDriver(
                f"driver {name!r} cannot be made: {load_error_sentence(error)}"
            ) from error


def names() -> list[str]:
    """Return all names: ours first, then those of makers in alphabetical order.

    A package that takes one of our names is listed as `shoe_feed (its name)`, so that it is visible
    in lists of drivers.
    """
    makers = _makers()
    return [*OURS, *sorted({*makers.used, *makers.refused})]


def find(name: str) -> RegisteredDriver:
    """Return a driver by name; raises `NoSuchDriver` or `BrokenDriver`."""
    where = OURS.get(name) or _in_a_package(name)
    if where is None:
        near = get_close_matches(name, names(), 1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise NoSuchDriver(f"there is no driver {name!r}{hint} There are: {', '.join(names())}")
    try:
        module = import_module(where)
        sheet, make = module.SHEET, module.Driver
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a maker's package may raise anything
        raise BrokenDriver(
            f"driver {name!r} in {where} cannot be used: {load_error_sentence(error)}"
        ) from error
    if (wrong := _wrong_with(sheet)) is not None:
        raise BrokenDriver(f"driver {name!r} in {where} cannot be used: {wrong}")
    if sheet.name != name:
        raise BrokenDriver(f"driver {name!r} in {where} calls itself {sheet.name!r}")
    if sheet.contract > CONTRACT:
        raise BrokenDriver(
            f"driver {name!r} in {where} was written for version {sheet.contract} of the drivers' "
            f"contract, and this Sabot has version {CONTRACT}: install a newer Sabot"
        )
    return RegisteredDriver(sheet, make, where)


_FIELDS: Final[Mapping[str, type | UnionType]] = {
    "name": str,
    "kind": str,
    "maker": str,
    "model": str,
    "link": str,
    "numbered": bool,
    "checked": str,
    "serial_number": bool,
    "plays_rounds": bool,
    "baud": int | None,
    "packets": bool,
    "commands": tuple,
    "settings": Mapping,
    "unknown": tuple,
    "reads_cards": bool | None,
    "reports_positions": bool,
    "contract": int,
}


def _wrong_with(sheet: object) -> str | None:
    """Return why this is no data sheet: later readers rely on its fields."""
    if not isinstance(sheet, DataSheet):
        return "SHEET is no DataSheet"
    for name, kind in _FIELDS.items():
        if not isinstance(getattr(sheet, name), kind):
            return f"SHEET.{name} is a {type(getattr(sheet, name)).__name__}"
    if sheet.kind not in ("shoe", "shuffler") or sheet.link not in ("serial", "usb", "none"):
        return f"SHEET has kind {sheet.kind!r} and link {sheet.link!r}"
    if not all(isinstance(each, type) and each in COMMANDS for each in sheet.commands):
        return "SHEET.commands holds what is no command"
    if not all(isinstance(each, Setting) for each in sheet.settings.values()):
        return "SHEET.settings holds what is no Setting"
    return None


def usable() -> dict[str, RegisteredDriver]:
    """Return all usable drivers by name: a broken one does not affect others. `find` has its
    reason."""
    found: dict[str, RegisteredDriver] = {}
    for name in names():
        with suppress(BrokenDriver):
            found[name] = find(name)
    return found


def load_error_sentence(error: BaseException) -> str:
    """Return what is wrong with a package in one line; the error's kind if it has no text."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def checked(sheet: DataSheet, settings: Settings) -> dict[str, object]:
    """Return every setting of the sheet with its value; raises `BadSetting`.

    Settings of a serial line may be among them: the port checks those.
    """
    lines = LINE_SETTINGS if sheet.link == "serial" else ()
    for key in settings:
        if key not in sheet.settings and key not in lines:
            near = get_close_matches(key, (*sheet.settings, *lines), 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise BadSetting(f"{sheet.name} has no setting {key!r}{hint}")
    return {
        key: _value(sheet.name, key, setting, settings.get(key, setting.default))
        for key, setting in sheet.settings.items()
    }


def _value(driver: str, key: str, setting: Setting, value: object) -> object:
    if setting.choices is not None:
        if not any(value == each and type(value) is type(each) for each in setting.choices):
            may = ", ".join(map(str, setting.choices))
            raise BadSetting(f"{driver}: {key} = {value!r}, but it may be {may}")
        return value
    kind = type(setting.default)
    if kind is float and type(value) is int:
        value = float(value)
    if kind is tuple and type(value) is list:  # TOML and JSON have lists only
        return tuple(value)
    if type(value) is not kind:
        raise BadSetting(f"{driver}: {key} = {value!r}, but it takes a {kind.__name__}")
    if setting.between is not None and isinstance(value, int | float):
        least, most = setting.between
        if not least <= value <= most:
            may = f"{least:g} to {most:g} {setting.unit}".rstrip()
            raise BadSetting(f"{driver}: {key} = {value!r}, but it may be {may}")
    return value


# --- drivers of makers
# ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Makers:
    """The entry points of the installed packages."""

    used: Mapping[str, str]
    """The module of each driver."""
    refused: Mapping[str, str]
    """The reason why each of the others cannot be used."""


def _in_a_package(name: str) -> str | None:
    """Return the driver's module; raises `BrokenDriver` if the name is refused."""
    makers = _makers()
    if name in makers.refused:
        raise BrokenDriver(makers.refused[name])
    return makers.used.get(name)


def _makers() -> _Makers:
    named: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        named.setdefault(point.name, []).append(point)
    used: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name, points in named.items():
        where = " and ".join(sorted(f"{each.value} (package {_package(each)})" for each in points))
        cannot = f"driver {name!r} in {where} cannot be used"
        if name in OURS:
            packages = ", ".join(sorted(map(_package, points)))
            refused[f"{name} ({packages})"] = f"{cannot}: the name is Sabot's own, which stays"
        elif len(points) > 1:
            refused[name] = f"{cannot}: one name, so none is taken; uninstall all but one"
        else:
            used[name] = points[0].value
    return _Makers(used, refused)


def _package(point: EntryPoint) -> str:
    """Return the package's name for pip; a half removed one has none."""
    return (point.dist and point.dist.name) or "without a name"

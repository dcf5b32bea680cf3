"""The disputed facts of a device as settings, given as text or as values.

Where public sources disagree about a device, its driver and its emulator each have a setting. Tests
can set both the same way, or differently to examine the effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from sys import float_info
from typing import Annotated, Any

import msgspec
from msgspec import Meta, convert

from simulators.kit.contract import Given


class WrongSetting(ValueError):
    """An unknown setting or an invalid value; the message lists the valid ones."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One setting: its default and its valid values."""

    default: bool | int | float | str
    description: str
    choices: tuple[bool | int | float | str, ...] | None = None
    """None: any value of the default's type."""


def settled(device: str, known: Mapping[str, Choice], given: Given) -> dict[str, Any]:
    """Return every known setting with its value, of its default's type; raises `WrongSetting`."""
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f". There are: {', '.join(known)}"
            raise WrongSetting(f"{device} has no setting {key!r}{hint}")
    return {key: _value(device, key, known[key], given.get(key)) for key in known}


def _value(device: str, key: str, choice: Choice, given: object | None) -> bool | int | float | str:
    if given is None:
        return choice.default
    kind = type(choice.default)
    try:
        value = _converted(kind, str(given))
    except msgspec.ValidationError:
        raise WrongSetting(f"{device}: {key} = {given!r}, but it takes a {kind.__name__}") from None
    if choice.choices is not None and value not in choice.choices:
        may = ", ".join(map(str, choice.choices))
        raise WrongSetting(f"{device}: {key} = {given!r}, but it may be {may}")
    return value


_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_NUMBERS = {int: Annotated[int, Meta(ge=0)], float: Annotated[float, Meta(ge=0, le=float_info.max)]}
"""No fact about a machine is negative or infinite."""


def _converted(kind: type, text: str) -> bool | int | float | str:
    if kind is bool:
        text = _YES_NO.get(text.lower(), text)
    value: bool | int | float | str = convert(text, _NUMBERS.get(kind, kind), strict=False)
    return value

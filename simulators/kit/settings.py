"""The disputed facts of a device as settings, given as text or as values.

Where public sources disagree about a device its driver has a setting, and so has its emulator: both
sides can be set the same way, or against each other to see what happens.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import Any

from simulators.kit.contract import Given


class WrongSetting(ValueError):
    """A setting nobody knows, or a value it cannot have; says which there are."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One setting: what it is unless somebody says otherwise, and what it may be."""

    default: bool | int | float | str
    says: str
    choices: tuple[bool | int | float | str, ...] | None = None
    """None: any value of the default's kind."""


def settled(device: str, known: Mapping[str, Choice], given: Given) -> dict[str, Any]:
    """Every known setting with its value, of the kind its default is; raises `WrongSetting`."""
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
        value = _read(kind, given)
    except ValueError:
        raise WrongSetting(f"{device}: {key} = {given!r}, but it takes a {kind.__name__}") from None
    if choice.choices is not None and value not in choice.choices:
        may = ", ".join(map(str, choice.choices))
        raise WrongSetting(f"{device}: {key} = {given!r}, but it may be {may}")
    return value


_YES_NO = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _read(kind: type, given: object) -> bool | int | float | str:
    if kind is bool:
        word = str(given).lower()
        if word not in _YES_NO:
            raise ValueError(given)
        return _YES_NO[word]
    if kind is str:
        return str(given)
    if isinstance(given, bool):
        raise ValueError(given)
    number = float(str(given))
    if not 0 <= number < inf:  # no fact about a machine is negative or without end
        raise ValueError(given)
    if kind is int:
        if number != int(number):
            raise ValueError(given)
        return int(number)
    return number

"""The check that an event conforms to the contract: each field has its type and keeps its bounds.

A driver may be a maker's, and Python checks no annotation. A conforming event can be recorded as
JSON and read again.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from drivers.cards import Card

MAX_TEXT: Final = 65_536
"""Characters of a text, or bytes of a frame: no device reports as much in one event."""
MAX_CARDS: Final = 4096
NUMBERS: Final = range(-(2**63), 2**63)

Check: TypeAlias = Callable[[Any], bool]


def conforms(event: Any) -> bool:
    """Return whether an event conforms; only events of the contract have declared fields."""
    kind = type(event)
    checks = _CHECKS.get(kind)
    if checks is None:
        checks = _CHECKS[kind] = _checks_of(kind)
    return all(check(getattr(event, name)) for name, check in checks)


_CHECKS: Final[dict[type[Any], tuple[tuple[str, Check], ...]]] = {}


def _checks_of(kind: type[Any]) -> tuple[tuple[str, Check], ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple((each.name, _check_of(hints[each.name])) for each in fields(kind))


def _check_of(hint: Any) -> Check:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return _any_of(map(_check_of, arguments))
    if origin is tuple:
        return _tuple_of(_check_of(arguments[0]))
    if origin is Annotated:
        return _number_in(arguments[1])
    if issubclass(hint, Enum | Card | bool | NoneType):
        return lambda value: type(value) is hint
    return _PLAIN[hint]


def _any_of(checks: Iterable[Check]) -> Check:
    found = tuple(checks)
    return lambda value: any(check(value) for check in found)


def _tuple_of(check: Check) -> Check:
    def is_tuple(value: Any) -> bool:
        return type(value) is tuple and len(value) <= MAX_CARDS and all(map(check, value))

    return is_tuple


def _number_in(numbers: range) -> Check:
    first, end = numbers.start, numbers.stop

    def is_number(value: Any) -> bool:
        return isinstance(value, int) and type(value) is not bool and first <= value < end

    return is_number


def _is_text(value: Any) -> bool:
    if type(value) is not str or len(value) > MAX_TEXT:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # half a character, as a wrong decoding leaves it
        return False
    return True


def _is_frame(value: Any) -> bool:
    return type(value) is bytes and len(value) <= MAX_TEXT


_PLAIN: Final[dict[Any, Check]] = {str: _is_text, bytes: _is_frame, int: _number_in(NUMBERS)}

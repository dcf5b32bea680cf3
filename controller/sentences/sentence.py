"""A sentence as the product carries it: a code and its gaps. Words are found when it is shown."""

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

import msgspec

from controller.sentences.codes import Code

Gap: TypeAlias = str | int | list[str | int] | None
"""A number, a name, a card, an id, a clause; several of one kind; None where there is none."""

GapValue: TypeAlias = str | int | Enum | Iterable[str | int | Enum] | None


class BadGaps(Exception):
    """A sentence was made with other gaps than its code has: a fault of the program."""


class Sentence(msgspec.Struct, frozen=True):
    """Make it with `sentence`, which holds the gaps to the code's own."""

    code: str
    gaps: dict[str, Gap] = {}


def sentence(code: Code, **gaps: GapValue) -> Sentence:
    """A sentence with every gap of its code filled, and no other."""
    if gaps.keys() != code.gaps.keys():
        raise BadGaps(f"{code.value} has gaps {sorted(code.gaps)}, not {sorted(gaps)}")
    return Sentence(code.value, {name: _plain(value) for name, value in gaps.items()})


def _plain(value: GapValue) -> Gap:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Enum):
        return str(value.value)
    return [each.value if isinstance(each, Enum) else each for each in value]

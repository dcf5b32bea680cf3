"""A message as data: a code and its parameters. The text is looked up when it is shown."""

from collections.abc import Iterable
from enum import Enum
from typing import TypeAlias

import msgspec

from controller.messages.codes import Code

Param: TypeAlias = str | int | list[str | int] | None
"""A number, a name, a card, an id, a clause; several of one kind; None where there is none."""

ParamValue: TypeAlias = str | int | Enum | Iterable[str | int | Enum] | None


class BadParams(Exception):
    """A message was created with other parameters than its code has: a fault of the program."""


class Sentence(msgspec.Struct, frozen=True):
    """Create it with `sentence`, which validates the parameters."""

    code: str
    params: dict[str, Param] = msgspec.field(default={}, name="gaps")


def sentence(code: Code, **params: ParamValue) -> Sentence:
    """Create a message with exactly the parameters of its code."""
    if params.keys() != code.params.keys():
        raise BadParams(f"{code.value} has gaps {sorted(code.params)}, not {sorted(params)}")
    return Sentence(code.value, {name: _plain(value) for name, value in params.items()})


def _plain(value: ParamValue) -> Param:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Enum):
        return str(value.value)
    return [each.value if isinstance(each, Enum) else each for each in value]

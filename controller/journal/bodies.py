"""The body of a step's record: its schema and its one decoder.

A step is written as `AcceptedStep` or `RefusedStep`, and every reader decodes it with `step_of`.
Values that only the table can interpret (parameters of a command, changes made by an effect) are
plain data here. `controller.engine.summaries` and `controller.engine.release` have the other
bodies.
"""

from typing import Any, Final, Protocol, TypeAlias

import msgspec

from controller.journal.records import Json
from controller.messages.sentence import Sentence

Given: TypeAlias = dict[str, Json]
"""Parameters of a command before its struct has validated them, and its fields as written."""

NO_TIME: Final = 0.0
"""The default of a message without a time. One shared object, because msgspec omits a default by
identity."""

ON_THE_LINE: Final = ("card", "hand", "index", "code", "winner")
"""Fields that a device's line has at top level and not in its `with`."""


class JsonLine(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True
):
    """A message as JSON."""

    source: str = msgspec.field(name="from")
    at: float = NO_TIME
    event: str | None = None
    card: str | None = None
    hand: str | None = None
    index: int | None = None
    code: int | None = None
    winner: str | None = None
    who: str | None = None
    role: str | None = None
    do: str | None = None
    given: Given = msgspec.field(name="with", default_factory=dict)
    key: str | None = None
    mark: str | None = None
    """Only in records: the keyed hash of the message that `key` was used for."""
    frame: bytes = b""
    commitment: str | None = None
    """Only in records: the commitment of a sealed card."""
    via: str | None = None
    """Only in records: the channel of a message that did not come from the table itself."""

    @property
    def type(self) -> str:
        return self.do or self.event or ""

    def fields(self) -> Given:
        """All parameters of the command, from `with` and from the top level."""
        return {**self.on_the_line(), **self.given}

    def on_the_line(self) -> Given:
        found = {name: getattr(self, name) for name in ON_THE_LINE}
        return {name: value for name, value in found.items() if value is not None}


class Delta(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The difference between two states."""

    set: dict[str, Any] = {}
    """Fields with their new values."""
    add: dict[str, Any] = {}
    """Fields that are lists, with the items appended to them."""
    splice: dict[str, "Splice"] = {}
    """Fields that are lists, with the replacement of a part of them."""
    within: dict[str, "Delta"] = msgspec.field(name="in", default={})
    """Fields that are structs, each with its own difference."""


class Splice(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Replaces the items from `start` to `end` by `by`."""

    start: int
    end: int
    by: Any


class OpenedCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card that a step exposed, with the salt that opens its commitment."""

    n: int
    card: str | None
    salt: str | None


class AcceptedStep(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The record of a step that was applied."""

    line: JsonLine = msgspec.field(name="in")
    state: str
    clause: str | None
    opened: list[OpenedCard]
    effect: Delta
    accepted: bool = True


class RefusedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a step that changed nothing."""

    line: JsonLine = msgspec.field(name="in")
    refused: Sentence
    clause: str | None
    accepted: bool = False


class StepBody(msgspec.Struct, frozen=True):
    """A recorded step, accepted or refused."""

    line: JsonLine = msgspec.field(name="in")
    accepted: bool = True
    state: str | None = None
    clause: str | None = None
    opened: list[OpenedCard] = []
    effect: Delta | None = None
    refused: Sentence | None = None


class HasBody(Protocol):
    """A record in the journal or in transit."""

    @property
    def body(self) -> bytes: ...


_STEP: Final = msgspec.json.Decoder(StepBody)


def step_of(record: HasBody) -> StepBody:
    """Decode a step. Raises `ValueError` or `RecursionError` if the body is not a step."""
    return _STEP.decode(record.body)

"""The body of a step's record: its schema and its one decoder.

A step is written as `AcceptedStep` or `RefusedStep`, and every reader decodes it with `step_of`.
Values that only the table can interpret (what is given with a word, what an effect sets) are plain
data here. `controller.engine.summaries` and `controller.engine.release` have the other bodies.
"""

from typing import Any, Final, Protocol, TypeAlias

import msgspec

from controller.journal.records import Json
from controller.messages.sentence import Sentence

Given: TypeAlias = dict[str, Json]
"""What came with a word, before its struct has judged it; and its fields as they are written."""

NO_TIME: Final = 0.0
"""A message whose time nobody has given. One object for all, because msgspec omits a default by its
identity."""

ON_THE_LINE: Final = ("card", "hand", "index", "code", "winner")
"""Fields that stand on a device's line and not in its `with`."""


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
    """Only in records: of what was said with the key."""
    frame: bytes = b""
    commitment: str | None = None
    """Only in records: of a card that is sealed."""
    via: str | None = None
    """Only in records: by what it came, where it was not said at the table."""

    @property
    def type(self) -> str:
        return self.do or self.event or ""

    def fields(self) -> Given:
        """What is given with the word, wherever it stands."""
        return {**self.on_the_line(), **self.given}

    def on_the_line(self) -> Given:
        found = {name: getattr(self, name) for name in ON_THE_LINE}
        return {name: value for name, value in found.items() if value is not None}


class Delta(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """From one state to the next."""

    set: dict[str, Any] = {}
    """Fields with their new values."""
    add: dict[str, Any] = {}
    """Fields that are lists, with what was added at their end."""
    splice: dict[str, "Splice"] = {}
    """Fields that are lists, with what takes the place of a part of them."""
    within: dict[str, "Delta"] = msgspec.field(name="in", default={})
    """Fields that are structs of their own."""


class Splice(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """`by` in the place of what stood from `start` to `end`."""

    start: int
    end: int
    by: Any


class OpenedCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card that a step exposed, with the salt that opens its commitment."""

    n: int
    card: str | None
    salt: str | None


class AcceptedStep(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The record of a step that was carried out."""

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
    """A step as it was recorded, accepted or refused."""

    line: JsonLine = msgspec.field(name="in")
    accepted: bool = True
    state: str | None = None
    clause: str | None = None
    opened: list[OpenedCard] = []
    effect: Delta | None = None
    refused: Sentence | None = None


class HasBody(Protocol):
    """A record, at its table or on its way."""

    @property
    def body(self) -> bytes: ...


_STEP: Final = msgspec.json.Decoder(StepBody)


def step_of(record: HasBody) -> StepBody:
    """Raises `ValueError` or `RecursionError` for what is no step."""
    return _STEP.decode(record.body)

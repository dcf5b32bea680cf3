"""What holds a table, followed from record to record without playing anything again.

A step says what it did: of its effect only the few fields are kept that hold a table. What a hold
says, who can end it and by which clause is told by the table's own code, from those fields and the
rules that its release wrote down.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from controller.engine import effects
from controller.engine.effects import LooseState
from controller.engine.held import holds
from controller.engine.recorded import state_of, table_of
from controller.journal.bodies import Delta, StepBody
from controller.journal.records import Record, canonical
from controller.rulebooks import rulebook
from controller.table.agenda.order import is_held
from controller.table.holds import TableHold
from controller.table.rules import House, Rules

KEPT: Final = ("day", "clocks", "card_count", "case", "queue", "latches", "requests")
"""The parts of a table that say what holds it."""


class HoldKey(NamedTuple):
    """By which a hold is the same one after the next step."""

    kind: str
    what: str
    since: float


class OpenHold(msgspec.Struct, frozen=True):
    """One that is open, and the record that opened it."""

    kind: str
    what: str
    since: float
    seq: int

    @property
    def key(self) -> HoldKey:
        return HoldKey(self.kind, self.what, self.since)


class Followed(msgspec.Struct):
    """What is carried from one record to the next; stored beside the cursor."""

    table: LooseState = msgspec.field(default_factory=dict)
    house: dict[str, Any] | None = None
    """None until a release has written down by which rules it decides."""
    rulebook: str = ""
    open: list[OpenHold] = msgspec.field(default_factory=list)

    def stand_at(self, record: Record) -> None:
        """A checkpoint, or a release that took over, has the whole state."""
        body = state_of(record)
        self.table = {name: body.table[name] for name in KEPT if name in body.table}
        self.house, self.rulebook = body.house, body.release.rulebook

    def take(self, step: StepBody) -> bool:
        """Whether the step may have changed what holds the table."""
        if step.effect is None:
            return False
        part = Delta(
            {name: value for name, value in step.effect.set.items() if name in KEPT},
            {name: value for name, value in step.effect.add.items() if name in KEPT},
            {name: value for name, value in step.effect.splice.items() if name in KEPT},
            {name: inner for name, inner in step.effect.within.items() if name in self.table},
        )
        if part == Delta():
            return False
        for name in (*part.add, *part.splice):
            self.table.setdefault(name, [])
        effects.apply(part, self.table)
        return True

    def holds(self) -> tuple[list[TableHold], bool]:
        """All that holds the table, and whether it stops play."""
        if self.house is None:
            return [], False
        table = table_of(self.table)
        return holds(table, _rules(canonical(self.house))), is_held(table)


@lru_cache(maxsize=256)
def _rules(house: bytes) -> Rules:
    found = msgspec.json.decode(house, type=House)
    return Rules(rulebook(found.rulebook), found)

"""What holds a table, followed from record to record without playing anything again.

A step says what it did: of its effect only the few fields are kept that hold a table. What a hold
says, who can end it and by which clause is told by the table's own code, from those fields and the
rules that its release wrote down.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from controller.engine.effects import PlainState
from controller.engine.hold_list import has_holds, hold_views
from controller.engine.release import state_of
from controller.journal.bodies import Delta, StepBody
from controller.journal.records import Record
from controller.rulebooks import rulebook
from controller.table.holds import HoldView
from controller.table.rules import HouseRules, Rules

KEPT: Final = ("day", "clocks", "card_count", "case", "queue", "latches", "request")
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
    """What is carried from one record to the next; stored next to the cursor."""

    table: PlainState = msgspec.field(default_factory=PlainState)
    house: str = ""
    """As JSON; empty until a release has written down by which rules it decides."""
    rulebook: str = ""
    open: list[OpenHold] = msgspec.field(default_factory=list)

    def stand_at(self, record: Record) -> None:
        """A checkpoint, or a release that took over, has the whole state."""
        body = state_of(record)
        whole = body.plain().fields
        self.table = PlainState({name: whole[name] for name in KEPT if name in whole})
        self.house, self.rulebook = bytes(body.house).decode(), body.release.rulebook

    def take(self, step: StepBody) -> bool:
        """Whether the step may have changed what holds the table."""
        if step.effect is None:
            return False
        fields = self.table.fields
        part = Delta(
            {name: value for name, value in step.effect.set.items() if name in KEPT},
            {name: value for name, value in step.effect.add.items() if name in KEPT},
            {name: value for name, value in step.effect.splice.items() if name in KEPT},
            {name: inner for name, inner in step.effect.within.items() if name in fields},
        )
        if part == Delta():
            return False
        for name in (*part.add, *part.splice):
            fields.setdefault(name, [])
        self.table.apply(part)
        return True

    def holds(self) -> tuple[list[HoldView], bool]:
        """All that holds the table, and whether it stops play."""
        if not self.house:
            return [], False
        table = self.table.read()
        return hold_views(table, _rules(self.house)), has_holds(table)


@lru_cache(maxsize=256)
def _rules(house: str) -> Rules:
    found = msgspec.json.decode(house, type=HouseRules)
    return Rules(rulebook(found.rulebook), found)

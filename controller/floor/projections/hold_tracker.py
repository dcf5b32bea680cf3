"""Tracks the holds of a table from record to record, without replaying the steps.

Of a step's effect it keeps only the few fields that hold a table. The table's own code then
computes the text of a hold, who can end it and its clause, from those fields and the rules that its
release recorded.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from controller.engine.effects import PlainState
from controller.engine.hold_list import hold_views
from controller.engine.release import state_of
from controller.journal.bodies import Delta, StepBody
from controller.journal.records import Record
from controller.rulebooks import rulebook
from controller.table.agenda.order import has_holds
from controller.table.holds import HoldView
from controller.table.rules import HouseRules, Rules

KEPT: Final = ("day", "clocks", "card_count", "case", "queue", "latches", "requests")
"""The fields of a table's state that can hold it."""


class HoldKey(NamedTuple):
    """The identity of a hold from step to step."""

    kind: str
    what: str
    since: float


class OpenHold(msgspec.Struct, frozen=True):
    """An open hold, and the record that opened it."""

    kind: str
    what: str
    since: float
    seq: int

    @property
    def key(self) -> HoldKey:
        return HoldKey(self.kind, self.what, self.since)


class Followed(msgspec.Struct):
    """The state between two records; stored next to the cursor."""

    table: PlainState = msgspec.field(default_factory=PlainState)
    house: str = ""
    """As JSON; empty until a release has recorded the rules that it applies."""
    rulebook: str = ""
    open: list[OpenHold] = msgspec.field(default_factory=list)

    def stand_at(self, record: Record) -> None:
        """Takes the whole state from a checkpoint or a release record."""
        body = state_of(record)
        whole = body.plain().fields
        self.table = PlainState({name: whole[name] for name in KEPT if name in whole})
        self.house, self.rulebook = bytes(body.house).decode(), body.release.rulebook

    def take(self, step: StepBody) -> bool:
        """Applies a step; returns whether it may have changed the holds."""
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
        """All holds of the table, and whether they stop play."""
        if not self.house:
            return [], False
        table = self.table.read()
        return hold_views(table, _rules(self.house)), has_holds(table)


@lru_cache(maxsize=256)
def _rules(house: str) -> Rules:
    found = msgspec.json.decode(house, type=HouseRules)
    return Rules(rulebook(found.rulebook), found)

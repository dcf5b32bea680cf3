"""The list of rounds, from their summaries: no key, and nothing is played again.

The round that is open now has no summary yet; its state is in the effects of the steps. Rounds of
an older form of records have none at all and are played again with the key, where there is one.
Blocks on disk: keep it off the web's loop.
"""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from itertools import takewhile
from threading import Lock
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.console.data.recall import Records
from controller.engine import effects, summaries
from controller.engine.forms import HAS_EFFECT, RecordedState, state_in, step_of, table_of
from controller.engine.summaries import RejectedPart, RoundSummary, WagerTotals
from controller.journal.errors import KeyRefused
from controller.journal.records import CHECKPOINT, RELEASE, STEP, Record
from controller.journal.seal import Sealer
from controller.table.case import Ruled
from controller.table.rules import Rules
from controller.table.state import CardCorrection, Table
from controller.views.recorded import recorded, summary_in

SHOES_KEPT: Final = 32
"""Shoes of an older form whose rounds stay in memory after they were asked for."""


class RoundRow(msgspec.Struct, frozen=True):
    """One round as the list has it."""

    shoe: int
    round: int
    ref: str | None
    began: float
    ended: float | None
    method: str
    dealer: str | None
    deck_set: str
    result: str | None
    void: str | None
    player: list[str | None]
    banker: list[str | None]
    aside: list[str | None]
    rulings: list[Ruled]
    corrected: bool
    corrections: list[CardCorrection]
    wagers: dict[str, WagerTotals]
    rejected: list[RejectedPart]
    first: int
    last: int
    over: bool = True
    summary: int | None = None
    """The record it stands in; None for an open round, and for one of an older form."""
    supersedes: int | None = None


def row_of(found: RoundSummary, record: int | None = None) -> RoundRow:
    return replace(msgspec.convert(found, RoundRow, from_attributes=True), summary=record)


def row_in(record: Record) -> RoundRow:
    return row_of(summary_in(record), record.seq)


def row_without_summary(table: Table, last: int) -> RoundRow:
    """Of the round that lies on the table: open, or over in an older form of records."""
    assert table.round is not None
    row = replace(row_of(summaries.summary(table, table, last)), supersedes=None)
    if table.round.over:
        return row
    return replace(row, over=False, ended=None, result=None)


class RoundList:
    def __init__(self, records: Records, rules: Rules, sealer: Sealer | None = None) -> None:
        self._records = records
        self._open = _OpenRound(records)
        self._older = _OlderRounds(records, rules, sealer)

    def rows(self, before: int | None = None) -> Iterator[RoundRow]:
        """The newest first, each once; with `before` those that were over before that record."""
        listed = None
        for row in self._all(before):
            # A summary comes before the one it supersedes.
            if (row.shoe, row.round) != listed:
                listed = row.shoe, row.round
                yield row

    def _all(self, before: int | None) -> Iterator[RoundRow]:
        if before is None:
            now = self._open.look()
            yield from () if now is None else (now,)
        yield from map(row_in, self._records.summaries(before))
        yield from (row for row in self._older.rows() if before is None or row.last < before)


class _OpenRound:
    """Follows the table's state through the effects of its steps."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lock = Lock()
        self._seen: int | None = None
        self._state: RecordedState | None = None

    def look(self) -> RoundRow | None:
        with self._lock:
            if self._seen is None:
                self._seen = max(0, max(self._records.checkpoints(), default=0) - 1)
            for record in self._records.read(self._seen):
                self._take(record)
                self._seen = record.seq
            if self._state is None:
                return None
            table = table_of(self._state.table, self._state.version)
            if table.round is None or table.round.over:
                return None
            return row_without_summary(table, self._seen)

    def _take(self, record: Record) -> None:
        if record.version < HAS_EFFECT:
            self._state = None  # until whoever took over has written it down
        elif record.kind in (CHECKPOINT, RELEASE):
            self._state = state_in(record)
        elif record.kind == STEP and self._state is not None:
            effect = step_of(record).effect
            if effect is not None:
                effects.apply(effect, self._state.table)


class _OlderRounds:
    """Rounds of forms 1 to 3. No more of them are written, so that a shoe stays as it was read."""

    def __init__(self, records: Records, rules: Rules, sealer: Sealer | None) -> None:
        self._records = records
        self._rules = rules
        self._sealer = sealer
        self._lock = Lock()
        self._starts: list[int] | None = None
        self._kept: OrderedDict[int, list[RoundRow]] = OrderedDict()

    def rows(self) -> Iterator[RoundRow]:
        if self._sealer is None:
            return
        if self._starts is None:
            every = self._records.checkpoints()
            self._starts = every[: bisect_left(every, HAS_EFFECT, key=self._form)]
        for start in reversed(self._starts):
            yield from self._of_shoe(start)

    def _form(self, seq: int) -> int:
        return next(self._records.read(seq - 1)).version

    def _of_shoe(self, start: int) -> list[RoundRow]:
        with self._lock:
            if start not in self._kept:
                self._kept[start] = self._read(start)
                while len(self._kept) > SHOES_KEPT:
                    self._kept.popitem(last=False)
            return self._kept[start]

    def _read(self, start: int) -> list[RoundRow]:
        shoe = takewhile(
            lambda each: (
                each.version < HAS_EFFECT and (each.seq == start or each.kind != CHECKPOINT)
            ),
            self._records.read(start - 1),
        )
        found: dict[int, RoundRow] = {}
        for told in recorded(shoe, self._rules, self._open_sealer):
            if told.summary is not None:
                found[told.summary.round] = row_of(told.summary)
        return list(reversed(found.values()))

    def _open_sealer(self) -> Sealer:
        if self._sealer is None:
            raise KeyRefused("this console has no key")
        return self._sealer

"""The list of rounds, from their summaries, without key and replay.

The open round has no summary yet; its state comes from the effects of the steps. Blocks on disk:
call it outside the event loop.
"""

from collections.abc import Iterator
from threading import Lock

import msgspec
from msgspec.structs import replace

from controller.console.data.round_history import RecordReader
from controller.engine import summaries
from controller.engine.effects import PlainState
from controller.engine.release import state_of
from controller.engine.summaries import RoundSummary, summary_of
from controller.journal.bodies import step_of
from controller.journal.records import CHECKPOINT, RELEASE, STEP, Record
from controller.table.state import Table


class RoundRow(RoundSummary, frozen=True):
    """One round in the list: its summary, or the known fields of an open round."""

    ended: float | None  # type: ignore[assignment]  # narrower where it is over
    over: bool = True
    summary: int | None = None
    """The record of the summary; None for an open round."""


def row_of(found: RoundSummary, record: int | None = None) -> RoundRow:
    return replace(msgspec.convert(found, RoundRow, from_attributes=True), summary=record)


def row_in(record: Record) -> RoundRow:
    return row_of(summary_of(record), record.seq)


def row_without_summary(table: Table, last: int) -> RoundRow:
    """The row of the round in progress."""
    assert table.round is not None
    row = replace(row_of(summaries.summary(table, table, last)), supersedes=None)
    if table.round.over:
        return row
    return replace(row, over=False, ended=None, result=None)


class RoundList:
    def __init__(self, records: RecordReader) -> None:
        self._records = records
        self._open = _OpenRound(records)

    def rows(self, before: int | None = None) -> Iterator[RoundRow]:
        """Rounds, the newest first, each once; with `before`, only those that ended before that
        record."""
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


class _OpenRound:
    """Follows the table's state through the effects of its steps."""

    def __init__(self, records: RecordReader) -> None:
        self._records = records
        self._lock = Lock()
        self._seen: int | None = None
        self._state: PlainState | None = None

    def look(self) -> RoundRow | None:
        with self._lock:
            if self._seen is None:
                self._seen = max(0, max(self._records.checkpoints(), default=0) - 1)
            for record in self._records.read(self._seen):
                self._take(record)
                self._seen = record.seq
            if self._state is None:
                return None
            table = self._state.read()
            if table.round is None or table.round.over:
                return None
            return row_without_summary(table, self._seen)

    def _take(self, record: Record) -> None:
        if record.kind in (CHECKPOINT, RELEASE):
            self._state = state_of(record).plain()
        elif record.kind == STEP and self._state is not None:
            effect = step_of(record).effect
            if effect is not None:
                self._state.apply(effect)

"""Reads a journal once from its last checkpoint as far as its chain holds."""

from controller.journal.database import Database
from controller.journal.errors import JournalDamaged
from controller.journal.records import EMPTY, Head, Record, walk


def valid_part(
    database: Database, upto: int | None = None
) -> tuple[int, list[Record], Head, JournalDamaged | None]:
    """Return where the current shoe begins, its records, how far the chain holds, and what stopped
    it.

    If a checkpoint is itself damaged, reading begins at the one before it.
    """
    bound = () if upto is None else (upto,)
    for seq in database.checkpoints():
        before = database.head_at(seq - 1)
        if before is not None and (upto is None or seq <= upto):
            records, fault = _walked(database, before, *bound)
            if records:
                return seq, records, Head(records[-1].seq, records[-1].digest), fault
    records, fault = _walked(database, EMPTY, *bound)
    head = Head(records[-1].seq, records[-1].digest) if records else EMPTY
    return 1, records, head, fault


def _walked(
    database: Database, start: Head, *upto: int
) -> tuple[list[Record], JournalDamaged | None]:
    records: list[Record] = []
    try:
        for record in walk(database.rows(start.seq, *upto), start):
            records.append(record)  # noqa: PERF402  # `list(...)` would drop them at a fault
    except JournalDamaged as fault:
        return records, fault
    return records, None

"""A table's journal beside the floor's copy of it: every record, every field, every digest.

What proves a restore. The journal's own chain is followed on the way, so that a copy that equals it
is a good one, and not just the same.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg

from controller.journal.chain import walk
from controller.journal.database import Database
from controller.journal.records import EMPTY
from controller.protocol.names import TableName
from controller.protocol.records import SentRecord, sent

AT_ONCE: Final = 2_000
_HEAD: Final = (
    "SELECT epoch, seq FROM floor.head WHERE (site, table_id) = (%s, %s)"
    " ORDER BY epoch DESC LIMIT 1"
)
_ROWS: Final = (
    "SELECT seq, kind, version, at_s, shoe, round, body, sealed, digest FROM floor.record"
    " WHERE (site, table_id, epoch) = (%s, %s, %s) AND seq > %s AND seq <= %s"
    " ORDER BY seq LIMIT %s"
)
_DOUBLES: Final = (
    "SELECT count(*) - count(DISTINCT seq) FROM floor.record"
    " WHERE (site, table_id, epoch) = (%s, %s, %s)"
)


class Comparison(msgspec.Struct, frozen=True):
    """How far both are the same, and what is not."""

    same: int
    behind: int
    """Records that the table has and the floor has not got yet."""
    differs: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        return not self.differs

    def __str__(self) -> str:
        if self.differs:
            return f"NOT THE SAME: {'; '.join(self.differs)}"
        later = f", {self.behind} not sent yet" if self.behind else ""
        return f"{self.same} records, each once and with the same digest{later}"


def compare(connection: "psycopg.Connection[Any]", name: TableName, journal: Path) -> Comparison:
    """The floor's last history of a table with its journal, which may be written meanwhile; raises
    `JournalError` for a journal that is damaged."""
    # How far the floor is comes first: whatever a table writes meanwhile is then only late.
    epoch, head = connection.execute(_HEAD, [*name]).fetchone() or (1, 0)
    rows = _rows(connection, name, epoch, head)
    doubles = connection.execute(_DOUBLES, [*name, epoch]).fetchone()
    with closing(Database.read(journal)) as database:
        wanted = (sent(each) for each in walk(database.rows(0), EMPTY))
        same, behind, differs = _beside(rows, wanted)
    if not differs and same < head:
        differs = (f"record {same + 1} is missing at the floor, which has {head} by its own word",)
    if doubles is not None and doubles[0]:
        differs = (*differs, f"{doubles[0]} records are there more than once")
    return Comparison(same, behind, differs)


def _rows(
    connection: "psycopg.Connection[Any]", name: TableName, epoch: int, head: int
) -> Iterator[SentRecord]:
    after = 0
    while page := connection.execute(_ROWS, [*name, epoch, after, head, AT_ONCE]).fetchall():
        yield from (SentRecord(*row) for row in page)
        after = page[-1][0]


def _beside(
    rows: Iterator[SentRecord], wanted: Iterator[SentRecord]
) -> tuple[int, int, tuple[str, ...]]:
    same = 0
    for row in rows:
        record = next(wanted, None)
        if record is None:
            return same, 0, (f"the floor has record {row.seq}, and the journal ends before it",)
        if row != record:
            return same, 0, (f"record {record.seq} is another one at the floor",)
        same += 1
    return same, sum(1 for _ in wanted), ()

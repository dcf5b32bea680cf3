"""A table's journal beside the floor's copy of it: every record, every field, every digest.

What proves a restore. The journal's own chain is followed on the way, so that a copy that equals it
is a good one, and not just the same. Months that have gone lie in archive files: of those the floor
still has the digest at each file's end, and the journal must come to it.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg

from controller.journal.database import Database
from controller.journal.records import EMPTY, walk
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
_FILES: Final = (
    "SELECT file, first, last, end_digest, gone FROM floor.archive"
    " WHERE (site, table_id, epoch) = (%s, %s, %s) AND verified IS NOT NULL ORDER BY last, first"
)


class Comparison(msgspec.Struct, frozen=True):
    """How far both are the same, and what is not."""

    same: int
    behind: int
    """Records that the table has and the floor has not got yet."""
    differs: tuple[str, ...] = ()
    filed: int = 0
    """Records that have left the database with their month."""

    @property
    def good(self) -> bool:
        return not self.differs

    def __str__(self) -> str:
        if self.differs:
            return f"NOT THE SAME: {'; '.join(self.differs)}"
        later = f", {self.behind} not sent yet" if self.behind else ""
        away = f", {self.filed} more in archive files that end the same" if self.filed else ""
        return f"{self.same} records, each once and with the same digest{away}{later}"


class _File(msgspec.Struct):
    """An archive file, as the floor knows it."""

    file: str
    first: int
    last: int
    end: bytes
    gone: int
    """How many of its records are not here; counted down when one is missed."""


def compare(connection: "psycopg.Connection[Any]", name: TableName, journal: Path) -> Comparison:
    """The floor's last history of a table with its journal, which may be written meanwhile; raises
    `JournalError` for a journal that is damaged."""
    # How far the floor is comes first: whatever a table writes meanwhile is then only late.
    epoch, head = connection.execute(_HEAD, [*name]).fetchone() or (1, 0)
    rows = _rows(connection, name, epoch, head)
    files = [_File(*row) for row in connection.execute(_FILES, [*name, epoch])]
    doubles = connection.execute(_DOUBLES, [*name, epoch]).fetchone()
    with closing(Database.read(journal)) as database:
        wanted = (sent(each) for each in walk(database.rows(0), EMPTY))
        found = _beside(rows, wanted, files, head)
    if doubles is not None and doubles[0]:
        more = (*found.differs, f"{doubles[0]} records are there more than once")
        return msgspec.structs.replace(found, differs=more)
    return found


def _rows(
    connection: "psycopg.Connection[Any]", name: TableName, epoch: int, head: int
) -> Iterator[SentRecord]:
    after = 0
    while page := connection.execute(_ROWS, [*name, epoch, after, head, AT_ONCE]).fetchall():
        yield from (SentRecord(*row) for row in page)
        after = page[-1][0]


def _beside(
    rows: Iterator[SentRecord], wanted: Iterator[SentRecord], files: list[_File], head: int
) -> Comparison:
    """By their numbers: what is not here must lie in a file."""
    same = filed = seq = 0
    row, pile = next(rows, None), iter(files)
    file = next(pile, None)
    for record in wanted:
        if record.seq > head:
            return Comparison(same, 1 + sum(1 for _ in wanted), filed=filed)
        seq = record.seq
        while file is not None and file.last < seq:
            file = next(pile, None)
        if row is not None and row.seq <= seq:
            if row != record:
                return Comparison(same, 0, (f"record {row.seq} is another one at the floor",))
            same, row = same + 1, next(rows, None)
        elif not _let_go(file, seq):
            text = f"record {seq} is missing at the floor, which has {head} by its own word"
            return Comparison(same, 0, (text,))
        else:
            filed += 1
        if file is not None and file.last == seq and file.end != record.digest:
            return Comparison(same, 0, (f"record {seq} is another one in the file {file.file}",))
    if seq < head:
        text = f"the floor has record {seq + 1 if row is None else row.seq}"
        return Comparison(same, 0, (f"{text}, and the journal ends before it",))
    return Comparison(same, 0, filed=filed)


def _let_go(file: _File | None, seq: int) -> bool:
    """Has this one left with its month? More than have gone may not be missing."""
    if file is None or seq < file.first or not file.gone:
        return False
    file.gone -= 1
    return True

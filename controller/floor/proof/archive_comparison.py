"""Compares a table's journal with the floor's copy: every record, every field, every digest.

This proves a restore. It also follows the journal's own chain, so that an equal copy is also a
sound one. Archived months are only in files: the floor still has the digest at each file's end, and
the journal must have the same digest there.
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
    """The result: how far both agree, and the differences."""

    same: int
    behind: int
    """Records that the table has and the floor has not received yet."""
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
    """An archive file, as registered at the floor."""

    file: str
    first: int
    last: int
    end: bytes
    gone: int
    """How many of its records are not in the database; each missing record decrements it."""


def compare(connection: "psycopg.Connection[Any]", name: TableName, journal: Path) -> Comparison:
    """Compares the floor's latest history of a table with its journal, which may grow meanwhile;
    raises `JournalError` for a damaged journal."""
    # Read the floor's head first: records that a table writes meanwhile then only count as late.
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
    """Compares by record number: a record missing in the database must be in a file."""
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
    """Whether the record has left with its month; a file excuses only as many as have gone."""
    if file is None or seq < file.first or not file.gone:
        return False
    file.gone -= 1
    return True

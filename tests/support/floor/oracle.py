"""What has to hold of a floor's records, whatever happened: rows equal journals, once, in order."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from controller.journal import audit
from controller.journal.records import Head, Record
from controller.protocol.names import TableName
from controller.protocol.records import sent
from support.floor.servers import FloorDatabase
from support.floor.tables import Sender

FIELDS: Final = ("seq", "kind", "version", "at", "shoe", "round", "body", "sealed", "digest")

Rows = list[tuple[object, ...]]


def rows_of(database: FloorDatabase, name: TableName, epoch: int = 1) -> Rows:
    with database.connect() as owner:
        return owner.execute(
            "SELECT seq, kind, version, at_s, shoe, round, body, sealed, digest FROM floor.record"
            " WHERE (site, table_id, epoch) = (%s, %s, %s) ORDER BY seq",
            [*name, epoch],
        ).fetchall()


def journal_rows(journal: Path) -> Rows:
    """What the floor must have of a table with this journal."""
    return _as_rows(audit.read(journal))


def _as_rows(records: Iterable[Record]) -> Rows:
    return [tuple(getattr(sent(each), name) for name in FIELDS) for each in records]


def check_rows(database: FloorDatabase, senders: Sequence[Sender], epoch: int = 1) -> None:
    for sender in senders:
        assert rows_of(database, sender.name, epoch) == _as_rows(sender.journal.records)
    with database.connect() as owner:
        for sender in senders:
            head = owner.execute(
                "SELECT seq, digest FROM floor.head WHERE (site, table_id, epoch) = (%s, %s, %s)",
                [*sender.name, epoch],
            ).fetchall()
            assert [Head(*row) for row in head] == [sender.journal.head]

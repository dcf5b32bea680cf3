"""Rereads records that an earlier release could not read.

Each is read on its own, from the state before it, and the result is discarded. If a table has a
record that can be read now, the table is rebuilt, so that the record counts, and its exception
ends. Records that still cannot be read keep their exception, acknowledged or not.
"""

from psycopg import Connection

from controller.floor.projections.hold_tracker import Followed
from controller.floor.projections.projector import (
    NOT_WRITTEN,
    Behind,
    Row,
    derive,
    rebuild_tables,
    records_after,
    without_beginning,
)
from controller.floor.projections.record_projection import UNREADABLE
from controller.journal.records import CHECKPOINT, RELEASE
from controller.protocol.names import TableName


def read_again(connection: Connection[Row]) -> list[TableName]:
    """Rebuilds the tables concerned and returns them. A table whose first months are in archive
    files waits for people: a rebuild would lose what was counted from those."""
    with connection.transaction():
        rows = connection.execute(
            "SELECT DISTINCT site, table_id, epoch, seq FROM floor.exception"
            " WHERE kind = %s AND seq IS NOT NULL",
            [UNREADABLE],
        ).fetchall()
        found = {
            TableName(site, table)
            for site, table, epoch, seq in rows
            if _can_be_read(connection, TableName(site, table), epoch, seq)
        }
        whole = sorted(found - without_beginning(connection))
        if whole:
            rebuild_tables(connection, whole)
    return whole


def _can_be_read(connection: Connection[Row], name: TableName, epoch: int, seq: int) -> bool:
    start = connection.execute(
        "SELECT max(seq) FROM floor.record WHERE (site, table_id, epoch) = (%s, %s, %s)"
        " AND kind = ANY(%s) AND seq < %s",
        [*name, epoch, [CHECKPOINT, RELEASE], seq],
    ).fetchone()
    before = start[0] - 1 if start and start[0] else 0
    behind = Behind(name, epoch, before, Followed())
    records = records_after(connection, behind, seq - before)
    if not records or records[-1].seq != seq:
        return False
    try:
        with connection.transaction(force_rollback=True):
            found = derive(connection, behind, records, frozenset())
    except NOT_WRITTEN:
        return False
    return all(each.kind != UNREADABLE for (at, _), each in found.exceptions.items() if at == seq)

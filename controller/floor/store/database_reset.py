"""Begins a new history of a table, authorised by two people: the only way to start an epoch."""

from typing import Any

import psycopg

from controller.journal.records import NO_DIGEST
from controller.protocol.names import TableName
from controller.table.commands.names import is_same_name


class CannotReset(Exception):
    """Why a new history was refused."""


def reset(
    connection: psycopg.Connection[Any], name: TableName, by: str, second: str, reason: str
) -> int:
    """Begins the next epoch and returns it. Earlier ones stay unchanged. The caller has
    authenticated the two people."""
    if is_same_name(by, second):
        raise CannotReset("it takes two: somebody else than whoever asks")
    if not reason.strip():
        raise CannotReset("say why: it is kept for as long as the records are")
    with connection.transaction():
        row = connection.execute(
            "UPDATE floor.table_register SET epoch = epoch + 1 WHERE (site, table_id) = (%s, %s)"
            " RETURNING epoch",
            [*name],
        ).fetchone()
        if row is None:
            raise CannotReset(f"there is no table {name.table} at {name.site}")
        epoch: int = row[0]
        connection.execute(
            "INSERT INTO floor.reset_log (site, table_id, epoch, by_who, second, reason)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            [*name, epoch, by, second, reason.strip()],
        )
        connection.execute(
            "INSERT INTO floor.head (site, table_id, epoch, seq, digest) VALUES (%s, %s, %s, 0, %s)"
            " ON CONFLICT DO NOTHING",
            [*name, epoch, NO_DIGEST],
        )
        connection.execute(
            "UPDATE floor.exception SET closed = now() WHERE (site, table_id) = (%s, %s)"
            " AND closed IS NULL AND kind IN ('diverged', 'unsound')",
            [*name],
        )
    return epoch

"""Exceptions for events that a subscriber has refused for a while, made from the cursors alone.

The next scan closes an exception after delivery, a skip or the removal of the subscriber.
"""

from typing import Any, Final

from psycopg import Connection

from controller.floor.store import standing_exceptions
from controller.floor.store.standing_exceptions import StandingKind
from controller.protocol.names import TableName

AFTER_S: Final = 30.0
"""Longer than a restart of a subscriber takes."""


def tell(connection: Connection[Any], after_s: float = AFTER_S) -> None:
    with connection.transaction():
        rows = connection.execute(
            "SELECT d.subscriber, d.site, d.table_id, d.epoch, d.seq + 1,"
            " extract(epoch FROM d.failing_since)::float8 FROM floor.delivery d"
            " WHERE d.failing_since < now() - make_interval(secs => %s) AND NOT EXISTS"
            " (SELECT FROM floor.exception e WHERE (e.site, e.table_id, e.what)"
            " = (d.site, d.table_id, d.subscriber) AND e.kind = %s AND e.closed IS NULL)",
            [after_s, StandingKind.UNDELIVERED.value],
        ).fetchall()
        for subscriber, site, table, epoch, record, since in rows:
            standing_exceptions.begin(
                connection, TableName(site, table), StandingKind.UNDELIVERED, epoch, since,
                what=subscriber, subscriber=subscriber, record=record,
            )  # fmt: skip
        connection.execute(
            "UPDATE floor.exception e SET closed = now() WHERE e.kind = %s AND e.closed IS NULL"
            " AND NOT EXISTS (SELECT FROM floor.delivery d WHERE d.failing_since IS NOT NULL"
            " AND (d.site, d.table_id, d.subscriber) = (e.site, e.table_id, e.what))",
            [StandingKind.UNDELIVERED.value],
        )

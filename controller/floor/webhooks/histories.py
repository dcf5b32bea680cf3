"""The order of a table's histories for subscribers: one after the other, each record once.

A new history begins with records that it shares with an earlier one, and those were delivered under
the ids of the earlier one. So the first history that has a record delivers it, under its epoch. A
later history delivers only its own records, after all earlier histories are complete.
"""

from typing import Any, Final

from psycopg import Connection

from controller.floor.webhooks.events import History

TOLD_IN: Final = (
    "coalesce((SELECT min(f.epoch) FROM floor.head f WHERE (f.site, f.table_id)"
    " = (a.site, a.table_id) AND f.epoch < a.epoch AND f.seq >= a.seq AND (EXISTS"
    " (SELECT FROM floor.record b WHERE (b.site, b.table_id, b.epoch, b.seq, b.at, b.digest)"
    " = (a.site, a.table_id, f.epoch, a.seq, a.at, a.digest))"
    " OR (a.at <= f.received AND NOT EXISTS (SELECT FROM floor.record b"
    " WHERE (b.site, b.table_id, b.epoch, b.seq) = (a.site, a.table_id, f.epoch, a.seq))))),"
    " a.epoch)"
)
"""The epoch under which a record `a` is delivered. If the earlier history's record of that number
is in an archive file, a record that is no younger than that history counts as the same: a table
that sends its whole journal again sends those months too."""

NOTHING_EARLIER: Final = (
    "NOT EXISTS (SELECT FROM floor.delivery e JOIN floor.head f USING (site, table_id, epoch)"
    " WHERE (e.subscriber, e.site, e.table_id) = (d.subscriber, d.site, d.table_id)"
    " AND e.epoch < d.epoch AND e.seq < f.seq)"
)
"""SQL condition on a delivery `d`: all earlier histories are delivered completely."""


def told_in(connection: Connection[Any], history: History, seq: int) -> int:
    """The epoch under which a record of this history is delivered; for a missing record, that of
    the next one."""
    if history.epoch <= 1:
        return history.epoch
    row = connection.execute(
        f"SELECT {TOLD_IN} FROM floor.record a WHERE (a.site, a.table_id, a.epoch) = (%s, %s, %s)"
        " AND a.seq >= %s ORDER BY a.seq LIMIT 1",
        [history.site, history.table, history.epoch, seq],
    ).fetchone()
    return history.epoch if row is None else int(row[0])

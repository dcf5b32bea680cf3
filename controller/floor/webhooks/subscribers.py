"""Subscribers: their settings, and a cursor for each subscriber and table."""

import base64
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from psycopg import Connection

from controller.floor.webhooks.events import EventKind, History
from controller.floor.webhooks.histories import told_in
from controller.floor.webhooks.http_sender import EgressPolicy, checked_url

_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
SECRET_BYTES: Final = 32


class SubscriberError(Exception):
    """A fault of a subscriber or of a change to one."""


class Subscriber(msgspec.Struct, frozen=True):
    id: str
    url: str
    events: list[str]
    tables: list[str]
    """Empty: all tables."""
    active: bool
    paused: str | None
    """Why delivery is paused."""
    secret: str = ""


class Undelivered(msgspec.Struct, frozen=True):
    """Events of one table that wait for delivery to one subscriber."""

    subscriber: str
    site: str
    table: str
    epoch: int
    seq: int
    """The last delivered record; later ones are held back."""
    head: int
    since: datetime | None
    tries: int
    error: str | None
    waits_for: int | None = None
    """The epoch of an earlier history that must be delivered first."""


def add(
    connection: Connection[Any],
    id_: str,
    url: str,
    policy: EgressPolicy,
    entropy: Callable[[int], bytes],
    events: Sequence[str] = tuple(EventKind),
    tables: Sequence[str] = (),
    *,
    from_start: bool = False,
) -> str:
    """Adds a subscriber, from the current heads or from the first records, and returns its secret,
    which is shown once."""
    if not _ID.fullmatch(id_):
        raise SubscriberError(f"{id_!r} is no name for a subscriber: up to 32 of a-z, 0-9 and -")
    unknown = sorted(set(events) - set(EventKind))
    if unknown or not events:
        raise SubscriberError(f"{unknown or 'nothing'} is no kind of event: {', '.join(EventKind)}")
    checked_url(url, policy)
    secret = "whsec_" + base64.b64encode(entropy(SECRET_BYTES)).decode("ascii")
    with connection.transaction():
        made = connection.execute(
            "INSERT INTO floor.subscriber (id, url, secret, events, tables)"
            " VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [id_, url, secret, list(events), list(tables)],
        )
        if not made.rowcount:
            raise SubscriberError(f"there is a subscriber {id_} already")
        if not from_start:
            connection.execute(
                "INSERT INTO floor.delivery (subscriber, site, table_id, epoch, seq)"
                " SELECT %s, site, table_id, epoch, seq FROM floor.head",
                [id_],
            )
    return secret


def listed(connection: Connection[Any]) -> list[Subscriber]:
    """All subscribers, without their secrets."""
    rows = connection.execute(
        "SELECT id, url, events, tables, active, paused FROM floor.subscriber ORDER BY id"
    )
    return [Subscriber(*row) for row in rows]


def pause(connection: Connection[Any], id_: str, why: str) -> None:
    _change(connection, id_, "active = false, paused = %s", [why])


def resume(connection: Connection[Any], id_: str) -> None:
    """Resumes delivery at the stored cursor."""
    _change(connection, id_, "active = true, paused = NULL", [])


def remove(connection: Connection[Any], id_: str) -> None:
    with connection.transaction():
        connection.execute("DELETE FROM floor.delivery WHERE subscriber = %s", [id_])
        gone = connection.execute("DELETE FROM floor.subscriber WHERE id = %s", [id_])
        _found(gone.rowcount, id_)


def replay(
    connection: Connection[Any],
    id_: str,
    site: str,
    table: str,
    record: int,
    epoch: int | None = None,
) -> None:
    """Moves the cursor of a subscriber for one table to a record of a history (default: the
    newest), to send events again or to skip events. Records that an earlier history delivered are
    sent again by that history, and all later histories follow. Undelivered records of earlier
    histories are skipped only if `epoch` is given."""
    with connection.transaction():
        first_epoch = _first_told(connection, id_, site, table, record, epoch)
        if epoch is None:
            _leaves_nothing_out(connection, id_, History(site, table, first_epoch), record)
        moved = connection.execute(
            "UPDATE floor.delivery d SET seq = CASE WHEN d.epoch = %s THEN %s WHEN d.epoch < %s"
            " THEN greatest(d.seq, h.seq) ELSE 0 END, failing_since = NULL, tries = 0,"
            " last_error = NULL, moved = moved + 1 FROM floor.head h"
            " WHERE (h.site, h.table_id, h.epoch) = (d.site, d.table_id, d.epoch)"
            " AND d.subscriber = %s AND d.site = %s AND d.table_id = %s RETURNING d.epoch",
            [first_epoch, max(record - 1, 0), first_epoch, id_, site, table],
        )
        if (first_epoch,) not in moved.fetchall():
            raise SubscriberError(f"{id_} has not been told anything of {table} yet")


def _first_told(
    connection: Connection[Any], id_: str, site: str, table: str, record: int, epoch: int | None
) -> int:
    """The epoch of the history that delivers this record."""
    rows = connection.execute(
        "SELECT epoch, seq FROM floor.head WHERE site = %s AND table_id = %s", [site, table]
    ).fetchall()
    if not rows:
        raise SubscriberError(f"{id_} has not been told anything of {table} yet")
    heads = {int(each): int(seq) for each, seq in rows}
    newest = max(heads)
    found = newest if epoch is None else epoch
    if found not in heads:
        raise SubscriberError(f"{table} has no epoch {found}: the newest is {newest}")
    if record > heads[found] + 1:
        raise SubscriberError(
            f"the last record of {table} in epoch {found} is {heads[found]}: "
            f"`--from {heads[found] + 1}` goes on with what comes"
        )
    return told_in(connection, History(site, table, found), record)


def _leaves_nothing_out(
    connection: Connection[Any], id_: str, history: History, record: int
) -> None:
    row = connection.execute(
        "SELECT d.epoch, d.seq, h.seq FROM floor.delivery d"
        " JOIN floor.head h USING (site, table_id, epoch) WHERE d.subscriber = %s AND site = %s"
        " AND table_id = %s AND epoch < %s AND d.seq < h.seq ORDER BY epoch LIMIT 1",
        [id_, history.site, history.table, history.epoch],
    ).fetchone()
    if row is None:
        return
    epoch, seq, head = row
    command = f"sabot floor webhook replay {id_} {history.table}"
    raise SubscriberError(
        f"{id_} has not been told records {seq + 1} to {head} of epoch {epoch} of {history.table}, "
        f"and this would leave them out. To go past record {seq + 1} alone: `{command} --epoch "
        f"{epoch} --from {seq + 2}`. To leave all of them out: `{command} --epoch {history.epoch} "
        f"--from {record}`"
    )


def undelivered(connection: Connection[Any]) -> list[Undelivered]:
    """Failing deliveries, the longest first; then later histories that wait for them."""
    rows = connection.execute(
        "SELECT d.subscriber, d.site, d.table_id, d.epoch, d.seq, h.seq, d.failing_since, d.tries,"
        " d.last_error, f.epoch FROM floor.delivery d JOIN floor.head h USING"
        " (site, table_id, epoch) LEFT JOIN LATERAL (SELECT min(e.epoch) AS epoch"
        " FROM floor.delivery e WHERE (e.subscriber, e.site, e.table_id) = (d.subscriber, d.site,"
        " d.table_id) AND e.epoch < d.epoch AND e.failing_since IS NOT NULL) f ON true"
        " WHERE d.failing_since IS NOT NULL OR (d.seq < h.seq AND f.epoch IS NOT NULL)"
        " ORDER BY d.failing_since NULLS LAST, d.subscriber, d.table_id, d.epoch"
    )
    return [Undelivered(*row) for row in rows]


def _change(connection: Connection[Any], id_: str, what: str, given: Sequence[str]) -> None:
    done = connection.execute(f"UPDATE floor.subscriber SET {what} WHERE id = %s", [*given, id_])
    _found(done.rowcount, id_)


def _found(count: int, id_: str) -> None:
    if not count:
        raise SubscriberError(f"there is no subscriber {id_}")

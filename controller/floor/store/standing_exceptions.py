"""Exceptions that are in no record: the floor detects them, and they last while their cause
lasts."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import psycopg
from psycopg.types.json import Json

from controller.floor.store.severity import Severity
from controller.messages.catalogue import english
from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, sentence
from controller.protocol.names import TableName

ALONE_S: Final = 60.0
"""After so long without a second sender the exception for a shared name ends."""


class StandingKind(StrEnum):
    """Each kind has at most one open exception for a table and subject."""

    DIVERGED = "diverged"
    UNSOUND = "unsound"
    CLONED = "cloned"
    AWAY = "away"
    CLOCK = "clock"
    UNDELIVERED = "undelivered"
    FAULT = "fault"
    """An exception of the floor's own service, without a table; so are the next."""
    NO_BROKER = "no_broker"
    ROOT_AHEAD = "root_ahead"


_SAYS: Final = {
    StandingKind.DIVERGED: (Code.FLOOR_DIVERGED, Severity.ALARM),
    StandingKind.UNSOUND: (Code.FLOOR_UNSOUND, Severity.ALARM),
    StandingKind.CLONED: (Code.FLOOR_CLONED, Severity.ALARM),
    StandingKind.AWAY: (Code.FLOOR_AWAY, Severity.AWAY),
    StandingKind.CLOCK: (Code.FLOOR_CLOCK, Severity.WATCH),
    StandingKind.UNDELIVERED: (Code.FLOOR_UNDELIVERED, Severity.WATCH),
    StandingKind.FAULT: (Code.FLOOR_FAULT, Severity.ALARM),
    StandingKind.NO_BROKER: (Code.FLOOR_NO_BROKER, Severity.ALARM),
    StandingKind.ROOT_AHEAD: (Code.FLOOR_ROOT_AHEAD, Severity.WATCH),
}


def begin(
    connection: psycopg.Connection[Any],
    name: TableName,
    kind: StandingKind,
    epoch: int,
    since: float | None = None,
    what: str = "",
    **params: ParamValue,
) -> bool:
    """Opens an exception unless it is open; `since` is in seconds since 1970, None is now."""
    code, severity = _SAYS[kind]
    sentence_ = sentence(code, **params)
    done = connection.execute(
        "INSERT INTO floor.exception (site, table_id, epoch, kind, what, code, gaps, text,"
        " severity, since)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, coalesce(to_timestamp(%s), now()))"
        " ON CONFLICT DO NOTHING",
        [
            name.site, name.table, epoch, kind.value, what, sentence_.code, Json(sentence_.params),
            english(sentence_), int(severity), since,
        ],
    )  # fmt: skip
    return done.rowcount == 1


def see_clone(connection: psycopg.Connection[Any], name: TableName, epoch: int) -> None:
    """Opens the exception for a shared name, or renews it."""
    if not begin(connection, name, StandingKind.CLONED, epoch):
        connection.execute(
            "UPDATE floor.exception SET seen = now() WHERE closed IS NULL AND seq IS NULL"
            " AND (site, table_id, kind) = (%s, %s, %s)",
            [*name, StandingKind.CLONED.value],
        )


def end_by_good_records(connection: psycopg.Connection[Any], names: Sequence[TableName]) -> None:
    """Ends exceptions of tables that send valid records. Two senders under one name may both do so
    in turn: that exception ends only after `ALONE_S` without a second sender."""
    if not names:
        return
    connection.execute(
        "UPDATE floor.exception SET closed = now() WHERE closed IS NULL AND seq IS NULL"
        " AND (kind = ANY(%s) OR kind = %s AND coalesce(seen, since) < now() - %s * interval '1 s')"
        " AND (site, table_id) IN (SELECT * FROM unnest(%s::text[], %s::text[]))",
        [
            [StandingKind.DIVERGED.value, StandingKind.UNSOUND.value],
            StandingKind.CLONED.value,
            ALONE_S,
            [name.site for name in names],
            [name.table for name in names],
        ],
    )


def end(
    connection: psycopg.Connection[Any],
    names: Sequence[TableName],
    *kinds: StandingKind,
    what: str = "",
) -> int:
    """Closes the open ones of these kinds and tables; returns how many."""
    if not names:
        return 0
    done = connection.execute(
        "UPDATE floor.exception SET closed = now() WHERE closed IS NULL AND seq IS NULL"
        " AND kind = ANY(%s) AND what = %s AND (site, table_id) IN"
        " (SELECT * FROM unnest(%s::text[], %s::text[]))",
        [
            [kind.value for kind in kinds],
            what,
            [name.site for name in names],
            [name.table for name in names],
        ],
    )
    return done.rowcount

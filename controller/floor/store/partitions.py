"""Partitions of records by month, made ahead by our own code without an extension.

A record with a wrong clock has no partition of its month, and goes into the default partition. When
its month is made, the same transaction moves it there.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import psycopg
from psycopg import sql

AHEAD: Final = 3
"""So many months after the current one are made ahead."""


def month_of(at: datetime) -> datetime:
    return datetime(at.year, at.month, 1, tzinfo=UTC)


def next_month(month: datetime) -> datetime:
    return datetime(month.year + month.month // 12, month.month % 12 + 1, 1, tzinfo=UTC)


def wanted(now: datetime, ahead: int = AHEAD) -> Iterator[datetime]:
    """The months to make: the one before this one, for tables that were away, this one, and those
    ahead."""
    this = month_of(now.astimezone(UTC))
    yield month_of(datetime.fromtimestamp(this.timestamp() - 1, UTC))
    for _ in range(ahead + 1):
        yield this
        this = next_month(this)


def name_of(month: datetime) -> str:
    return f"record_{month:%Y_%m}"


def make(connection: psycopg.Connection[Any], now: datetime, ahead: int = AHEAD) -> list[str]:
    """Makes the missing months as the owner of the tables; returns their names."""
    return [name_of(month) for month in wanted(now, ahead) if open_month(connection, month)]


def open_month(connection: psycopg.Connection[Any], month: datetime) -> bool:
    """Makes one month as the owner; False if it exists."""
    with connection.transaction():
        if _is_there(connection, month):
            return False
        _make(connection, month)
    return True


def _is_there(connection: psycopg.Connection[Any], month: datetime) -> bool:
    found = connection.execute("SELECT to_regclass(%s)", [f"floor.{name_of(month)}"]).fetchone()
    return found is not None and found[0] is not None


def _make(connection: psycopg.Connection[Any], month: datetime) -> None:
    name = sql.Identifier("floor", name_of(month))
    first, after = sql.Literal(month), sql.Literal(next_month(month))
    where = sql.SQL("at >= {} AND at < {}").format(first, after)
    for step in (
        # A concurrent sink waits for the lock, and then finds the month.
        "LOCK TABLE floor.record_default IN ACCESS EXCLUSIVE MODE",
        "CREATE TABLE {name} (LIKE floor.record INCLUDING ALL)",
        "WITH moved AS (DELETE FROM floor.record_default WHERE {where} RETURNING *)"
        " INSERT INTO {name} SELECT * FROM moved",
        "ALTER TABLE floor.record ATTACH PARTITION {name} FOR VALUES FROM ({first}) TO ({after})",
    ):
        connection.execute(sql.SQL(step).format(name=name, where=where, first=first, after=after))

"""Queries of the pages in PostgreSQL, in a read-only role, and the few rows that they write.

Each query is one function with its own result type. If the database is down it raises `StoreDown`:
the pages show this and continue with the content of the board.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import msgspec
import psycopg

from controller.floor.store.rows import struct_row
from controller.floor.tasks import finish
from controller.floor.web.live.exceptions import StoredException
from controller.protocol.orders import Order, OrderAnswer, SignedOrder
from controller.table.case import Ruled

_HOUR: Final = 3600.0

Row = TypeVar("Row", bound=msgspec.Struct)


class StoreDown(Exception):
    """PostgreSQL is unavailable; its data is safe, and tables continue."""


class FloorRound(msgspec.Struct, frozen=True):
    """One round as stored at the floor."""

    table: str
    epoch: int
    summary: int
    shoe: int
    round: int
    ref: str | None
    began: float
    ended: float
    dealer: str | None
    deck_set: str
    rulebook: str
    method: str
    result: str | None
    void: str | None
    corrected: bool
    rulings: list[Ruled]
    drop_minor: int
    hold_minor: int
    first: int
    last: int
    supersedes: int | None
    superseded: bool


class UnitRow(msgspec.Struct, frozen=True):
    """Totals of one unit with one firmware, over all its tables."""

    driver: str
    unit: str
    firmware: str
    tables: list[str]
    cards: int
    misreads: int
    errors: int
    link_losses: int


class DealerRow(msgspec.Struct, frozen=True):
    """Totals of one dealer."""

    dealer: str
    rounds: int
    hours: float
    """Hours in which they dealt at all."""
    voids: int
    corrections: int
    irregularities: dict[str, int]


class PeopleHour(msgspec.Struct, frozen=True):
    """Totals of all dealers in an hour."""

    hour: float
    dealers: list[str]
    tables: list[str]
    dealt: float
    """The sum of all dealers' hours."""
    rounds: int
    voids: int
    corrections: int
    irregularities: dict[str, int]


class HeadRow(msgspec.Struct, frozen=True):
    table: str
    epoch: int
    seq: int
    digest: str
    received: float
    revoked: bool


class RootRow(msgspec.Struct, frozen=True):
    hour: float
    root: str
    stamped: bool


class ArchiveRow(msgspec.Struct, frozen=True):
    table: str
    epoch: int
    month: str
    first: int
    last: int
    file: str
    verified: float | None


class OrderRow(msgspec.Struct, frozen=True):
    id: str
    table: str
    word: str
    who: str
    role: str
    seen: int
    made: float
    outcome: str | None
    answer: OrderAnswer | None
    answered: float | None


class NotTakenRow(msgspec.Struct, frozen=True):
    """An order that a table rejected unjudged, from its journal."""

    table: str
    at: float
    who: str
    outcome: str | None
    """None if the table only counted them."""
    orders: int
    seq: int


class EventRow(msgspec.Struct, frozen=True):
    at: float
    who: str
    what: str
    text: str = msgspec.field(name="says")


class UndeliveredRow(msgspec.Struct, frozen=True):
    subscriber: str
    url: str
    table: str
    seq: int
    failing_since: float
    tries: int
    last_error: str | None


class RegisteredTable(msgspec.Struct, frozen=True):
    """An enrolled or revoked table."""

    table: str
    title: str
    pit: str
    revoked: bool
    enrolled: float


class StretchRow(msgspec.Struct, frozen=True):
    """Rounds of one book that ended in one stretch of time and with one result."""

    rulebook: str
    at: float
    letter: str
    """The first letter of the result; empty for a round without one."""
    rounds: int
    kept: int


class StakesRow(msgspec.Struct, frozen=True):
    """The stakes on one kind of wager in a stretch, or their product with another kind in the same
    rounds."""

    rulebook: str
    at: float
    one: str
    two: str
    staked: int
    product: float


class _Pace(msgspec.Struct, frozen=True):
    """The number of rounds an hour at a table."""

    table: str
    rounds: int


class _Moment(msgspec.Struct, frozen=True):
    at: float | None


PATIENCE_S: Final = 10.0
REPORT_S: Final = 120.0
"""Time-out of slow pages, which have a connection of their own."""
_PACE_S: Final = 600
"""Minimum time for a pace in seconds; less is extrapolated from this."""
_ENDS_WITH_KNOWING: Final = "kind IN ('unreadable', 'order')"
"""Exceptions that only an acknowledgement closes, because no event at the table can."""
_ONE_ROW: Final = f"""CASE WHEN e.{_ENDS_WITH_KNOWING} THEN e.kind || ' ' || e.table_id
    WHEN e.kind = 'undelivered' THEN e.kind || ' ' || (e.gaps->>'subscriber')
    ELSE e.id::text END"""
"""The group of one row: all exceptions of a kind for a table, or all undelivered events of one
subscriber, for any table."""
_STEP: Final = "(floor(extract(epoch FROM ended) / %s) * %s)::float8"
_ROUND: Final = """
    SELECT table_id AS "table", epoch, summary, shoe, round, ref,
           extract(epoch FROM began)::float8 AS began, extract(epoch FROM ended)::float8 AS ended,
           dealer, deck_set, rulebook, method, result, void, corrected, rulings,
           drop_minor, hold_minor, first, last, supersedes, superseded
    FROM floor.round"""


class WebStore:
    """The web's own connection, opened again after a loss. Used from one loop."""

    def __init__(self, conninfo: str, site: str, patience_s: float = PATIENCE_S) -> None:
        self._conninfo = conninfo
        self._site = site
        self._patience_s = patience_s
        self._connection: psycopg.AsyncConnection[tuple[Any, ...]] | None = None
        self._turn = asyncio.Lock()

    async def close(self) -> None:
        async with self._turn:  # another query may be opening a connection
            await self._lost()

    # --- exceptions --------------------------------------------------------------------------

    async def exceptions(self) -> list[StoredException]:
        """The open exceptions, the worst first; many of one kind share a row, so they hide no
        other."""
        return await self._all(
            StoredException,
            f"""WITH open AS (
                   SELECT *, {_ONE_ROW} AS one FROM floor.exception e
                   WHERE site = %s AND closed IS NULL
               ), rows AS (
                   SELECT DISTINCT ON (one) open.*, min(since) OVER same AS first,
                          count(*) OVER same - 1 AS more
                   FROM open WINDOW same AS (PARTITION BY one) ORDER BY one, id DESC
               )
               SELECT id, table_id AS "table", kind, text, code, gaps, clause, role, more,
                      acknowledged_by, extract(epoch FROM first)::float8 AS since
               FROM rows ORDER BY severity DESC, first LIMIT 2000""",
            self._site,
        )

    async def acknowledge(self, ids: Sequence[int], who: str) -> int:
        """Acknowledges open exceptions and earlier ones in the same row; returns how many."""
        return await self._change(
            f"""UPDATE floor.exception e SET acknowledged_by = %s, acknowledged = now(),
               closed = CASE WHEN {_ENDS_WITH_KNOWING} THEN now() END
               WHERE site = %s AND closed IS NULL AND acknowledged_by IS NULL AND (id = ANY(%s)
                     OR EXISTS (SELECT FROM floor.exception s WHERE s.id = ANY(%s) AND s.id > e.id
                                AND s.site = e.site
                                AND {_ONE_ROW} = {_ONE_ROW.replace("e.", "s.")}))""",
            *(who, self._site, list(ids), list(ids)),
        )

    # --- tables ------------------------------------------------------------------------------

    async def register(self) -> list[RegisteredTable]:
        return await self._all(
            RegisteredTable,
            """SELECT table_id AS "table", title, pit, revoked IS NOT NULL AS revoked,
                      extract(epoch FROM enrolled)::float8 AS enrolled
               FROM floor.table_register WHERE site = %s""",
            self._site,
        )

    # --- rounds ------------------------------------------------------------------------------

    async def rounds_hour(self) -> dict[str, int]:
        """Rounds an hour of each table, from those that ended within the last hour; for a table
        that began later, extrapolated."""
        found = await self._all(
            _Pace,
            """SELECT table_id AS "table", (count(*) * 3600 / greatest(
                          extract(epoch FROM now() - min(began)), %s))::int AS rounds
               FROM floor.round
               WHERE site = %s AND ended > now() - interval '1 hour' AND NOT superseded
               GROUP BY table_id""",
            _PACE_S,
            self._site,
        )
        return {each.table: each.rounds for each in found}

    async def rounds(self, table: str, before: float, most: int) -> list[FloorRound]:
        return await self._all(
            FloorRound,
            f"""{_ROUND} WHERE site = %s AND table_id = %s AND ended < to_timestamp(%s)
                ORDER BY ended DESC, summary DESC LIMIT %s""",
            *(self._site, table, before, most),
        )

    # --- devices and people ------------------------------------------------------------------

    async def devices(self, since: float) -> list[UnitRow]:
        """Totals of each unit, the worst first."""
        return await self._all(
            UnitRow,
            """SELECT driver, unit, firmware, array_agg(DISTINCT table_id) AS tables,
                      sum(cards)::bigint AS cards, sum(misreads)::bigint AS misreads,
                      sum(errors)::bigint AS errors, sum(link_losses)::bigint AS link_losses
               FROM floor.device_hour WHERE site = %s AND hour >= to_timestamp(%s)
               GROUP BY driver, unit, firmware
               ORDER BY sum(misreads)::float8 / greatest(sum(cards), 1) DESC, sum(errors) DESC""",
            *(self._site, since - since % _HOUR),
        )

    async def dealers(self, since: float, until: float) -> list[DealerRow]:
        """Totals of each dealer in the hours that began in this time."""
        return await self._all(
            DealerRow,
            """WITH hours AS (
                   SELECT * FROM floor.dealer_hour
                   WHERE site = %s AND hour >= to_timestamp(%s) AND hour < to_timestamp(%s)
               ), clauses AS (
                   SELECT dealer, clause, sum(n::int)::int AS n
                   FROM hours, jsonb_each_text(irregularities) AS each (clause, n)
                   GROUP BY dealer, clause
               ), sums AS (
                   SELECT dealer, sum(rounds)::bigint AS rounds,
                          sum(seconds) / 3600 AS hours, sum(voids)::bigint AS voids,
                          sum(corrections)::bigint AS corrections
                   FROM hours GROUP BY dealer
               )
               SELECT sums.*, coalesce((SELECT jsonb_object_agg(clause, n) FROM clauses
                                        WHERE clauses.dealer = sums.dealer), '{}')
                      AS irregularities
               FROM sums ORDER BY rounds DESC""",
            *(self._site, since, until),
        )

    async def people_hours(self, since: float, until: float) -> list[PeopleHour]:
        """Hourly totals of the hours that began in this time, the newest first."""
        return await self._all(
            PeopleHour,
            """WITH hours AS (
                   SELECT * FROM floor.dealer_hour
                   WHERE site = %s AND hour >= to_timestamp(%s) AND hour < to_timestamp(%s)
               ), clauses AS (
                   SELECT hour, clause, sum(n::int)::int AS n
                   FROM hours, jsonb_each_text(irregularities) AS each (clause, n)
                   GROUP BY hour, clause
               ), sums AS (
                   SELECT hour, array_agg(DISTINCT dealer) AS dealers,
                          array_agg(DISTINCT table_id) AS tables,
                          sum(seconds) / 3600 AS dealt, sum(rounds)::bigint AS rounds,
                          sum(voids)::bigint AS voids, sum(corrections)::bigint AS corrections
                   FROM hours GROUP BY hour
               )
               SELECT extract(epoch FROM hour)::float8 AS hour, dealers, tables, dealt, rounds,
                      voids, corrections,
                      coalesce((SELECT jsonb_object_agg(clause, n) FROM clauses
                                WHERE clauses.hour = sums.hour), '{}') AS irregularities
               FROM sums ORDER BY sums.hour DESC""",
            *(self._site, since, until),
        )

    # --- trends ------------------------------------------------------------------------------

    async def hours(self, since: float) -> list[StretchRow]:
        return await self._all(
            StretchRow,
            """SELECT rulebook, extract(epoch FROM hour)::float8 AS at, result AS letter,
                      sum(rounds)::bigint AS rounds, sum(kept_minor)::bigint AS kept
               FROM floor.book_hour WHERE site = %s AND hour >= to_timestamp(%s)
               GROUP BY 1, 2, 3""",
            *(self._site, since - since % _HOUR),
        )

    async def stakes(self, since: float) -> list[StakesRow]:
        """Stakes by kind and hour; for two kinds in one round the sum of their products."""
        return await self._all(
            StakesRow,
            """SELECT rulebook, extract(epoch FROM hour)::float8 AS at, one, two,
                      sum(staked)::bigint AS staked, sum(product)::float8 AS product
               FROM floor.stake_hour WHERE site = %s AND hour >= to_timestamp(%s)
               GROUP BY 1, 2, 3, 4""",
            *(self._site, since - since % _HOUR),
        )

    async def first_round(self, since: float) -> float | None:
        """The end of the first round since then."""
        (found,) = await self._all(
            _Moment,
            """SELECT extract(epoch FROM min(ended))::float8 AS at FROM floor.round
               WHERE site = %s AND ended >= to_timestamp(%s)""",
            *(self._site, since - since % _HOUR),
        )
        return found.at

    async def stretches(self, since: float, step: int) -> list[StretchRow]:
        """The same as `hours`, but from the rounds, in steps of some seconds; for few rounds."""
        return await self._all(
            StretchRow,
            f"""SELECT rulebook, {_STEP} AS at, left(coalesce(result, ''), 1) AS letter,
                       count(*) AS rounds, sum(hold_minor)::bigint AS kept
                FROM floor.round WHERE site = %s AND ended >= to_timestamp(%s)
                      AND NOT superseded AND void IS NULL GROUP BY 1, 2, 3""",
            *(step, step, self._site, since - since % _HOUR),
        )

    async def stretch_stakes(self, since: float, step: int) -> list[StakesRow]:
        return await self._all(
            StakesRow,
            f"""SELECT rulebook, {_STEP} AS at, one.kind AS one, two.kind AS two,
                       sum((one.totals->>'staked')::bigint)::bigint AS staked,
                       sum((one.totals->>'staked')::float8 * (two.totals->>'staked')::float8)
                       AS product
                FROM floor.round, jsonb_each(wagers) AS one (kind, totals),
                     jsonb_each(wagers) AS two (kind, totals)
                WHERE site = %s AND ended >= to_timestamp(%s) AND NOT superseded
                      AND void IS NULL AND one.kind COLLATE "C" <= two.kind COLLATE "C"
                GROUP BY 1, 2, 3, 4""",
            *(step, step, self._site, since - since % _HOUR),
        )

    # --- proof -------------------------------------------------------------------------------

    async def heads(self) -> list[HeadRow]:
        return await self._all(
            HeadRow,
            """SELECT head.table_id AS "table", head.epoch, head.seq,
                      encode(head.digest, 'hex') AS digest,
                      extract(epoch FROM head.received)::float8 AS received,
                      register.revoked IS NOT NULL AS revoked
               FROM floor.head AS head
               LEFT JOIN floor.table_register AS register USING (site, table_id)
               WHERE head.site = %s ORDER BY 1, 2""",
            self._site,
        )

    async def roots(self, most: int) -> list[RootRow]:
        return await self._all(
            RootRow,
            """SELECT extract(epoch FROM hour)::float8 AS hour, encode(root, 'hex') AS root,
                      stamp IS NOT NULL AS stamped
               FROM floor.root WHERE site = %s ORDER BY hour DESC LIMIT %s""",
            *(self._site, most),
        )

    async def archives(self, most: int) -> list[ArchiveRow]:
        return await self._all(
            ArchiveRow,
            """SELECT table_id AS "table", epoch, month, first, last, file,
                      extract(epoch FROM verified)::float8 AS verified
               FROM floor.archive WHERE site = %s
               ORDER BY month DESC, table_id, epoch, first LIMIT %s""",
            *(self._site, most),
        )

    # --- orders ------------------------------------------------------------------------------

    async def orders(self, most: int) -> list[OrderRow]:
        return await self._all(
            OrderRow,
            """SELECT id, table_id AS "table", word, who, role, seen, outcome, answer,
                      extract(epoch FROM made)::float8 AS made,
                      extract(epoch FROM answered)::float8 AS answered
               FROM floor.order_log WHERE site = %s ORDER BY made DESC LIMIT %s""",
            *(self._site, most),
        )

    async def not_taken(self, most: int) -> list[NotTakenRow]:
        return await self._all(
            NotTakenRow,
            """SELECT table_id AS "table", who, outcome, orders, seq,
                      extract(epoch FROM at)::float8 AS at
               FROM floor.order_not_taken n WHERE site = %s
               ORDER BY n.at DESC, seq DESC LIMIT %s""",
            *(self._site, most),
        )

    async def made(self, order: Order, carried: SignedOrder) -> None:
        await self._change(
            """INSERT INTO floor.order_log
                   (id, site, table_id, word, who, role, seen, made, expires, signed, signature)
               VALUES (%s, %s, %s, %s, %s, %s, %s, to_timestamp(%s), to_timestamp(%s), %s, %s)""",
            *(order.id, order.site, order.table, order.word, order.who, order.role, order.seen),
            *(order.made, order.expires, carried.order, carried.signature),
        )

    async def answered(self, id_: str, answer: OrderAnswer | None, at: float) -> None:
        outcome = "no_answer" if answer is None else answer.outcome.value
        text = None if answer is None else msgspec.json.encode(answer).decode()
        await self._change(
            """UPDATE floor.order_log
               SET outcome = %s, answer = %s::jsonb, answered = to_timestamp(%s)
               WHERE id = %s AND outcome IS NULL""",
            *(outcome, text, at, id_),
        )

    # --- people ------------------------------------------------------------------------------

    async def noted(self, what: str, who: str, text: str) -> None:
        """Stores an action of a person at a screen of the floor."""
        await self._change(
            "INSERT INTO floor.event (site, who, what, says) VALUES (%s, %s, %s, %s)",
            *(self._site, who, what, text),
        )

    async def events(self, most: int) -> list[EventRow]:
        return await self._all(
            EventRow,
            """SELECT extract(epoch FROM at)::float8 AS at, who, what, says
               FROM floor.event WHERE site = %s ORDER BY id DESC LIMIT %s""",
            *(self._site, most),
        )

    async def undelivered(self) -> list[UndeliveredRow]:
        return await self._all(
            UndeliveredRow,
            """SELECT subscriber, url, table_id AS "table", seq, tries, last_error,
                      extract(epoch FROM failing_since)::float8 AS failing_since
               FROM floor.delivery JOIN floor.subscriber ON subscriber.id = delivery.subscriber
               WHERE site = %s AND failing_since IS NOT NULL ORDER BY failing_since""",
            self._site,
        )

    # --- asking ------------------------------------------------------------------------------

    async def _all(self, row: type[Row], sql: str, *given: object) -> list[Row]:
        async with self._asked() as connection:
            cursor = connection.cursor(row_factory=struct_row(row))
            return await (await cursor.execute(sql, given)).fetchall()

    async def _change(self, sql: str, *given: object) -> int:
        async with self._asked() as connection:
            return (await connection.execute(sql, given)).rowcount

    @asynccontextmanager
    async def _asked(self) -> AsyncIterator[psycopg.AsyncConnection[tuple[Any, ...]]]:
        """The connection, for one query at a time. A database that does not answer in time counts
        as down, because every later query would wait too."""
        async with self._turn:
            try:
                async with asyncio.timeout(self._patience_s):
                    yield await self._connected()
            except TimeoutError:
                await self._lost()
                raise StoreDown(f"it has said nothing for {self._patience_s:g} s") from None
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                await self._lost()
                raise StoreDown(str(error)) from error

    async def _connected(self) -> psycopg.AsyncConnection[tuple[Any, ...]]:
        if self._connection is None or self._connection.closed:
            await finish(self._connect())  # a cancellation must not leave it open
        assert self._connection is not None
        return self._connection

    async def _connect(self) -> None:
        self._connection = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, connect_timeout=3
        )

    async def _lost(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

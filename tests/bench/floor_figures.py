"""What is derived from the records of a thousand tables, and what a page of trends costs.

Deriving is held against the rate at which a thousand tables make records. Trends read from the
hours that were counted are held against the same sums over the rounds themselves, in one run.
"""

import asyncio
import math
import sys
import time
from pathlib import Path
from typing import Any

import psycopg

from bench.targets import at_least, at_most
from controller.floor.embedded.postgres import postgres
from controller.floor.projections.projector import advance
from controller.floor.store.rows import COLUMNS, TYPES, row_of
from controller.floor.web.handlers.floor_pages import HOUR_S, by_book
from controller.floor.web.queries import WebStore
from controller.journal.audit import read
from controller.protocol.names import TableName
from controller.protocol.records import SentRecord, sent
from support.floor import journals
from support.floor.servers import made_database, made_template

SITE = "site"
TABLES = 1000
ROUNDS = 60
"""About an hour of each."""
A_SECOND = 221
"""Records of a thousand tables at their real rate."""
TIMES = 2.0
"""So much quicker than they come, at least: the rest of the machine is for the sink."""
A_ROUND = 11
STEPS = 3
SHARE = 0.1

Owner = psycopg.Connection[tuple[object, ...]]


def main(folder: Path) -> None:
    made = journals.made(folder / "journals", 4, ROUNDS)
    histories = [[sent(record) for record in read(each)] for each in made]
    with postgres(folder / "postgres") as server:
        made_template(server)
        database = made_database(server)
        with database.connect() as owner, database.connect("floor_derive") as derive:
            names = [TableName(SITE, f"bac-{number:04}") for number in range(TABLES)]
            tables = [(name, histories[n % len(histories)]) for n, name in enumerate(names)]
            for name, records in tables:
                _put(owner, name, records[: -STEPS * A_ROUND])
            owner.commit()
            owner.execute("ANALYZE floor.record")
            owner.commit()
            caught_up = _caught_up(owner, derive)
            kept_up = _kept_up(owner, derive, tables)
        asyncio.run(_trends(database.as_("floor_web")))
    _say(
        f"floor, deriving {TABLES} tables: {caught_up:,.0f} records a second behind an outage;"
        f" {kept_up:,.0f} a round at a time, {kept_up / A_SECOND:.1f} times what they make"
        f" ({at_least(kept_up / A_SECOND, TIMES)})"
    )


def _put(owner: Owner, name: TableName, records: list[SentRecord]) -> None:
    """As the sink leaves them."""
    with owner.cursor().copy(f"COPY floor.record ({COLUMNS}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(TYPES)
        for record in records:
            copy.write_row(row_of(name, 1, record))
    owner.execute(
        "INSERT INTO floor.head (site, table_id, epoch, seq, digest) VALUES (%s, %s, 1, %s, '')"
        " ON CONFLICT (site, table_id, epoch) DO UPDATE SET seq = excluded.seq",
        [*name, records[-1].seq],
    )


def _caught_up(owner: Owner, derive: psycopg.Connection[Any]) -> float:
    (before,) = owner.execute("SELECT sum(seq)::int FROM floor.head").fetchall()
    owner.commit()
    return int(str(before[0])) / _seconds_to_derive(derive)


def _kept_up(
    owner: Owner,
    derive: psycopg.Connection[Any],
    tables: list[tuple[TableName, list[SentRecord]]],
) -> float:
    """Every table ends a round, and then the next: as they come while nobody is behind."""
    seconds = 0.0
    for step in range(STEPS):
        for name, records in tables:
            first = len(records) - (STEPS - step) * A_ROUND
            _put(owner, name, records[first : first + A_ROUND])
        owner.commit()
        seconds += _seconds_to_derive(derive)
    return STEPS * A_ROUND * TABLES / seconds


def _seconds_to_derive(derive: psycopg.Connection[Any]) -> float:
    began = time.perf_counter()
    while advance(derive):
        derive.commit()
    return time.perf_counter() - began


async def _trends(conninfo: str) -> None:
    store = WebStore(conninfo, SITE)
    try:
        by_book(await store.hours(0), [])  # connected, and the book's odds are worked out
        began = time.perf_counter()
        counted = by_book(await store.hours(0), await store.stakes(0))
        hours_s = time.perf_counter() - began
        began = time.perf_counter()
        rounds = by_book(await store.stretches(0, HOUR_S), await store.stretch_stakes(0, HOUR_S))
        rounds_s = time.perf_counter() - began
    finally:
        await store.close()
    for one, other in zip(counted, rounds, strict=True):
        assert (one.rounds, one.drop, one.kept) == (other.rounds, other.drop, other.kept)
        assert math.isclose(one.chance, other.chance, rel_tol=1e-6)
    share = hours_s / rounds_s
    _say(
        f"floor, trends of {sum(each.rounds for each in counted):,} rounds: {share:.3f} of the same"
        f" sums over the rounds ({at_most(share, SHARE)})"
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

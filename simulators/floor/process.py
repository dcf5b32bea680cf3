"""One process's share of the tables: all in one loop, each at its own offset."""

import asyncio
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

from simulators.floor import journals, wire
from simulators.floor.envelope import Identity
from simulators.floor.table import SimulatedTable, Tally

ROUNDS_AN_HOUR = 65
MANY_BEFORE = 40
"""Maximum records that exist at the start, about three rounds."""
AT_ONCE = 32
"""Connections that are opened at the same time."""


@dataclass(frozen=True)
class Plan:
    """The plan of one process."""

    url: str
    site: str
    prefix: str
    first: int
    tables: int
    journals: tuple[str, ...]
    rate: float
    """Multiple of the real rate; 0: no delay."""
    start_at: float
    seconds: float
    shared: int
    certificates: str | None
    views: bool
    seed: int


async def play(plan: Plan) -> tuple[Tally, bool]:
    """Play all tables; return the tally, and whether the floor has every journal completely."""
    histories = [journals.read(Path(each)) for each in plan.journals]
    names = [f"{plan.prefix}{plan.first + n}" for n in range(plan.tables)]
    chance = random.Random(plan.seed + plan.first)
    tables = [_table(plan, name, histories, chance) for name in names]
    wires = await _wires(plan, names)
    await asyncio.gather(*(each.come_in(wires[n % len(wires)]) for n, each in enumerate(tables)))
    await asyncio.sleep(max(0.0, plan.start_at - time.time()))
    start = time.monotonic()
    until = start + plan.seconds
    await asyncio.gather(
        *(each.play(wires[n % len(wires)], start, until) for n, each in enumerate(tables))
    )
    for each in wires:
        await each.close()
    whole = Tally()
    for table in tables:
        whole.add(table.tally)
    return whole, all(each.at >= len(each.journal.records) for each in tables)


def _table(
    plan: Plan, name: str, histories: list[journals.Journal], chance: random.Random
) -> SimulatedTable:
    journal = chance.choice(histories)
    due = None
    if plan.rate:
        round_s = 3600 / ROUNDS_AN_HOUR / plan.rate
        offsets = journal.offsets(round_s)
        # Real tables are not synchronous, and all of them have dealt for a while.
        began = offsets[chance.randrange(min(MANY_BEFORE, len(offsets) // 2))]
        due = [each - began for each in offsets]
    who = Identity(plan.site, name, os.urandom(8).hex())
    return SimulatedTable(who, journal, due, plan.views)


async def _wires(plan: Plan, names: list[str]) -> list[wire.Connection]:
    folder = None if plan.certificates is None else Path(plan.certificates)
    some = asyncio.Semaphore(AT_ONCE)

    async def one(name: str) -> wire.Connection:
        async with some:
            inbox, tls = f"_INBOX.{plan.site}.{name}", wire.certificates(folder, name)
            return await wire.connected(plan.url, f"{plan.site}/{name}", inbox, tls)

    own = names if not plan.shared else names[: plan.shared]
    return list(await asyncio.gather(*map(one, own)))


def run(plan: Plan) -> tuple[Tally, bool, float]:
    """Run in a separate process; the last value is its processor time."""
    tally, whole = asyncio.run(play(plan))
    return tally, whole, time.process_time()

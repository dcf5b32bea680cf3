"""Periodic database jobs of the service besides the sink: each in a thread, repeated after an
error.

An unavailable database only delays them: the next run tries again.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from psycopg import Connection
from psycopg_pool import PoolTimeout

from controller.floor.projections import projector, unreadable_records
from controller.floor.proof import hours
from controller.floor.sink import presence
from controller.floor.sink.presence import Presence
from controller.floor.store import partitions
from controller.floor.tasks import finish
from controller.floor.webhooks.delivery import Delivering
from controller.floor.webhooks.http_sender import EgressPolicy
from controller.floor.webhooks.jobs import Hooks, Rhythm
from controller.journal.keys.signing import Signer

log = structlog.get_logger()

DERIVE_S: Final = 1.0
"""Interval of the projections without a commit that wakes them."""
PRESENCE_S: Final = 1.0
MONTHS_S: Final = 3600.0
ROOTS_S: Final = 60.0
"""Interval of the checks whether an hour has begun."""
AGAIN_S: Final = 2.0

Work: TypeAlias = Coroutine[Any, Any, None]


async def _repeat(
    name: str,
    every: float,
    conninfo: str,
    turn: Callable[[Connection[Any]], int],
    news: asyncio.Event | None = None,
) -> None:
    """Repeats a job until it is cancelled, over one connection while it lasts."""
    failing = False
    while True:
        try:
            with ExitStack() as opened:  # closes the connection after a cancellation too
                connection = await finish(asyncio.to_thread(_connect, conninfo, opened))
                while True:
                    done = await finish(asyncio.to_thread(turn, connection))
                    if failing:
                        log.info(f"{name}_goes_on")
                    failing = False
                    if not done:
                        await _rest(every, news)
        except psycopg.Error as error:
            if not failing:
                log.error(f"{name}_failed", why=str(error).strip())
            failing = True
        await asyncio.sleep(AGAIN_S)


def _connect(conninfo: str, opened: ExitStack) -> Connection[Any]:
    connection = psycopg.connect(conninfo, autocommit=True, connect_timeout=5)
    return opened.enter_context(closing(connection))


async def _rest(every: float, news: asyncio.Event | None) -> None:
    if news is None:
        await asyncio.sleep(every)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(news.wait(), every)
    news.clear()


async def derive(conninfo: str, committed: asyncio.Event) -> None:
    """Keeps projections up to date with the records, and rereads records that an earlier release
    could not read."""
    looked = False

    def turn(connection: Connection[Any]) -> int:
        nonlocal looked
        if not looked:
            for name in unreadable_records.read_again(connection):
                log.info("read_again", table=str(name))
            looked = True
        return projector.advance(connection)

    await _repeat("derive", DERIVE_S, conninfo, turn, committed)


async def watch(conninfo: str, site: str, heard: Presence, now: Callable[[], float]) -> None:
    """Stores presence, and exceptions for silent tables."""
    known = False

    def turn(connection: Connection[Any]) -> int:
        nonlocal known
        if not known:
            for each in presence.read(connection, site):
                heard.restore_beat(*each)
            known = True
        presence.write_left(connection, heard.forget_tables(presence.revoked(connection, site)))
        changes = heard.look(now())
        presence.write(connection, changes)
        heard.mark_written(changes)
        return 0

    await _repeat("presence", PRESENCE_S, conninfo, turn)


async def make_months(conninfo: str, now: Callable[[], float]) -> None:
    def turn(connection: Connection[Any]) -> int:
        made = partitions.make(connection, datetime.fromtimestamp(now(), UTC))
        if made:
            log.info("months_made", names=made)
        return 0

    await _repeat("months", MONTHS_S, conninfo, turn)


async def make_roots(
    conninfo: str, site: str, signer: Signer, stamp: Sequence[str], now: Callable[[], float]
) -> None:
    """Makes a root of all heads for every hour, and its time stamp if the site has a stamper."""

    def turn(connection: Connection[Any]) -> int:
        made = hours.make(connection, signer, site, now())
        hours.tell_ahead(connection, site, now())
        if made is not None:
            log.info("root_made", hour=made.root.hour, heads=made.root.size)
        if stamp:
            hours.stamp(connection, site, hours.by_command(stamp))
        return 0

    await _repeat("roots", ROOTS_S, conninfo, turn)


async def tell_subscribers(
    conninfo: str,
    policy: EgressPolicy,
    now: Callable[[], float],
    chance: Callable[[], float],
    rhythm: Rhythm | None = None,
) -> None:
    """Runs the webhooks, restarted after a failure of the database."""
    while True:
        try:
            await Hooks(conninfo, Delivering(policy, now, chance), rhythm or Rhythm()).run()
        except (psycopg.Error, ConnectorException, PoolTimeout) as error:
            log.error("webhooks_failed", why=type(error).__name__)
        await asyncio.sleep(AGAIN_S)

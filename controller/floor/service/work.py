"""What the service does with the database beside the sink: each in a thread, again after an error.

A database that is away stops none of it for good: the next turn tries again.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from psycopg import Connection
from psycopg_pool import PoolTimeout

from controller.floor.derive import deriving, rereading
from controller.floor.proof import hours
from controller.floor.sink import presence
from controller.floor.sink.presence import Presence
from controller.floor.store import partitions
from controller.floor.tasks import finish
from controller.floor.webhooks.delivering import Delivering
from controller.floor.webhooks.jobs import Hooks, Rhythm
from controller.floor.webhooks.sending import EgressPolicy
from controller.journal.keys.signing import Signer

log = structlog.get_logger()

DERIVE_S: Final = 1.0
"""What is derived is looked at so often where no commit says that there is something."""
PRESENCE_S: Final = 1.0
MONTHS_S: Final = 3600.0
ROOTS_S: Final = 60.0
"""Whether an hour has begun is looked at so often."""
AGAIN_S: Final = 2.0

Work: TypeAlias = Coroutine[Any, Any, None]


class LazyConnection:
    """A connection that is made when it is needed, and anew after an error."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: Connection[Any] | None = None

    def get(self) -> Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._conninfo, autocommit=True, connect_timeout=5)
        return self._connection

    def drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


async def _again_and_again(
    name: str,
    every: float,
    turn: Callable[[], int],
    kept: LazyConnection,
    news: asyncio.Event | None = None,
) -> None:
    """Until it is cancelled."""
    failing = False
    while True:
        try:
            done = await finish(asyncio.to_thread(turn))  # it uses the connection
        except psycopg.Error as error:
            kept.drop()
            if not failing:
                log.error(f"{name}_failed", why=str(error).strip())
            failing = True
            await asyncio.sleep(AGAIN_S)
            continue
        if failing:
            log.info(f"{name}_goes_on")
        failing = False
        if done:
            continue
        if news is None:
            await asyncio.sleep(every)
            continue
        with suppress(TimeoutError):
            await asyncio.wait_for(news.wait(), every)
        news.clear()


async def derive(conninfo: str, committed: asyncio.Event) -> None:
    """Keep what is derived up with the records; what an earlier release could not read is looked
    at once more."""
    kept = LazyConnection(conninfo)
    looked = False

    def turn() -> int:
        nonlocal looked
        if not looked:
            for name in rereading.read_again(kept.get()):
                log.info("read_again", table=str(name))
            looked = True
        return deriving.advance(kept.get())

    try:
        await _again_and_again("derive", DERIVE_S, turn, kept, committed)
    finally:
        kept.drop()


async def watch(conninfo: str, site: str, heard: Presence, now: Callable[[], float]) -> None:
    """Write down who is heard and who is not."""
    kept = LazyConnection(conninfo)
    known = False

    def turn() -> int:
        nonlocal known
        connection = kept.get()
        if not known:
            for each in presence.read(connection, site):
                heard.known(*each)
            known = True
        presence.write_left(connection, heard.left(presence.revoked(connection, site)))
        changes = heard.look(now())
        presence.write(connection, changes)
        heard.wrote(changes)
        return 0

    try:
        await _again_and_again("presence", PRESENCE_S, turn, kept)
    finally:
        kept.drop()


async def make_months(conninfo: str, now: Callable[[], float]) -> None:
    """Months of records, ahead."""
    kept = LazyConnection(conninfo)

    def turn() -> int:
        made = partitions.make(kept.get(), datetime.fromtimestamp(now(), UTC))
        if made:
            log.info("months_made", names=made)
        return 0

    try:
        await _again_and_again("months", MONTHS_S, turn, kept)
    finally:
        kept.drop()


async def make_roots(
    conninfo: str, site: str, signer: Signer, stamp: Sequence[str], now: Callable[[], float]
) -> None:
    """A root of all heads for every hour, and its time stamp where the site has somebody for it."""
    kept = LazyConnection(conninfo)

    def turn() -> int:
        made = hours.make(kept.get(), signer, site, now())
        hours.tell_ahead(kept.get(), site, now())
        if made is not None:
            log.info("root_made", hour=made.root.hour, heads=made.root.size)
        if stamp:
            hours.stamp(kept.get(), site, hours.by_command(stamp))
        return 0

    try:
        await _again_and_again("roots", ROOTS_S, turn, kept)
    finally:
        kept.drop()


async def tell_subscribers(
    conninfo: str,
    house: EgressPolicy,
    now: Callable[[], float],
    chance: Callable[[], float],
    rhythm: Rhythm | None = None,
) -> None:
    """Webhooks; begun anew where the database was away."""
    while True:
        try:
            await Hooks(conninfo, Delivering(house, now, chance), rhythm or Rhythm()).run()
        except (psycopg.Error, ConnectorException, PoolTimeout) as error:
            log.error("webhooks_failed", why=type(error).__name__)
        await asyncio.sleep(AGAIN_S)

"""Supervises a part of the service: an unforeseen failure is contained, reported, and the part
restarted.

The other parts continue. An unavailable database or broker is no such failure, since each part
waits for it; what ends here is a programming error.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

import psycopg
import structlog

from controller.floor.store import standing_exceptions
from controller.floor.store.standing_exceptions import StandingKind
from controller.protocol.names import TableName

log = structlog.get_logger()

FIRST_S: Final = 1.0
MAX_PAUSE_S: Final = 60.0
WELL_S: Final = 60.0
"""A part that has run for so long has recovered."""

Part = Callable[[], Coroutine[Any, Any, None]]
Connection = psycopg.Connection[Any]


class Faults:
    """Stores failed parts and an absent broker as exceptions, if the database is available; it does
    not wait for it."""

    def __init__(self, conninfo: str, site: str) -> None:
        self._conninfo = conninfo
        self._service = TableName(site, "")

    async def began(self, part: str) -> None:
        def begin(connection: Connection) -> None:
            standing_exceptions.begin(
                connection, self._service, StandingKind.FAULT, 1, what=part, part=part
            )

        await asyncio.to_thread(self._write, begin)

    async def ended(self, part: str) -> None:
        await asyncio.to_thread(self._write, partial(self._end, kind=StandingKind.FAULT, what=part))

    async def broker_lost(self) -> None:
        def begin(connection: Connection) -> None:
            standing_exceptions.begin(connection, self._service, StandingKind.NO_BROKER, 1)

        await asyncio.to_thread(self._write, begin)

    async def broker_back(self) -> None:
        await asyncio.to_thread(self._write, partial(self._end, kind=StandingKind.NO_BROKER))

    def _end(self, connection: Connection, kind: StandingKind, what: str = "") -> None:
        standing_exceptions.end(connection, [self._service], kind, what=what)

    def _write(self, write: Callable[[Connection], None]) -> None:
        try:
            with psycopg.connect(self._conninfo, connect_timeout=5) as connection:
                write(connection)
        except psycopg.Error as error:
            log.warning("fault_not_written", why=type(error).__name__)


async def supervised(name: str, part: Part, faults: Faults, first_s: float = FIRST_S) -> None:
    """Runs a part, with restarts, until it is cancelled."""
    wait, well_s = first_s, 0.0  # ends exceptions of an earlier start at once
    while True:
        began = time.monotonic()
        well = asyncio.create_task(_well_again(name, faults, well_s))
        try:
            await part()
            log.error("part_ended", part=name)
        except Exception:
            log.exception("part_failed", part=name)
        finally:
            well.cancel()
        wait, well_s = first_s if time.monotonic() - began > WELL_S else wait, WELL_S
        await faults.began(name)
        await asyncio.sleep(wait)
        wait = min(wait * 2, MAX_PAUSE_S)


async def _well_again(name: str, faults: Faults, after_s: float) -> None:
    await asyncio.sleep(after_s)
    await faults.ended(name)

"""The floor's pages as the service serves them."""

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
import structlog
from psycopg import AsyncConnection
from starlette.routing import Route

from controller.console.auth.accounts import DEMO_HASHER, SHORT_SECRET, Accounts
from controller.console.auth.login_queue import LoginQueue
from controller.console.auth.sessions import Clocks, Sessions
from controller.console.http.limits import edge, places
from controller.console.http.server import ListenAddress, bound
from controller.console.http.uvicorn_adapter import EdgeServer
from controller.floor.config import FloorConfig
from controller.floor.documents import Shelf
from controller.floor.shifts import Shifts
from controller.floor.sink.writer import StoreAway
from controller.floor.tasks import finish
from controller.floor.web.app import Watched, application, unwatched
from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import Board
from controller.floor.web.orders import Carrier, OrderSender
from controller.floor.web.people import FloorPeople
from controller.floor.web.queries import REPORT_S, StoreDown, WebStore
from controller.journal.keys.signing import Signer
from controller.protocol.names import TableName

log = structlog.get_logger()

MAX_CONNECTIONS: Final = 3200
"""Far more than the lobby's readers: guests must not take connections from staff."""


def address_of(config: FloorConfig) -> ListenAddress:
    web = config.web
    return ListenAddress(
        web.host,
        web.port,
        None if web.tls_cert is None else Path(web.tls_cert),
        None if web.tls_key is None else Path(web.tls_key),
        tuple(web.names),
    )


def context_of(
    config: FloorConfig, signer: Signer, board: Board, carrier: Carrier, pins: dict[str, str]
) -> FloorContext:
    demo = config.site.mode == "demo"
    accounts = (
        Accounts(Path(config.web.staff), DEMO_HASHER, SHORT_SECRET)
        if demo
        else Accounts(Path(config.web.staff))
    )
    store, site = WebStore(config.database.web, config.site.name), config.site.name
    people = FloorPeople(
        accounts,
        LoginQueue(accounts, time.monotonic),
        Sessions(Clocks(time.monotonic, ""), os.urandom),
        time.time,
        ScreenLog(store).note,
        secure=address_of(config).secure,
        pins=pins if demo else {},
    )
    desk = OrderSender(site, signer, carrier, store, time.time, os.urandom)
    shelf = Shelf(config.database.web, site, signer, time.time)
    reports = WebStore(config.database.web, site, REPORT_S)
    shifts = Shifts.of(config.site.zone, config.site.shifts)
    return FloorContext(
        *(site, config.site.title, board, people, store, reports, desk, shelf, time.time, shifts),
        lobby_names_dealers=config.lobby.dealers,
    )


class ScreenLog:
    """Stores what people do at the screens, in the background."""

    def __init__(self, store: WebStore) -> None:
        self._store = store
        self._under_way: set[asyncio.Task[None]] = set()

    def note(self, what: str, who: str, text: str) -> None:
        log.info("floor_noted", what=what, who=who, says=text)
        task = asyncio.get_running_loop().create_task(self._kept(what, who, text))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _kept(self, what: str, who: str, text: str) -> None:
        try:
            await self._store.noted(what, who, text)
        except StoreDown as down:
            log.warning("floor_not_noted", what=what, who=who, why=str(down))


class WebsiteFailed(Exception):
    """uvicorn has stopped with `SystemExit`, which would also end the sink."""


class Website:
    """Serves the pages in the service's own loop."""

    def __init__(
        self,
        config: FloorConfig,
        context: FloorContext,
        more: tuple[Route, ...] = (),
        guard: Watched = unwatched,
    ) -> None:
        self._address = address_of(config)
        self._listening = bound(self._address)
        self._app = application(context, self._address.hosts, more, guard)
        knows = context.people.sessions.find
        self._places = places(lambda token: knows(token) is not None, MAX_CONNECTIONS)
        host, port = self._listening.getsockname()[:2]
        self.url = f"{'https' if self._address.secure else 'http'}://{host}:{port}"

    async def run(self) -> None:
        """Serves until it is cancelled or fails; a restart gets the same address."""
        config = edge(self._app, self._places, self._address.cert, self._address.key, lifespan="on")
        server = _Uvicorn(config, lambda: None)
        listening = self._listening.dup()  # uvicorn closes its socket
        try:
            await server.serve(sockets=[listening])
        except SystemExit as gone:
            raise WebsiteFailed(f"uvicorn ended with {gone.code}") from gone
        except (Exception, asyncio.CancelledError):
            await finish(_ended(server))
            raise
        finally:
            for each in getattr(server, "servers", ()):
                each.close()
            listening.close()

    def close(self) -> None:
        self._listening.close()


async def _ended(server: EdgeServer) -> None:
    """Ends a run: pages get a notice, and everything it began has ended before another run
    begins."""
    if server.started:
        await server.shutdown()
    elif hasattr(server, "lifespan"):
        await server.lifespan.shutdown()


class _Uvicorn(EdgeServer):
    """A server without signal handlers: the service has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Bearers:
    """The tokens of tables that send by HTTPS, read for each request."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connection: AsyncConnection[tuple[Any, ...]] | None = None
        self._turn = asyncio.Lock()

    async def of(self, name: TableName) -> bytes | None:
        async with self._turn:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = await AsyncConnection.connect(
                        self._conninfo, autocommit=True, connect_timeout=3
                    )
                found = await self._connection.execute(
                    "SELECT bearer FROM floor.table_register WHERE (site, table_id) = (%s, %s)",
                    [*name],
                )
                row = await found.fetchone()
            except psycopg.Error as error:
                await self.close()
                raise StoreAway(str(error).strip()) from error
        return None if row is None else row[0]

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

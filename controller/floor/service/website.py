"""The floor's pages as the service serves them."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any, Final

import psycopg
import structlog
import uvicorn
from psycopg import AsyncConnection
from starlette.routing import Route

from controller.console.auth.accounts import DEMO_HASHER, SHORT_SECRET, Accounts
from controller.console.auth.sessions import Clocks, Sessions
from controller.console.auth.turns import Turns
from controller.console.http.listening import MESSAGE_BYTES_MOST, ListeningSocket
from controller.console.http.serving import ListenAddress, bound
from controller.floor.config import FloorConfig
from controller.floor.documents import Shelf
from controller.floor.sink.writer import StoreAway
from controller.floor.web.app import application
from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import Board
from controller.floor.web.orders import Carrier, OrderDesk
from controller.floor.web.people import People
from controller.floor.web.queries import StoreDown, WebStore
from controller.journal.keys.signing import Signer
from controller.protocol.names import TableName

log = structlog.get_logger()

GOODBYE_S: Final = 3


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
    people = People(
        accounts,
        Turns(accounts, time.monotonic),
        Sessions(Clocks(time.time, time.monotonic, ""), os.urandom),
        time.time,
        Notes(store).note,
        secure=address_of(config).secure,
        pins=pins if demo else {},
    )
    desk = OrderDesk(site, signer, carrier, store, time.time, os.urandom)
    shelf = Shelf(config.database.web, site, signer)
    return FloorContext(site, config.site.title, board, people, store, desk, shelf, time.time)


class Notes:
    """Writes down what people do at the screens, without anybody waiting for it."""

    def __init__(self, store: WebStore) -> None:
        self._store = store
        self._under_way: set[asyncio.Task[None]] = set()

    def note(self, what: str, who: str, says: str) -> None:
        log.info("floor_noted", what=what, who=who, says=says)
        task = asyncio.get_running_loop().create_task(self._kept(what, who, says))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _kept(self, what: str, who: str, says: str) -> None:
        try:
            await self._store.noted(what, who, says)
        except StoreDown as down:
            log.warning("floor_not_noted", what=what, who=who, why=str(down))


class Website:
    """Serves in the service's own loop."""

    def __init__(self, config: FloorConfig, context: FloorContext, more: tuple[Route, ...]) -> None:
        address = address_of(config)
        self._listening = bound(address)
        host, port = self._listening.getsockname()[:2]
        self.url = f"{'https' if address.secure else 'http'}://{host}:{port}"
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(context, address.hosts, more),
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="on",
                ws=ListeningSocket,
                ws_max_size=MESSAGE_BYTES_MOST,
                timeout_graceful_shutdown=GOODBYE_S,
                ssl_certfile=config.web.tls_cert,
                ssl_keyfile=config.web.tls_key,
            )
        )

    async def run(self) -> None:
        # Signals are the service's.
        self._server.capture_signals = _nothing  # type: ignore[method-assign,assignment]
        await self._server.serve(sockets=[self._listening])

    async def stop(self) -> None:
        self._server.should_exit = True
        await asyncio.sleep(0)


class _nothing:  # noqa: N801  # stands where uvicorn has a context manager
    def __enter__(self) -> None:
        return None

    def __exit__(self, *gone: object) -> None:
        return None


class Bearers:
    """Tokens of tables that send by HTTPS, looked up for each request."""

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

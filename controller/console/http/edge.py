"""The web's edge: places for connections, feeds that only listen, patience that ends.

The same for a table's console and for the floor's pages.
"""

import asyncio
import resource
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

import uvicorn
from starlette.types import ASGIApp
from websockets.exceptions import InvalidState
from websockets.http11 import Request
from websockets.protocol import State

from controller.console.data.feeds import LINE
from controller.console.data.staff_priority import StaffPriority
from controller.console.http import connections
from controller.console.http.connections import Connections, HttpConnection
from controller.console.http.listening import MESSAGE_BYTES_MOST, ListeningSocket

GOODBYE_S: Final = 3
ACCEPTED_AT_ONCE: Final = 4
"""Connections taken before those that are there are looked at again."""
ACCEPT_QUEUE: Final = 2048
"""Connections that the kernel keeps until they are taken: one too many would come again seconds
later."""
OTHER_FILES: Final = 200
"""What the process has open besides connections: devices, journal, logs."""


class FeedSocket(ListeningSocket):
    """A feed's connection, at its place. Its own goodbye may cross the reader's, which uvicorn
    does not expect and would end its whole shutdown over."""

    places: ClassVar[Connections]

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    def takes_more(self) -> bool:
        return (
            self.conn.state is State.OPEN
            and not self.transport.is_closing()
            and not self.transport.get_write_buffer_size()
        )

    def write_frames(self, frames: bytes) -> None:
        self.transport.write(frames)

    def hang_up(self) -> None:
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})

    def connection_lost(self, exc: Exception | None) -> None:
        self.places.gone(self.transport)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        try:
            super().shutdown()
        except InvalidState:
            self.transport.abort()


class EdgeServer(uvicorn.Server):
    """Says when it serves, and is not waited for by whoever does not shake hands."""

    def __init__(self, config: uvicorn.Config, serves: Callable[[], None]) -> None:
        super().__init__(config)
        self._serves = serves

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self.config.is_ssl:  # whoever does not shake hands would else be waited for a minute
            loop = asyncio.get_running_loop()
            patient = partial(loop.create_server, ssl_handshake_timeout=connections.HEADER_S)
            loop.create_server = patient  # type: ignore[method-assign]
        await super().startup(sockets)
        for each in sockets or ():  # asyncio has one figure for both
            each.listen(ACCEPT_QUEUE)
        self._serves()


def places(
    knows: Callable[[str], bool], most: int, first: StaffPriority | None = None
) -> Connections:
    """`most` of them, or as many as there are files to be had for."""
    has, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if has != resource.RLIM_INFINITY and has < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return Connections(knows, wanted - OTHER_FILES, first)


def edge(
    app: ASGIApp, at: Connections, cert: Path | None, key: Path | None, **more: Any
) -> uvicorn.Config:
    own = {"places": at}
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=type("Http", (HttpConnection,), own),
        ws=type("Socket", (FeedSocket,), own),
        backlog=ACCEPTED_AT_ONCE,
        ws_max_size=MESSAGE_BYTES_MOST,
        timeout_graceful_shutdown=GOODBYE_S,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ssl_certfile=None if cert is None else str(cert),
        ssl_keyfile=None if key is None else str(key),
        **more,
    )

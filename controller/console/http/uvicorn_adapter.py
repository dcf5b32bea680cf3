"""Extensions of uvicorn's undocumented classes; no other module uses these.

Uvicorn accepts custom protocol classes by its documented settings `http` and `ws`, and has no
documented base for them. Connection limits, time-outs and the order of service apply before the
first byte is parsed. ASGI cannot express them, because it begins with a whole request. So these
classes extend uvicorn's own and read their attributes.

Written for the release below. A test fails under any other one: then read uvicorn's changes of
`protocols/http/h11_impl.py`, `protocols/websockets/websockets_sansio_impl.py` and `server.py`, run
the tests of floods, raw requests and TLS, and write the new release here.
"""

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request
from websockets.protocol import State

from controller.console.auth.client_origin import place_of_address
from controller.console.data.feeds import LINE
from controller.console.http.connections import (
    BODY_S,
    HEADER_S,
    LOOKED_AT_S,
    Connections,
    ReaderBudget,
)

WRITTEN_FOR: Final = "0.54.0"
ACCEPT_QUEUE: Final = 2048
"""Connections that the kernel queues until they are accepted; a client beyond that retries seconds
later."""
MAX_MESSAGE_BYTES: Final = 4096
_TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class HttpConnection(H11Protocol):
    """One connection until it becomes a feed's; it gives up its place when no request arrives."""

    places: ClassVar[Connections]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._phase: tuple[object, int] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._unheard = 0
        """Bytes received that wait to be parsed."""
        self._staff = False
        self._between = False
        """One request has been answered, and the next one is awaited."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = place_of_address(self.client[0] if self.client else "")
        if self.places.admit(transport, address):
            self._look()
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._staff = self._staff or self.places.staff(data)
        self._in_turn(partial(self._take, data))

    def handle_events(self) -> None:
        """Handles pipelined requests one by one, with other work between them."""
        if self._between and self.conn.trailing_data[0]:
            self._in_turn(super().handle_events)
        else:
            super().handle_events()

    def _in_turn(self, hear: Callable[[], None]) -> None:
        self._unheard += 1
        if self._staff and self._unheard == 1:
            self._hear(hear)
        else:
            self.transport.pause_reading()  # unparsed data stays with the sender
            self.places.later(self.loop, partial(self._hear, hear))

    def _hear(self, hear: Callable[[], None]) -> None:
        self._unheard -= 1
        if not self.transport.is_closing():
            hear()
            self._look()
            self._read_on()

    def _take(self, data: bytes) -> None:
        protocol = self.transport.get_protocol()
        if protocol is self:
            super().data_received(data)
        else:  # it has become a feed in the meantime
            protocol.data_received(data)  # type: ignore[attr-defined]

    def _read_on(self) -> None:
        """Resumes reading, unless the application has paused it."""
        protocol = self.transport.get_protocol()
        full = (
            self.flow.read_paused if protocol is self else getattr(protocol, "read_paused", False)
        )
        if not self._unheard and not full:
            self.transport.resume_reading()

    def on_response_complete(self) -> None:
        self._between = True
        super().on_response_complete()
        self._between = False
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_timer()
        self.places.works(self.transport)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self.places.gone(self.transport)
        super().connection_lost(exc)

    def _look(self) -> None:
        """Sets the time-out for the current state."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        phase = (self.conn.their_state, id(self.cycle))
        if phase == self._phase:
            return
        self._phase = phase
        self._stop_timer()
        awaited = {h11.IDLE: HEADER_S, h11.SEND_BODY: BODY_S}.get(self.conn.their_state)
        if awaited is None:
            self.places.works(self.transport)
            return
        idle = self.cycle is not None and self.conn.their_state is h11.IDLE
        if not self._staff:
            self.places.waits(self.transport, fresh=not idle)
        self._late = self.loop.call_later(awaited, self._too_late, idle)

    def _too_late(self, idle: bool) -> None:
        """Handles a time-out. A thousand connections may time out together, so each is handled in
        its own turn."""
        self.places.later(self.loop, partial(self._give_up, self._phase, idle))

    def _give_up(self, phase: tuple[object, int] | None, idle: bool) -> None:
        if phase != self._phase or self.transport.is_closing():
            return  # it has continued or closed
        if self._unheard:  # the data arrived in time and only waits to be parsed
            self._late = self.loop.call_later(LOOKED_AT_S, self._too_late, idle)
            return
        if not idle and (self.cycle is None or not self.cycle.response_started):
            self.transport.write(_TOO_LATE)
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class FeedSocket(WebSocketsSansIOProtocol):
    """A feed's connection. It drops a reader that sends more than necessary, before parsing. Its
    close frame may cross the reader's, which uvicorn does not expect and which would stop its
    shutdown."""

    places: ClassVar[Connections]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._budget = ReaderBudget(self.loop.time())

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self._budget.takes(len(data), self.loop.time()):
            self.transport.abort()
        else:
            super().data_received(data)

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
    """A server that reports when it serves, with a short time-out for TLS handshakes."""

    def __init__(self, config: uvicorn.Config, serves: Callable[[], None]) -> None:
        super().__init__(config)
        self._serves = serves

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self.config.is_ssl:  # asyncio's default time-out for a handshake is a minute
            loop = asyncio.get_running_loop()
            patient = partial(loop.create_server, ssl_handshake_timeout=HEADER_S)
            loop.create_server = patient  # type: ignore[method-assign]
        await super().startup(sockets)
        for each in sockets or ():  # asyncio uses one number for both
            each.listen(ACCEPT_QUEUE)
        self._serves()

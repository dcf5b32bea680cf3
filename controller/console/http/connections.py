"""Connections: who keeps a place when more people come than there are places.

Whoever has not sent a whole request holds a place on sufferance: for seconds, and only until it is
needed. A flood of half-sent requests therefore drops itself, oldest first, and never somebody whose
request is being answered or who reads the feed. No other address than the table takes many places,
and the last ones are kept for the table. Whoever is signed in is heard at once; of all the others a
few at a time are, with everybody else's turn between them, and not while a word of staff is carried
out.
"""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.console.auth.places import TABLE, place_of_address
from controller.console.data.staff_priority import HELD_BACK_MOST, HELD_BACK_S, StaffPriority

HEADER_S: Final = 5.0
"""From a connection, or from an answer, to the last line of a request's headers."""
BODY_S: Final = 5.0
"""From there to the end of its body: the largest takes milliseconds."""
LOOKED_AT_S: Final = 1.0
"""How much longer whoever sent in time is waited for until it was looked at."""
CONNECTIONS_MOST: Final = 1200
KEPT_FOR_TABLE: Final = 100
PER_ADDRESS_MOST: Final = 100
_TOKEN: Final = re.compile(rb"sabot(?:-floor)?=([0-9a-f]{64})")
"""A session's cookie, wherever it stands: it is looked up, and only believed by the handlers."""

_TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Connections:
    """Every connection of one server; lives on the web's loop."""

    def __init__(
        self,
        knows: Callable[[str], bool],
        most: int = CONNECTIONS_MOST,
        first: StaffPriority | None = None,
    ) -> None:
        self._knows = knows
        """Whether a token is a session's."""
        self._most = most
        self._first = first or StaffPriority()
        self._held_back = 0
        self._strangers: deque[Callable[[], None]] = deque()
        self._held: dict[asyncio.Transport, str] = {}
        self._of: Counter[str] = Counter()
        self._fresh: dict[asyncio.Transport, None] = {}
        """Have not sent one whole request, the oldest first."""
        self._idle: dict[asyncio.Transport, None] = {}
        """Have sent some, and nothing since."""

    def __len__(self) -> int:
        return len(self._held)

    def admit(self, transport: asyncio.Transport, address: str) -> bool:
        """A place, if need be somebody's who only waits; false where there is none."""
        crowded = address != TABLE and self._of[address] >= PER_ADDRESS_MOST
        if crowded and not self._make_room(lambda each: self._held[each] == address):
            return False
        most = self._most if address == TABLE else self._most - KEPT_FOR_TABLE
        if len(self._held) >= most and not self._make_room(
            lambda each: address == TABLE or self._held[each] != TABLE
        ):
            return False
        self._held[transport] = address
        self._of[address] += 1
        self._fresh[transport] = None
        return True

    def waits(self, transport: asyncio.Transport, *, fresh: bool) -> None:
        self.works(transport)
        if transport in self._held:
            (self._fresh if fresh else self._idle)[transport] = None

    def staff(self, data: bytes) -> bool:
        """Whether somebody who is signed in asks."""
        found = _TOKEN.search(data)
        return found is not None and self._knows(found[1].decode())

    def later(self, loop: asyncio.AbstractEventLoop, hear: Callable[[], None]) -> None:
        """When its turn comes, in the order they came."""
        self._strangers.append(hear)
        if len(self._strangers) == 1:
            loop.call_soon(self._hear, loop)

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._first.speaking and self._held_back < HELD_BACK_MOST:
            self._held_back += 1
            loop.call_later(HELD_BACK_S, self._hear, loop)
            return
        self._held_back = 0
        try:
            self._strangers[0]()
        finally:  # whatever one of them has sent, the others have their turn
            self._strangers.popleft()
            if self._strangers:
                loop.call_soon(self._hear, loop)

    def works(self, transport: asyncio.Transport) -> None:
        """A request is being answered, or a feed read: nobody takes this place."""
        self._fresh.pop(transport, None)
        self._idle.pop(transport, None)

    def gone(self, transport: asyncio.Transport) -> None:
        self.works(transport)
        address = self._held.pop(transport, None)
        if address is not None:
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def _make_room(self, whose: Callable[[asyncio.Transport], bool]) -> bool:
        for each in chain(self._fresh, self._idle):
            if whose(each):
                self.gone(each)
                each.abort()
                return True
        return False


class HttpConnection(H11Protocol):
    """One connection until it becomes a feed's: gives up its place when no request comes of it."""

    places: ClassVar[Connections]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._phase: tuple[object, int] | None = None
        self._late: asyncio.TimerHandle | None = None
        self._unheard = 0
        """What has come and waits for its turn."""
        self._staff = False
        self._between = False
        """One request has been answered, and the next one is looked for."""

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
        """Of requests that came in one piece each has a turn of its own."""
        if self._between and self.conn.trailing_data[0]:
            self._in_turn(super().handle_events)
        else:
            super().handle_events()

    def _in_turn(self, hear: Callable[[], None]) -> None:
        self._unheard += 1
        if self._staff and self._unheard == 1:
            self._hear(hear)
        else:
            self.transport.pause_reading()  # what nobody has looked at yet stays with the sender
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
        else:  # it has become a feed meanwhile
            protocol.data_received(data)  # type: ignore[attr-defined]

    def _read_on(self) -> None:
        """Unless whoever has the bytes now wants no more for the moment."""
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
        """What is waited for now, and until when."""
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
        """A thousand that came at once are late at once: each has its turn, and others between."""
        self.places.later(self.loop, partial(self._give_up, self._phase, idle))

    def _give_up(self, phase: tuple[object, int] | None, idle: bool) -> None:
        if phase != self._phase or self.transport.is_closing():
            return  # it has gone on meanwhile, or away
        if self._unheard:  # it came in time; that nobody has looked yet is not the sender's fault
            self._late = self.loop.call_later(LOOKED_AT_S, self._too_late, idle)
            return
        if not idle and (self.cycle is None or not self.cycle.response_started):
            self.transport.write(_TOO_LATE)
        self.transport.close()

    def _stop_timer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

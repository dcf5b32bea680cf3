"""Connection limits: which connection keeps a place when all places are taken.

A connection without a whole request keeps its place for seconds, and only until another needs it. A
flood of half-sent requests therefore drops itself, oldest first, and never a connection whose
request is being answered or that reads the feed. Addresses other than the table get few places
each, and the last places are reserved for the table. Signed-in staff are served at once. Other
requests are served a few at a time with other work between them, and wait while a staff command is
carried out.
"""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Callable
from itertools import chain
from typing import Final

from controller.console.auth.client_origin import TABLE
from controller.console.data.staff_priority import HELD_BACK_S, MAX_HELD_BACK, StaffPriority

HEADER_S: Final = 5.0
"""Time-out from a connection, or from an answer, to the last line of a request's headers."""
BODY_S: Final = 5.0
"""Time-out from there to the end of the body: the largest takes milliseconds."""
LOOKED_AT_S: Final = 1.0
"""Extra time for data that arrived in time and waits to be parsed."""
MAX_CONNECTIONS: Final = 1200
KEPT_FOR_TABLE: Final = 100
MAX_PER_ADDRESS: Final = 100
MAX_READER_BYTES: Final = 1024
"""Bytes that a reader may send at once: pongs, pings of its own, a close frame."""
READER_BYTES_PER_S: Final = 16.0
"""Bytes that a reader may send in the long run: two of the smallest frames a second."""
_TOKEN: Final = re.compile(rb"sabot(?:-floor)?=([0-9a-f]{64})")
"""A session's cookie anywhere in a request. A match only gives priority; handlers authenticate."""


class Connections:
    """All connections of one server; used only from the event loop."""

    def __init__(
        self,
        knows: Callable[[str], bool],
        most: int = MAX_CONNECTIONS,
        first: StaffPriority | None = None,
    ) -> None:
        self._knows = knows
        """Returns whether a token belongs to a session."""
        self._most = most
        self._first = first or StaffPriority()
        self._held_back = 0
        self._strangers: deque[Callable[[], None]] = deque()
        self._held: dict[asyncio.Transport, str] = {}
        self._of: Counter[str] = Counter()
        self._fresh: dict[asyncio.Transport, None] = {}
        """Connections without a whole request so far, the oldest first."""
        self._idle: dict[asyncio.Transport, None] = {}
        """Connections that have sent requests and are idle now."""

    def __len__(self) -> int:
        return len(self._held)

    def admit(self, transport: asyncio.Transport, address: str) -> bool:
        """Takes a place, if necessary from a waiting connection; returns false where there is
        none."""
        crowded = address != TABLE and self._of[address] >= MAX_PER_ADDRESS
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
        """Whether a signed-in person sends the request."""
        found = _TOKEN.search(data)
        return found is not None and self._knows(found[1].decode())

    def later(self, loop: asyncio.AbstractEventLoop, hear: Callable[[], None]) -> None:
        """Queues work of a connection in order of arrival."""
        self._strangers.append(hear)
        if len(self._strangers) == 1:
            loop.call_soon(self._hear, loop)

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._first.speaking and self._held_back < MAX_HELD_BACK:
            self._held_back += 1
            loop.call_later(HELD_BACK_S, self._hear, loop)
            return
        self._held_back = 0
        try:
            self._strangers[0]()
        finally:  # an error of one must not stop the others
            self._strangers.popleft()
            if self._strangers:
                loop.call_soon(self._hear, loop)

    def works(self, transport: asyncio.Transport) -> None:
        """Marks a connection as busy: its place is not taken away."""
        self._fresh.pop(transport, None)
        self._idle.pop(transport, None)

    def gone(self, transport: asyncio.Transport) -> None:
        self.works(transport)
        address = self._held.pop(transport, None)
        if address is not None:
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]

    def _make_room(self, owner: Callable[[asyncio.Transport], bool]) -> bool:
        for each in chain(self._fresh, self._idle):
            if owner(each):
                self.gone(each)
                each.abort()
                return True
        return False


class ReaderBudget:
    """Limits what a feed's reader may send: otherwise a hundred readers that send empty frames
    could occupy the event loop."""

    def __init__(self, now: float) -> None:
        self._left = float(MAX_READER_BYTES)
        self._at = now

    def takes(self, count: int, now: float) -> bool:
        regained = (now - self._at) * READER_BYTES_PER_S
        self._left, self._at = min(MAX_READER_BYTES, self._left + regained) - count, now
        return self._left >= 0

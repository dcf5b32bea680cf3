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
from itertools import chain
from typing import Final

from controller.console.auth.client_origin import TABLE
from controller.console.data.staff_priority import HELD_BACK_S, MAX_HELD_BACK, StaffPriority

HEADER_S: Final = 5.0
"""From a connection, or from an answer, to the last line of a request's headers."""
BODY_S: Final = 5.0
"""From there to the end of its body: the largest takes milliseconds."""
LOOKED_AT_S: Final = 1.0
"""How much longer whoever sent in time is waited for until it was looked at."""
MAX_CONNECTIONS: Final = 1200
KEPT_FOR_TABLE: Final = 100
MAX_PER_ADDRESS: Final = 100
MAX_READER_BYTES: Final = 1024
"""What a reader may send at once: answers to our pings, pings of its own, a goodbye."""
READER_BYTES_PER_S: Final = 16.0
"""And in the long run: two of the smallest frames."""
_TOKEN: Final = re.compile(rb"sabot(?:-floor)?=([0-9a-f]{64})")
"""A session's cookie, wherever it stands: it is looked up, and only believed by the handlers."""


class Connections:
    """Every connection of one server; lives on the web's loop."""

    def __init__(
        self,
        knows: Callable[[str], bool],
        most: int = MAX_CONNECTIONS,
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
        """Whether somebody who is signed in asks."""
        found = _TOKEN.search(data)
        return found is not None and self._knows(found[1].decode())

    def later(self, loop: asyncio.AbstractEventLoop, hear: Callable[[], None]) -> None:
        """When its turn comes, in the order they came."""
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

    def _make_room(self, owner: Callable[[asyncio.Transport], bool]) -> bool:
        for each in chain(self._fresh, self._idle):
            if owner(each):
                self.gone(each)
                each.abort()
                return True
        return False


class ReaderBudget:
    """How much a feed's reader may send: a hundred that send empty frames as fast as they can would
    else be all that the web's loop comes to."""

    def __init__(self, now: float) -> None:
        self._left = float(MAX_READER_BYTES)
        self._at = now

    def takes(self, count: int, now: float) -> bool:
        regained = (now - self._at) * READER_BYTES_PER_S
        self._left, self._at = min(MAX_READER_BYTES, self._left + regained) - count, now
        return self._left >= 0

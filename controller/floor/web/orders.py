"""Orders: commands of a person at the floor's page to one table.

An order is stored and signed before it is sent, with its sender and what they had seen; the table's
answer is stored next to it. No order is made for a table that is away: nothing is queued.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

import msgspec

from controller.floor.web.queries import StoreDown
from controller.journal.bodies import Given
from controller.journal.keys.signing import Signer
from controller.protocol.names import TableName
from controller.protocol.orders import LIVES_S, Order, OrderAnswer, SignedOrder, signed

MAY: Final = ("limits", "close_table", "stay_open", "method", "approve", "refuse")
"""The commands that a floor can send at all. Cards, counts, corrections and exposures need people
at the table. Each table also has its own list, and judges each order."""


class Carrier(Protocol):
    """The connection to a table."""

    async def carry(self, to: TableName, order: SignedOrder) -> OrderAnswer | None:
        """Sends an order; returns the table's answer, or None if there was none in time."""


class OrderLog(Protocol):
    """The log that stores orders before they are sent."""

    async def made(self, order: Order, carried: SignedOrder) -> None: ...
    async def answered(self, id_: str, answer: OrderAnswer | None, at: float) -> None:
        """Stores an answer once; a stored answer is never changed. Raises `StoreDown`."""


class OrderAuthor(msgspec.Struct, frozen=True):
    who: str
    role: str


class NotCarried(Exception):
    """Why an order was not made."""


class Answered(NamedTuple):
    """An answer that waits to be stored in the log."""

    order: str
    answer: OrderAnswer | None
    at: float


class OrderSender:
    """Makes, signs, stores and sends orders; returns the table's answers."""

    def __init__(
        self,
        site: str,
        signer: Signer,
        carrier: Carrier,
        log: OrderLog,
        wall: Callable[[], float],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._site = site
        self._signer = signer
        self._carrier = carrier
        self._log = log
        self._wall = wall
        self._entropy = entropy
        self._unwritten: deque[Answered] = deque()

    async def say(
        self,
        table: str,
        word: str,
        given: Given,
        speaker: OrderAuthor,
        seen: int,
        reason: str | None = None,
    ) -> OrderAnswer | None:
        """Sends a command. None: it is unknown whether the table received it; its records will
        show."""
        if word not in MAY:
            raise NotCarried(f"{word!r} is not carried from the floor: only {', '.join(MAY)}")
        order = self._order(table, word, given, speaker, seen, reason)
        carried = signed(order, self._signer)
        await self._log.made(order, carried)
        answer = await self._carrier.carry(TableName(self._site, table), carried)
        self._unwritten.append(Answered(order.id, answer, self._wall()))
        with suppress(StoreDown):  # the answer is valid before it is in the log
            await self.write_answers()
        return answer

    async def write_answers(self) -> None:
        """Stores waiting answers in the log. Raises `StoreDown`."""
        while self._unwritten:
            first = self._unwritten[0]
            await self._log.answered(first.order, first.answer, first.at)
            if self._unwritten and self._unwritten[0] is first:  # another task may have stored it
                self._unwritten.popleft()

    def _order(
        self,
        table: str,
        word: str,
        given: Given,
        speaker: OrderAuthor,
        seen: int,
        reason: str | None,
    ) -> Order:
        now = self._wall()
        return Order(
            id=self._entropy(16).hex(),
            site=self._site,
            table=table,
            word=word,
            who=speaker.who,
            role=speaker.role,
            seen=seen,
            made=now,
            expires=now + LIVES_S,
            given=given,
            reason=reason,
        )

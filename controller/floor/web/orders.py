"""Orders: a person's word from the floor's page to one table.

Who spoke and what they had seen is written down and signed before it leaves; the table's answer is
written next to it. An order for a table that is away is not made: nothing is queued for anybody.
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
"""What a floor carries at the most. Cards, counts, corrections and exposures need eyes at the
table; each table has its own list besides, and judges."""


class Carrier(Protocol):
    """The wire to a table."""

    async def carry(self, to: TableName, order: SignedOrder) -> OrderAnswer | None:
        """The table's answer; None where there was none in time."""


class OrderLog(Protocol):
    """Where orders are kept before they leave."""

    async def made(self, order: Order, carried: SignedOrder) -> None: ...
    async def answered(self, id_: str, answer: OrderAnswer | None, at: float) -> None:
        """Once: what was answered stays as it is. Raises `StoreDown`."""


class OrderAuthor(msgspec.Struct, frozen=True):
    who: str
    role: str


class NotCarried(Exception):
    """Why an order was not even made."""


class Answered(NamedTuple):
    """What the log has still to be told."""

    order: str
    answer: OrderAnswer | None
    at: float


class OrderSender:
    """Makes, signs, sends and writes down; answers what the table said."""

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
        """None: nobody knows whether the table has heard it; its records will show."""
        if word not in MAY:
            raise NotCarried(f"{word!r} is not carried from the floor: only {', '.join(MAY)}")
        order = self._order(table, word, given, speaker, seen, reason)
        carried = signed(order, self._signer)
        await self._log.made(order, carried)
        answer = await self._carrier.carry(TableName(self._site, table), carried)
        self._unwritten.append(Answered(order.id, answer, self._wall()))
        with suppress(StoreDown):  # what the table said is so, whether or not it is in the log yet
            await self.write_answers()
        return answer

    async def write_answers(self) -> None:
        """Into the log, as soon as it takes them. Raises `StoreDown`."""
        while self._unwritten:
            first = self._unwritten[0]
            await self._log.answered(first.order, first.answer, first.at)
            if self._unwritten and self._unwritten[0] is first:  # somebody else's turn came first
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

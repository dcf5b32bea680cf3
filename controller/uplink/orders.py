"""Orders from the floor: commands of people, judged as if they were given at the table.

Everything that can be checked without the table is checked first: signature, table, time, earlier
answers, and whether the command may come from the floor. Then the table judges it by its own rows,
for the record that the person had seen. Every rejected order is noted (`notes`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from controller.journal.bodies import Given, step_of
from controller.journal.records import STEP, Record
from controller.protocol.names import TableName
from controller.protocol.orders import LIVES_S, Order, OrderAnswer, OrderOutcome, SignedOrder
from controller.protocol.unreadable import UNREADABLE
from controller.runtime.client import Busy, MovedOn, Stopped, TableClient
from controller.table.commands.message import FLOOR, Message, has_unprintable_text, typed_payload
from controller.table.commands.registry import MAX_NAME, REGISTRY, STAFF
from controller.uplink.notes import Notes
from controller.views.answers import StepAnswer

MAX_ORDER_BYTES: Final = 16 * 1024
CLOCKS_APART_S: Final = 5.0
"""Maximum lag of the table's clock behind the floor's."""
ANSWER_S: Final = 10.0
IDS_KEPT: Final = 4096
"""More than can arrive while any of them is still valid."""

_ABOUT: Final = {
    "close_table": ("close_after",),
    "stay_open": ("close_after",),
    "limits": ("limits",),
    "method": ("method",),
}
"""Commands that change one thing in any phase. A person who has seen that thing in its current
state may change it, even if a card came meanwhile."""

log = structlog.get_logger()


class OrderNotTaken(Exception):
    """An order that was rejected before the table judged it."""

    def __init__(self, outcome: OrderOutcome, order: Order | None = None, seq: int = 0) -> None:
        super().__init__(outcome.value)
        self.outcome = outcome
        self.order = order
        self.seq = seq


@dataclass(frozen=True)
class OrderRules:
    """The floor key and the commands that are accepted."""

    name: TableName
    floor_key: bytes
    may: frozenset[str]


class AnsweredOrders:
    """The ids of answered orders, with the record of each; 0 while one is in progress."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, int] = OrderedDict()

    def recall(self, records: Iterable[Record]) -> None:
        """Restore the ids of the floor's orders from the journal after a restart."""
        for record in records:
            if record.kind == STEP and b'"via":' in record.body:
                line = step_of(record).line
                if line.via == FLOOR and line.key:
                    self.keep(line.key, record.seq)

    def before(self, order_id: str) -> int | None:
        return self._ids.get(order_id)

    def keep(self, order_id: str, seq: int = 0) -> None:
        self._ids[order_id] = seq
        while len(self._ids) > IDS_KEPT:
            self._ids.popitem(last=False)


class OrderReceiver:
    """Receives orders for one table. Used from the uplink's loop alone."""

    def __init__(
        self,
        rules: OrderRules,
        client: TableClient,
        wall: Callable[[], float],
        answered: AnsweredOrders,
        notes: Notes,
    ) -> None:
        self._rules = rules
        self._client = client
        self._wall = wall
        self._answered = answered
        self._notes = notes

    async def answer(self, signed: SignedOrder | None) -> OrderAnswer:
        """The table's answer; `None` if the bytes are not an order."""
        order = None
        try:
            order = self._checked(signed)
            self._answered.keep(order.id)
            reply = await self._told(order)
        except OrderNotTaken as not_taken:
            order = not_taken.order or order
            self._note(not_taken.outcome, order)
            return OrderAnswer(order.id if order else "", not_taken.outcome, not_taken.seq)
        self._answered.keep(order.id, reply.seq)
        return _answer_of(order, reply)

    def _checked(self, signed: SignedOrder | None) -> Order:
        """Validate an order before the table is asked."""
        rules = self._rules
        if signed is None or len(signed.order) > MAX_ORDER_BYTES:
            raise OrderNotTaken(OrderOutcome.FORGED)
        if not signed.is_by(rules.floor_key):
            raise OrderNotTaken(OrderOutcome.FORGED)
        try:
            order = msgspec.json.decode(signed.order, type=Order)
        except UNREADABLE:
            raise OrderNotTaken(OrderOutcome.NOT_A_WORD) from None
        if TableName(order.site, order.table) != rules.name:
            raise OrderNotTaken(OrderOutcome.WRONG_TABLE, order)
        if (seq := self._answered.before(order.id)) is not None:
            raise OrderNotTaken(OrderOutcome.REPLAYED, order, seq)
        if not _in_time(order, self._wall()):
            self._answered.keep(order.id)  # setting the clock back does not make it valid again
            raise OrderNotTaken(OrderOutcome.EXPIRED, order)
        self._is_a_word(order)
        return order

    def _is_a_word(self, order: Order) -> None:
        message_type = REGISTRY.get(order.word)
        named = all(0 < len(text) <= MAX_NAME for text in (order.id, order.who))
        plain = named and not has_unprintable_text([order.who, order.id, order.given])
        if message_type is None or not plain:
            raise OrderNotTaken(OrderOutcome.NOT_A_WORD, order)
        if order.word not in self._rules.may or message_type.speakers != STAFF:
            raise OrderNotTaken(OrderOutcome.NOT_FROM_FLOOR, order)

    async def _told(self, order: Order) -> StepAnswer:
        message = Message(
            "staff",
            typed_payload(order.word, _given(order)),
            at=self._wall(),
            who=order.who,
            role=order.role,
            key=order.id,
            via=FLOOR,
        )
        seen = self._seen(order)
        log.info("floor_order", word=order.word, who=order.who, id=order.id)
        try:
            asked = self._client.ask(message, seen)
            async with asyncio.timeout(ANSWER_S):
                return await asyncio.wrap_future(asked)
        except (Busy, TimeoutError):
            raise OrderNotTaken(OrderOutcome.BUSY) from None
        except Stopped:
            raise OrderNotTaken(OrderOutcome.STOPPED) from None
        except MovedOn:
            raise OrderNotTaken(OrderOutcome.MOVED_ON) from None

    def _seen(self, order: Order) -> int | None:
        """The part of the state that must be unchanged; None if the command depends on none."""
        snapshots = self._client.snapshots
        latest = snapshots.latest
        if latest is not None and order.seen > latest.seq:
            raise OrderNotTaken(
                OrderOutcome.MOVED_ON
            )  # the person cannot have seen a state that does not exist yet
        if (about := _ABOUT.get(order.word)) is None:
            return order.seen
        if snapshots.has_changed(order.seen, about):
            raise OrderNotTaken(OrderOutcome.MOVED_ON)
        return None

    def _note(self, outcome: OrderOutcome, order: Order | None) -> None:
        """Note a rejected order; an unsigned order gets no actor."""
        log.warning("floor_order_not_taken", outcome=outcome.value)
        named = order is not None and not has_unprintable_text(order.who)
        who = order.who[:MAX_NAME] if order is not None and named else FLOOR
        self._notes.note(outcome, who)


def _in_time(order: Order, now: float) -> bool:
    """Whether the order is valid now, for a minute at most. An order from the future is rejected
    like an old one: with a clock far ahead it would stay valid for long."""
    return order.made - CLOCKS_APART_S <= now <= order.expires <= order.made + LIVES_S


def _given(order: Order) -> Given:
    """The command's fields, with the reason if it has one."""
    takes = {each.encode_name for each in msgspec.structs.fields(REGISTRY[order.word].struct)}
    if order.reason is None or "reason" not in takes or "reason" in order.given:
        return order.given
    return {**order.given, "reason": order.reason}


def _answer_of(order: Order, reply: StepAnswer) -> OrderAnswer:
    if reply.accepted:
        return OrderAnswer(order.id, OrderOutcome.ACCEPTED, reply.seq)
    return OrderAnswer(
        order.id,
        OrderOutcome.REFUSED,
        reply.seq,
        code=reply.code,
        text=reply.reason or "",
        clause=reply.clause,
    )

"""A table's side of the wire in its least form, over real NATS, with a link that may go wrong."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import msgspec
import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.protocol.names import TableName
from controller.protocol.records import Batch, BatchVerdict, Watermark
from support.floor.tables import Sender

TIMEOUT_S = 1.0


async def _nothing(error: Exception) -> None:
    """Reconnects fail for a while, and that is expected."""


async def client(url: str) -> Client:
    return await nats.connect(
        url, error_cb=_nothing, max_reconnect_attempts=-1, reconnect_time_wait=0.05
    )


@dataclass
class Link:
    """How a link treats what is sent over it."""

    random: Random
    lost: float = 0.0
    """Of requests, and of answers."""
    doubled: float = 0.0
    delayed: float = 0.0
    stale: float = 0.0
    """A batch of long ago comes once more."""
    timeout_s: float = TIMEOUT_S
    sent_before: list[bytes] = field(default_factory=list)

    def happens(self, chance: float) -> bool:
        return self.random.random() < chance


async def ask(wire: Client, name: TableName, said: bytes, timeout_s: float) -> Msg:
    """By one connection for many tables: each is answered where that table alone may listen."""
    inbox = f"{name.inbox}.{wire.new_inbox().rpartition('.')[2]}"
    heard = await wire.subscribe(inbox, max_msgs=1)
    try:
        await wire.publish(name.records, said, reply=inbox)
        return await heard.next_msg(timeout_s)
    finally:
        await heard.unsubscribe()


async def request(wire: Client, batch: Batch, link: Link) -> Watermark | None:
    """None: nobody answered in time, or the answer was lost."""
    said = msgspec.msgpack.encode(batch)
    subject, nowhere = batch.name.records, f"{batch.name.inbox}.nobody"
    if link.happens(link.delayed):
        await asyncio.sleep(link.random.random() * 0.05)
    try:
        if link.sent_before and link.happens(link.stale):
            await wire.publish(subject, link.random.choice(link.sent_before), reply=nowhere)
        if link.happens(link.doubled):
            await wire.publish(subject, said, reply=nowhere)
        link.sent_before = [*link.sent_before, said][-20:]
        if link.happens(link.lost):
            return None
        answer = await ask(wire, batch.name, said, link.timeout_s)
    except (NatsError, TimeoutError, OSError):
        return None
    if link.happens(link.lost) or not answer.data:  # nobody listens there
        return None
    return msgspec.msgpack.decode(answer.data, type=Watermark)


async def send_until(
    sender: Sender, wire: Client, link: Link, done: Callable[[], bool], pause_s: float = 0.02
) -> None:
    """Send what there is, again where nobody answered, until `done`."""
    while not done():
        batch = sender.next_batch()
        if batch is None:
            await asyncio.sleep(pause_s)
            continue
        instance = sender.instance
        mark = await request(wire, batch, link)
        if sender.instance != instance:  # it was started anew: the answer was for the one before
            continue
        if mark is None:
            sender.lost()
            await asyncio.sleep(pause_s)
            continue
        sender.heard(mark)
        if mark.verdict is BatchVerdict.REFUSED:
            await asyncio.sleep(pause_s * 3)

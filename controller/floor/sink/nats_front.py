"""Receives records by NATS: a request on a table's own subject, answered after the commit.

The broker stores and acknowledges nothing. It lets a table publish under its own name only, so the
subject identifies the sender; a batch with another name is rejected.
"""

import asyncio
from typing import Final

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.floor.sink.collector import Collector
from controller.floor.sink.writer import refusal
from controller.journal.keys.signing import Signer
from controller.protocol.names import BadName, TableName, of_subject
from controller.protocol.records import Batch, Refusal, Watermark
from controller.protocol.unreadable import UNREADABLE

log = structlog.get_logger()

QUEUE: Final = "sink"
"""The queue group in which several sinks share the requests."""
PENDING_MB: Final = 256


class NatsFront:
    def __init__(self, client: Client, site: str, collector: Collector, signer: Signer) -> None:
        self._client = client
        self._site = site
        self._collector = collector
        self._signer = signer
        self._decode = msgspec.msgpack.Decoder(Batch).decode
        self._encode = msgspec.msgpack.Encoder().encode
        self._answering: set[asyncio.Task[None]] = set()
        self._astray: set[TableName] = set()
        """Tables with a reply subject outside their permissions."""

    async def start(self) -> None:
        await self._client.subscribe(
            f"tbl.{self._site}.*.rec",
            queue=QUEUE,
            cb=self._requested,
            pending_bytes_limit=PENDING_MB * 1024 * 1024,
        )

    async def _requested(self, message: Msg) -> None:
        try:
            name = of_subject(message.subject)
        except BadName:
            return
        reply = message.reply
        if not name.awaits(reply):
            if name not in self._astray:  # log once: the table may repeat it for ever
                self._astray.add(name)
                log.warning("reply_elsewhere", table=str(name), reply=reply)
            return
        try:
            batch = self._decode(message.data)
        except UNREADABLE:
            self._answer(reply, refusal(self._signer, name, Refusal.NOT_A_BATCH))
            return
        if batch.name != name:
            self._answer(reply, refusal(self._signer, name, Refusal.NOT_YOUR_NAME))
            return
        self._collector.offer(batch, lambda mark: self._answer(reply, mark))

    def _answer(self, reply: str, mark: Watermark) -> None:
        task = asyncio.get_running_loop().create_task(self._publish(reply, self._encode(mark)))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _publish(self, reply: str, data: bytes) -> None:
        try:
            await self._client.publish(reply, data)
        except Exception as error:  # noqa: BLE001  # the client retries
            log.warning("answer_not_sent", why=type(error).__name__)

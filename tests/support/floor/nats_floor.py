"""A model floor behind a real broker: it answers like a sink, keeps what it hears, and can lie."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.protocol.documents import DocumentRequest, Documents, SignedDocument
from controller.protocol.live import Beat, LiveView
from controller.protocol.orders import Order, OrderAnswer, SignedOrder, signed
from controller.protocol.records import Batch, Watermark
from support.floor.model_floor import FLOOR, NAME, ModelFloor

LIMIT_S = 30.0


class NatsFloor:
    """Runs in a thread of its own, connected to the broker at `url`."""

    def __init__(self, url: str) -> None:
        self.floor = ModelFloor()
        self.heard: list[bytes] = []
        """Every byte that came, of whatever kind."""
        self.batches: list[Batch] = []
        self.beats: list[Beat] = []
        self.views: list[LiveView] = []
        self.answer: Callable[[Batch], Watermark | None] = self.floor.judge
        """`None`: it says nothing."""
        self.documents: list[SignedDocument] = []
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._client = Client()

    def __enter__(self) -> "NatsFloor":
        self._thread.start()
        self._do(self._connect()).result(LIMIT_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._client.close()).result(LIMIT_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)
        self._loop.close()

    def order(self, order: Order) -> OrderAnswer:
        return self.send(signed(order, FLOOR))

    def send(self, order: SignedOrder) -> OrderAnswer:
        return self.send_raw(msgspec.msgpack.encode(order))

    def send_raw(self, data: bytes) -> OrderAnswer:
        asked = self._do(self._client.request(NAME.orders, data, LIMIT_S)).result(LIMIT_S)
        self.heard.append(asked.data)
        return msgspec.msgpack.decode(asked.data, type=OrderAnswer)

    def until(self, there: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT_S
        while not there():
            assert time.monotonic() < end, "it never came to that"
            time.sleep(0.01)

    def _do(self, doing: "asyncio._CoroutineLike[object]") -> "Future[object]":
        return asyncio.run_coroutine_threadsafe(doing, self._loop)

    async def _connect(self) -> None:
        await self._client.connect(self._url, error_cb=_quiet)
        await self._client.subscribe(NAME.records, cb=self._records)
        await self._client.subscribe(NAME.beat, cb=self._beat)
        await self._client.subscribe(NAME.live, cb=self._live)
        await self._client.subscribe(NAME.documents, cb=self._documents)

    async def _records(self, message: Msg) -> None:
        self.heard.append(message.data)
        batch = msgspec.msgpack.decode(message.data, type=Batch)
        self.batches.append(batch)
        answer = self.answer(batch)
        if answer is not None:
            await message.respond(msgspec.msgpack.encode(answer))

    async def _documents(self, message: Msg) -> None:
        self.heard.append(message.data)
        asked = msgspec.msgpack.decode(message.data, type=DocumentRequest)
        newer = [e for e in self.documents if e.version > asked.have.get(e.kind.value, 0)]
        await message.respond(msgspec.msgpack.encode(Documents(tuple(newer))))

    async def _beat(self, message: Msg) -> None:
        self.heard.append(message.data)
        self.beats.append(msgspec.msgpack.decode(message.data, type=Beat))

    async def _live(self, message: Msg) -> None:
        self.heard.append(message.data)
        self.views.append(msgspec.msgpack.decode(message.data, type=LiveView))


async def _quiet(error: Exception) -> None:
    del error

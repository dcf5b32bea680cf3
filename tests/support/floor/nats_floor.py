"""A model floor behind a real broker: it answers like a sink, keeps what it hears, and can lie."""

import time
from collections.abc import Callable

import msgspec

from controller.protocol.documents import DocumentRequest, Documents, SignedDocument
from controller.protocol.live import Beat, LiveView
from controller.protocol.orders import Order, OrderAnswer, SignedOrder, signed
from controller.protocol.records import Batch, Watermark
from support.floor.broker_client import LIMIT_S, BrokerClient
from support.floor.model_floor import FLOOR, NAME, ModelFloor


class NatsFloor:
    """Connected to the broker at `url` until the block ends."""

    def __init__(self, url: str) -> None:
        self.floor = ModelFloor()
        self.heard: list[bytes] = []
        """Every byte that came, of whatever kind."""
        self.batches: list[Batch] = []
        self.beats: list[Beat] = []
        self.views: list[LiveView] = []
        self.answer: Callable[[Batch], Watermark | bytes | None] = self.floor.judge
        """`None`: it says nothing; bytes are sent as they are."""
        self.documents: list[SignedDocument] = []
        self._client = BrokerClient(url)

    def __enter__(self) -> "NatsFloor":
        self._client.__enter__()
        self._client.answers(NAME.records, self._records)
        self._client.answers(NAME.beat, self._beat)
        self._client.answers(NAME.live, self._live)
        self._client.answers(NAME.documents, self._documents)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.__exit__()

    def order(self, order: Order) -> OrderAnswer:
        return self.send(signed(order, FLOOR))

    def send(self, order: SignedOrder) -> OrderAnswer:
        answer = self._client.asks(NAME.orders, msgspec.msgpack.encode(order))
        self.heard.append(answer)
        return msgspec.msgpack.decode(answer, type=OrderAnswer)

    def until(self, there: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT_S
        while not there():
            assert time.monotonic() < end, "it never came to that"
            time.sleep(0.01)

    def _records(self, _: str, data: bytes) -> bytes | None:
        self.heard.append(data)
        batch = msgspec.msgpack.decode(data, type=Batch)
        self.batches.append(batch)
        answer = self.answer(batch)
        if answer is None or isinstance(answer, bytes):
            return answer
        return msgspec.msgpack.encode(answer)

    def _documents(self, _: str, data: bytes) -> bytes:
        self.heard.append(data)
        asked = msgspec.msgpack.decode(data, type=DocumentRequest)
        newer = [e for e in self.documents if e.version > asked.have.get(e.kind.value, 0)]
        return msgspec.msgpack.encode(Documents(tuple(newer)))

    def _beat(self, _: str, data: bytes) -> None:
        self.heard.append(data)
        self.beats.append(msgspec.msgpack.decode(data, type=Beat))

    def _live(self, _: str, data: bytes) -> None:
        self.heard.append(data)
        self.views.append(msgspec.msgpack.decode(data, type=LiveView))

"""A client of a real broker for tests that are not asynchronous, in a thread of its own."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S
Answering = Callable[[str, bytes], bytes | None]
"""From subject and data to the answer; `None`: it says nothing."""


class BrokerClient:
    """Connected until the block ends."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._client = Client()

    def __enter__(self) -> "BrokerClient":
        self._thread.start()
        self._do(self._client.connect(self._url, error_cb=_quiet))
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)
        self._loop.close()

    def answers(self, subject: str, answering: Answering) -> None:
        async def heard(message: Msg) -> None:
            answer = answering(message.subject, message.data)
            if answer is not None and message.reply:
                await message.respond(answer)

        async def listen() -> None:
            await self._client.subscribe(subject, cb=heard)
            await self._client.flush()

        self._do(listen())

    def asks(self, subject: str, data: bytes) -> bytes:
        """The answer, as soon as somebody listens there: a table may only just have connected."""
        end = time.monotonic() + LIMIT_S
        while True:
            try:
                return bytes(self._do(self._client.request(subject, data, LIMIT_S)).data)
            except NoRespondersError:
                assert time.monotonic() < end, f"nobody answers {subject}"
                time.sleep(0.01)

    def _do(self, doing: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(LIMIT_S)


async def _quiet(error: Exception) -> None:
    del error

"""The latest view of each table, which the brokers keep in memory for late subscribers.

New messages of tables come by subscription (`nats_listener`); the stored views are read once after
every connection, for what was missed. Restarted brokers have neither the views nor the stream: the
stream is made again, and tables send their views again by themselves.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import NotFoundError

from controller.protocol.names import LIVE_STREAM, LIVE_SUBJECTS

log = structlog.get_logger()

AGAIN_S: Final = 2.0
TRIES: Final = 15
"""Restarted brokers may not answer for their streams yet; some have none at all."""
NEXT_S: Final = 5.0
AT_ONCE: Final = 256

Take = Callable[[Msg], Awaitable[None]]


class LiveViews:
    def __init__(self, client: Client, site: str, take: Take) -> None:
        self._client = client
        self._subject = f"tbl.{site}.*.live"
        self._take = take
        self._missed = asyncio.Event()

    def look_again(self) -> None:
        """Requests another catch-up after a reconnection."""
        self._missed.set()

    async def catch_up(self) -> bool:
        """Reads the stored views; returns whether the brokers store views."""
        self._missed.clear()
        try:
            await self._make_stream()
            await self._read_kept()
        except (NatsError, TimeoutError) as error:
            log.warning("no_live_stream", why=type(error).__name__)
            return False
        return True

    async def run(self) -> None:
        """Catches up after each connection, until it is cancelled."""
        while True:
            await self._missed.wait()
            for _ in range(TRIES):
                if await self.catch_up():
                    break
                await asyncio.sleep(AGAIN_S)

    async def _make_stream(self) -> None:
        """Makes the stream. It must capture nothing else: a stream that captured a request would
        answer it."""
        stream = self._client.jetstream()
        try:
            await stream.stream_info(LIVE_STREAM)
        except NotFoundError:
            await stream.add_stream(
                StreamConfig(
                    name=LIVE_STREAM,
                    subjects=[LIVE_SUBJECTS],
                    storage=StorageType.MEMORY,
                    retention=RetentionPolicy.LIMITS,
                    max_msgs_per_subject=1,
                )
            )

    async def _read_kept(self) -> None:
        reading = await self._client.jetstream().pull_subscribe(
            self._subject,
            stream=LIVE_STREAM,
            config=ConsumerConfig(
                deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
                ack_policy=AckPolicy.NONE,
                mem_storage=True,
            ),
        )
        try:
            left = (await reading.consumer_info()).num_pending or 0
            while left > 0:
                for message in await reading.fetch(min(left, AT_ONCE), NEXT_S):
                    await self._take(message)
                    left -= 1
        finally:
            await reading.unsubscribe()

"""The link to a floor behind a NATS broker: requests for records and documents, the rest is
published.

The client's own reconnecting is not used: it would send its buffered messages before the floor's
position is known. A lost connection is closed, and a new one is made.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error, MaxPayloadError, NoRespondersError
from nats.errors import TimeoutError as NatsTimeout

from controller.protocol.names import TableName
from controller.uplink.links.link import CONNECT_S, Access, Answering, LinkDown, NoAnswer, within

FLUSH_S: Final = 5.0
PENDING_BYTES: Final = 1024 * 1024
"""Bytes that may wait for a slow broker: enough for a batch and a view, not for a history."""

_DOWN: Final = (Error, OSError, asyncio.IncompleteReadError, EOFError)

log = structlog.get_logger()


class NatsLink:
    """`nats://` without TLS, `tls://` with certificates on both sides."""

    packs = True

    def __init__(self, access: Access, name: TableName) -> None:
        self._access = access
        self._name = name
        self._client: Client | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def up(self) -> bool:
        return self._client is not None and self._client.is_connected

    async def connect(self, orders: Answering) -> None:
        await self.close()
        access, name = self._access, self._name
        tls = access.tls() if access.scheme == "tls" else None
        client = Client()
        self._client = client
        connecting = client.connect(
            access.url,
            name=str(name),
            tls=tls,
            inbox_prefix=name.inbox,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=int(CONNECT_S),
            ping_interval=20,
            pending_size=PENDING_BYTES,
            error_cb=_noted,
        )
        try:
            await within(CONNECT_S * 2, connecting, "connecting to the broker")
            await client.subscribe(name.orders, cb=_answering(orders))
        except _DOWN as error:
            raise LinkDown(_why(error)) from error

    async def ask(self, what: str, data: bytes, timeout_s: float) -> bytes:
        client = self._connected()
        try:
            return bytes((await client.request(self._subject(what), data, timeout_s)).data)
        except (NatsTimeout, NoRespondersError, MaxPayloadError) as error:
            raise NoAnswer(_why(error)) from error
        except _DOWN as error:
            raise LinkDown(_why(error)) from error

    async def tell(self, what: str, data: bytes) -> None:
        client = self._connected()
        try:
            await client.publish(self._subject(what), data)
            await client.flush(int(FLUSH_S))
        except _DOWN as error:
            raise LinkDown(_why(error)) from error

    async def close(self) -> None:
        """Close the connection; if cancelled, closing continues and the next call waits for it."""
        client, self._client = self._client, None
        if client is not None and not client.is_closed:
            self._closing = asyncio.create_task(_close(client))
        if self._closing is not None:
            await asyncio.shield(self._closing)

    def _connected(self) -> Client:
        if self._client is None or not self._client.is_connected:
            raise LinkDown("the connection to the broker was lost")
        return self._client

    def _subject(self, what: str) -> str:
        return f"tbl.{self._name.site}.{self._name.table}.{what}"


async def _close(client: Client) -> None:
    try:
        await within(FLUSH_S, client.close(), "closing")
    except (*_DOWN, LinkDown) as error:
        log.debug("floor_link", closing=str(error))


async def _noted(error: Exception) -> None:
    """Log the client's error; the client would write a stack trace for each failed attempt."""
    log.debug("floor_link", says=_why(error))


def _answering(orders: Answering) -> Callable[[Msg], Awaitable[None]]:
    async def heard(message: Msg) -> None:
        answer = await orders(message.data)
        if message.reply:
            await message.respond(answer)

    return heard


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__

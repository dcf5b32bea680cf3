"""The floor's connection to the brokers, kept up through all their failures."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from controller.floor.config import NatsSettings
from controller.floor.tasks import end, finish
from controller.protocol.names import TableName
from controller.protocol.orders import OrderAnswer, SignedOrder
from controller.protocol.unreadable import UNREADABLE

log = structlog.get_logger()

Told = Callable[[], Awaitable[None]]

AGAIN_S: Final = 1
FOREVER: Final = -1
ORDER_S: Final = 5.0
"""Time-out of an answer to an order; the order itself lives longer."""
CLOSE_S: Final = 5.0


async def connected(config: NatsSettings, name: str, lost: Told, back: Told) -> Client:
    """Connects; raises `OSError` or `NatsError` if a broker refuses. After a later loss it
    reconnects by itself."""
    client = Client()
    was_connected = False

    async def report_lost() -> None:
        if was_connected:  # the library calls it after a failed attempt too
            await lost()

    try:
        await client.connect(
            config.servers,
            name=name,
            tls=_tls(config),
            error_cb=_failed,
            disconnected_cb=report_lost,
            reconnected_cb=back,
            # The library never retries after a failed handshake: it waits for the end of a
            # transport that TLS has replaced.
            allow_reconnect=False,
            max_reconnect_attempts=FOREVER,
            reconnect_time_wait=AGAIN_S,
            # Detect a dead link within seconds, not minutes.
            ping_interval=5,
            pending_size=64 * 1024 * 1024,
        )
    except BaseException:
        await close(client)
        raise
    client.options["allow_reconnect"] = was_connected = True
    return client


async def close(client: Client) -> None:
    """Closes the transport, and waits for its end if one is to come (see `connected`)."""
    closing = asyncio.create_task(client.close())
    await finish(asyncio.wait([closing], timeout=CLOSE_S))
    await end(closing)


def _tls(config: NatsSettings) -> ssl.SSLContext | None:
    if config.ca is None and config.cert is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=config.ca)
    if config.cert is not None:
        context.load_cert_chain(config.cert, config.key)
    return context


async def _failed(error: Exception) -> None:
    """Logs one line; the library's default is a stack trace."""
    log.warning("broker_error", kind=type(error).__name__)


class NatsCarrier:
    """Sends an order to one table while there is a broker; nothing is queued for an absent one."""

    def __init__(self) -> None:
        self.client: Client | None = None

    async def carry(self, to: TableName, order: SignedOrder) -> OrderAnswer | None:
        if self.client is None:
            return None
        try:
            answer = await self.client.request(to.orders, msgspec.msgpack.encode(order), ORDER_S)
            return msgspec.msgpack.decode(answer.data, type=OrderAnswer)
        except (NatsError, TimeoutError, *UNREADABLE) as error:
            log.warning("order_not_answered", table=str(to), why=type(error).__name__)
            return None

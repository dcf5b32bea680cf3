"""Connections to the broker: one for each table, as real ones have, or a few shared ones."""

import asyncio
import ssl
from pathlib import Path

from nats.aio.client import Client
from nats.errors import Error, NoRespondersError
from nats.errors import TimeoutError as NatsTimeout

from simulators.floor.table import NoAnswer

AGAIN_S = 0.5


class Connection:
    """A connection that reconnects by itself; a message sent meanwhile has no answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def ask(self, subject: str, data: bytes, timeout_s: float) -> bytes:
        try:
            return bytes((await self._client.request(subject, data, timeout_s)).data)
        except (NatsTimeout, NoRespondersError) as error:
            raise NoAnswer(str(error)) from error
        except (Error, OSError) as error:
            await asyncio.sleep(AGAIN_S)
            raise NoAnswer(str(error)) from error

    async def tell(self, subject: str, data: bytes) -> None:
        try:
            if self._client.is_connected:
                await self._client.publish(subject, data)
        except (Error, OSError):
            return

    async def close(self) -> None:
        await self._client.close()


def certificates(folder: Path | None, table: str) -> ssl.SSLContext | None:
    """Return the TLS context of a table's certificates, from a folder of its name as `sabot floor
    enrol` writes it."""
    if folder is None:
        return None
    own = folder / table
    made = ssl.create_default_context(cafile=str(own / "floor-ca.crt"))
    made.load_cert_chain(own / "floor.crt", own / "floor.key")
    return made


async def connected(url: str, name: str, inbox: str, tls: ssl.SSLContext | None) -> Connection:
    client = Client()
    await client.connect(
        url,
        name=name,
        tls=tls,
        inbox_prefix=inbox,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        error_cb=_quiet,
    )
    return Connection(client)


async def _quiet(error: Exception) -> None:
    """Ignore the errors of a broker that is killed on purpose."""
    del error

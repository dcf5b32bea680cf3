"""Publishes exceptions as they open and close, to all subscribers of `floor.SITE.alert`."""

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
import psycopg
import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from controller.messages.sentence import Param
from controller.protocol.alerts import Alert
from controller.protocol.names import alerts_of

log = structlog.get_logger()

EVERY_S: Final = 1.0
_QUERY: Final = (
    "SELECT id, site, table_id, kind, what, code, gaps::text, text, clause, role, severity,"
    " extract(epoch FROM since)::float8, extract(epoch FROM closed)::float8 FROM floor.exception"
    " WHERE site = %s AND (closed IS NULL OR id = ANY(%s))"
)


class Alerts:
    def __init__(self, client: Client, site: str, conninfo: str) -> None:
        self._client = client
        self._site = site
        self._conninfo = conninfo
        self._open: set[int] = set()

    async def run(self) -> None:
        """Publishes until it is cancelled; first the exceptions that are already open."""
        while True:
            with suppress(psycopg.Error, NatsError):
                await self._tell_until_it_fails()
            await asyncio.sleep(EVERY_S)

    async def _tell_until_it_fails(self) -> None:
        async with await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, connect_timeout=3
        ) as connection:
            while True:
                await self._tell(connection)
                await asyncio.sleep(EVERY_S)

    async def _tell(self, connection: "psycopg.AsyncConnection[tuple[Any, ...]]") -> None:
        rows = await (await connection.execute(_QUERY, [self._site, list(self._open)])).fetchall()
        for row in rows:
            alert = _alert(row)
            closed = alert.closed is not None
            if closed or alert.id not in self._open:
                await self._client.publish(alerts_of(self._site), _packed(alert))
            if closed:
                self._open.discard(alert.id)
            else:
                self._open.add(alert.id)


def _alert(row: tuple[Any, ...]) -> Alert:
    id_, site, table, kind, what, code, params, text, clause, role, severity, since, closed = row
    filled = msgspec.json.decode(params, type=dict[str, Param])
    return Alert(
        id_, site, table, kind, what, code, filled, text, clause, role, severity, since, closed
    )


def _packed(alert: Alert) -> bytes:
    """Encodes an alert. A table may have sent a number that the format does not accept: then the
    alert has no parameters."""
    try:
        return msgspec.msgpack.encode(alert)
    except OverflowError:
        return msgspec.msgpack.encode(msgspec.structs.replace(alert, params={}))

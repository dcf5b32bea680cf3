"""Receives records by HTTPS, for a site without a broker: the same sink, a batch as JSON in one
request.

A table authenticates with the token from its enrolment, over TLS.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from controller.floor.sink.collector import Collector
from controller.floor.sink.writer import StoreAway, refusal
from controller.journal.keys.signing import Signer
from controller.protocol.names import BadName, TableName, checked
from controller.protocol.records import Batch, Refusal, Watermark
from controller.protocol.unreadable import UNREADABLE

PATH: Final = "/floor/records"
MAX_BODY: Final = 8 * 1024 * 1024

BearerOf = Callable[[TableName], Awaitable[bytes | None]]
"""Looks up the SHA-256 of a table's token; None: it has no token, or is not enrolled. Raises
`StoreAway`."""


class HttpsFront:
    def __init__(
        self, site: str, collector: Collector, signer: Signer, bearer_of: BearerOf
    ) -> None:
        self._site = site
        self._collector = collector
        self._signer = signer
        self._bearer_of = bearer_of
        self._decode = msgspec.json.Decoder(Batch).decode

    @property
    def routes(self) -> list[Route]:
        return [Route(PATH, self._posted, methods=["POST"])]

    async def _posted(self, request: Request) -> Response:
        body = await limited(request)
        if body is None:
            return Response(status_code=413)
        try:
            batch = self._decode(body)
            name = checked(batch.site, batch.table)
        except (*UNREADABLE, BadName):
            return Response(status_code=400)
        try:
            own = await self.is_by(request, name)
        except StoreAway:
            return _said(refusal(self._signer, name, Refusal.TRY_LATER), 503)
        if not own:
            return _said(refusal(self._signer, name, Refusal.NOT_YOUR_NAME), 403)
        mark = await self._committed(batch)
        return _said(mark, 503 if mark.why is Refusal.TRY_LATER else 200)

    async def is_by(self, request: Request, name: TableName) -> bool:
        """Whether the request comes from this table of our site; raises `StoreAway`."""
        if name.site != self._site:
            return False
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        wanted = await self._bearer_of(name)
        if scheme.lower() != "bearer" or wanted is None:
            return False
        return hmac.compare_digest(hashlib.sha256(token.encode()).digest(), wanted)

    async def _committed(self, batch: Batch) -> Watermark:
        answered: asyncio.Future[Watermark] = asyncio.get_running_loop().create_future()

        def answer(mark: Watermark) -> None:
            if not answered.done():  # the client may be gone
                answered.set_result(mark)

        self._collector.offer(batch, answer)
        return await answered


async def limited(request: Request) -> bytes | None:
    """The body of a request; None if it is too long or the client has disconnected."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > MAX_BODY:
                return None
    except ClientDisconnect:
        return None
    return bytes(body)


def _said(mark: Watermark, status: int) -> Response:
    return Response(msgspec.json.encode(mark), status, media_type="application/json")

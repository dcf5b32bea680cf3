"""Messages other than records from tables without a broker: the same types, one request each.

The floor cannot push to such a table. An order waits here for the table's next beat, a few seconds
at most, and goes out in the answer; the table posts the outcome. An order that the table does not
collect in time expires: nothing is queued.
"""

import asyncio
from typing import Final, TypeVar

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.floor.service.nats_listener import Hearing
from controller.floor.sink.https_front import HttpsFront, limited
from controller.floor.sink.writer import StoreAway
from controller.floor.web.orders import Carrier
from controller.protocol.documents import DocumentRequest
from controller.protocol.live import Beat, LiveView
from controller.protocol.names import PATHS, BadName, TableName, checked
from controller.protocol.orders import Order, OrderAnswer, Orders, SignedOrder
from controller.protocol.unreadable import UNREADABLE

WAITS_S: Final = 8.0
"""Slightly more than three beats."""
_REMEMBERED: Final = 60.0

Told = TypeVar("Told", Beat, LiveView, DocumentRequest)

log = structlog.get_logger()


class _Waiting(msgspec.Struct):
    order: SignedOrder
    answered: "asyncio.Future[OrderAnswer]"
    given: bool = False


class HttpsRooms:
    """Passes orders to tables that poll, and forwards orders for all other tables."""

    def __init__(self, otherwise: Carrier) -> None:
        self._otherwise = otherwise
        self._seen: dict[TableName, float] = {}
        self._waiting: dict[TableName, dict[str, _Waiting]] = {}

    async def carry(self, to: TableName, order: SignedOrder) -> OrderAnswer | None:
        loop = asyncio.get_running_loop()
        if loop.time() - self._seen.get(to, float("-inf")) > _REMEMBERED:
            return await self._otherwise.carry(to, order)
        id_ = msgspec.json.decode(order.order, type=Order).id
        mine = self._waiting.setdefault(to, {})
        mine[id_] = _Waiting(order, loop.create_future())
        try:
            return await asyncio.wait_for(mine[id_].answered, WAITS_S)
        except TimeoutError:
            log.warning("order_not_answered", table=str(to), why="it did not come for it")
            return None
        finally:
            mine.pop(id_, None)

    def pending_orders(self, name: TableName) -> Orders:
        """The waiting orders for a table's beat, each once."""
        self._seen[name] = asyncio.get_running_loop().time()
        found = [each for each in self._waiting.get(name, {}).values() if not each.given]
        for each in found:
            each.given = True
        return Orders(tuple(each.order for each in found))

    def given_to(self, id_: str) -> TableName | None:
        """The table that has an order and has not answered it yet."""
        found = (name for name, mine in self._waiting.items() if id_ in mine and mine[id_].given)
        return next(found, None)

    def answered(self, name: TableName, answer: OrderAnswer) -> None:
        waiting = self._waiting.get(name, {}).get(answer.id)
        if waiting is not None and not waiting.answered.done():
            waiting.answered.set_result(answer)


class HttpsListening:
    """Receives beats, views, document requests and answers by HTTPS, each with the token of its
    table."""

    def __init__(self, door: HttpsFront, hearing: Hearing, rooms: HttpsRooms) -> None:
        self._door = door
        self._hearing = hearing
        self._rooms = rooms

    @property
    def routes(self) -> list[Route]:
        found = {
            "beat": self._beat,
            "live": self._live,
            "doc": self._documents,
            "answer": self._answer,
        }
        return [Route(PATHS[what], handler, methods=["POST"]) for what, handler in found.items()]

    async def _beat(self, request: Request) -> Response:
        beat = await self._read(request, Beat)
        if isinstance(beat, Response):
            return beat
        self._hearing.beat(beat)
        return _said(self._rooms.pending_orders(TableName(beat.site, beat.table)))

    async def _live(self, request: Request) -> Response:
        view = await self._read(request, LiveView)
        if isinstance(view, Response):
            return view
        self._hearing.live(view)
        return Response(status_code=204)

    async def _documents(self, request: Request) -> Response:
        asked = await self._read(request, DocumentRequest)
        if isinstance(asked, Response):
            return asked
        found = await self._hearing.documents(asked)
        return Response(status_code=503) if found is None else _said(found)

    async def _answer(self, request: Request) -> Response:
        """Stores an answer, which names its order; only the table that got the order may answer."""
        body = await limited(request)
        try:
            answer = msgspec.json.decode(body or b"", type=OrderAnswer)
        except UNREADABLE:
            return Response(status_code=400)
        name = self._rooms.given_to(answer.id)
        if name is None:  # too late: the order has expired
            return Response(status_code=204)
        refused = await self._refused(request, name)
        if refused is not None:
            return refused
        self._rooms.answered(name, answer)
        return Response(status_code=204)

    async def _read(self, request: Request, kind: type[Told]) -> Told | Response:
        body = await limited(request)
        if body is None:
            return Response(status_code=413)
        try:
            answer = msgspec.json.decode(body, type=kind)
            name = checked(answer.site, answer.table)
        except (*UNREADABLE, BadName):
            return Response(status_code=400)
        return await self._refused(request, name) or answer

    async def _refused(self, request: Request, name: TableName) -> Response | None:
        try:
            own = await self._door.is_by(request, name)
        except StoreAway:
            return Response(status_code=503)
        return None if own else Response(status_code=403)


def _said(what: msgspec.Struct) -> Response:
    return Response(msgspec.json.encode(what), media_type="application/json")

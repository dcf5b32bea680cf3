"""Every request of the floor's pages: path, parameters and response."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import answer
from controller.console.handlers.credentials import SignIn
from controller.console.handlers.fields import Nothing
from controller.console.handlers.session_endpoints import UnlockBody
from controller.console.http.endpoints import Endpoint
from controller.floor.web.context import FloorContext
from controller.floor.web.handlers import floor_pages, post_command, session_endpoints, site
from controller.floor.web.handlers.floor_pages import NewestQuery, PeriodQuery, RoundsQuery
from controller.floor.web.handlers.session_endpoints import FloorPerson
from controller.floor.web.live.lobby import LobbyMessage
from controller.floor.web.queries import (
    DealerRow,
    EventRow,
    FloorRound,
    NotTakenRow,
    OrderRow,
    UndeliveredRow,
    UnitRow,
    WebStore,
)
from controller.messages.catalogue import languages
from controller.protocol.orders import OrderAnswer

Shape = TypeVar("Shape")
Reader = Callable[[FloorContext, Request], Awaitable[Shape]]


class SpokenLanguage(msgspec.Struct, frozen=True):
    id: str
    name: str


class LanguageList(msgspec.Struct, frozen=True):
    languages: list[SpokenLanguage]


class Health(msgspec.Struct, frozen=True):
    lives: bool


def endpoints(context: FloorContext) -> list[Endpoint]:
    return [*_people(context), *_reports(context), *_tables(context), *_public(context)]


def _people(context: FloorContext) -> list[Endpoint]:
    def post(path: str, text: str, read: Reader[Shape], shape: type[Shape]) -> Endpoint:
        return _endpoint(context, "POST", path, text, read, shape, body=Nothing)

    sign_in = partial(session_endpoints.sign_in, context)  # it sets the cookie
    return [
        _endpoint(
            *(
                context,
                "GET",
                "/api/staff",
                "who can sign in",
                session_endpoints.staff,
                session_endpoints.FloorStaff,
            ),
            signed=False,
        ),
        Endpoint(
            *("POST", "/api/sign-in", "sign in", sign_in),
            signed=False,
            body=SignIn,
            answer=FloorPerson,
        ),
        _endpoint(context, "GET", "/api/me", "who is signed in", session_endpoints.me, FloorPerson),
        post("/api/sign-out", "sign out", session_endpoints.sign_out, Nothing),
        post("/api/lock", "lock the screen", session_endpoints.lock, FloorPerson),
        post("/api/here", "the screen was touched", session_endpoints.here, FloorPerson),
        _endpoint(
            *(
                context,
                "POST",
                "/api/unlock",
                "unlock the screen",
                session_endpoints.unlock,
                FloorPerson,
            ),
            body=UnlockBody,
        ),
    ]


def _tables(context: FloorContext) -> list[Endpoint]:
    get = partial(_endpoint, context, "GET")
    post = partial(_endpoint, context, "POST")
    return [
        get("/api/floor", "the whole board", floor_pages.floor, floor_pages.FloorPage),
        get("/api/tables/{table}", "one table", floor_pages.table, floor_pages.TablePage),
        get(
            *("/api/tables/{table}/rounds", "its rounds, the newest first"),
            *(floor_pages.table_rounds, list[FloorRound]),
            query=RoundsQuery,
        ),
        post(
            *(
                "/api/tables/{table}/orders",
                "a command for the table",
                post_command.order,
                OrderAnswer,
            ),
            body=post_command.OrderBody,
        ),
        post(
            *("/api/exceptions/acknowledge", "take note of exceptions"),
            *(post_command.acknowledge, post_command.Acknowledged),
            body=post_command.AcknowledgeBody,
        ),
        get("/api/site", "the site's documents", site.documents, site.SitePage),
        post(
            *("/api/site/people", "publish who may work", site.publish_people, site.Published),
            body=site.PublishPeople,
        ),
        post(
            *("/api/site/limits", "publish a table's limits", site.publish_limits, site.Published),
            body=site.PublishLimits,
        ),
    ]


def _reports(context: FloorContext) -> list[Endpoint]:
    def period(path: str, text: str, read: Reader[Shape], shape: type[Shape]) -> Endpoint:
        return _endpoint(context, "GET", path, text, read, shape, query=PeriodQuery)

    def newest(path: str, text: str, read: Reader[Shape], shape: type[Shape]) -> Endpoint:
        return _endpoint(context, "GET", path, text, read, shape, query=NewestQuery)

    orders, not_taken = floor_pages.newest(WebStore.orders), floor_pages.newest(WebStore.not_taken)
    events = floor_pages.newest(WebStore.events)
    return [
        period("/api/devices", "every unit, the worst first", floor_pages.devices, list[UnitRow]),
        period(
            "/api/shifts", "what each shift dealt", floor_pages.shifts, list[floor_pages.ShiftRow]
        ),
        period(
            "/api/trends", "each book against its odds", floor_pages.trends, floor_pages.TrendsPage
        ),
        _endpoint(
            *(context, "GET", "/api/people", "what each dealer dealt"),
            *(floor_pages.dealers, list[DealerRow]),
            query=floor_pages.DealersQuery,
        ),
        _endpoint(
            *(context, "GET", "/api/proof", "what the floor can prove"),
            *(floor_pages.proof, floor_pages.ProofPage),
        ),
        newest("/api/orders", "commands that the floor carried", orders, list[OrderRow]),
        newest("/api/orders-not-taken", "those never judged", not_taken, list[NotTakenRow]),
        newest("/api/events", "what people did at the floor", events, list[EventRow]),
        _endpoint(
            *(context, "GET", "/api/undelivered", "what subscribers do not take"),
            *(floor_pages.undelivered, list[UndeliveredRow]),
        ),
    ]


def _public(context: FloorContext) -> list[Endpoint]:
    def get(path: str, text: str, read: Reader[Shape], shape: type[Shape]) -> Endpoint:
        return _endpoint(context, "GET", path, text, read, shape, signed=False)

    return [
        get("/api/languages", "the languages of the pages", _languages, LanguageList),
        get("/api/lobby", "every table as guests see it", _lobby, LobbyMessage),
        get("/healthz", "that the program runs", _health, Health),
    ]


async def _languages(context: FloorContext, request: Request) -> LanguageList:  # noqa: ARG001
    return LanguageList([SpokenLanguage(tag, name) for tag, name in languages().items()])


async def _lobby(context: FloorContext, request: Request) -> LobbyMessage:  # noqa: ARG001
    return context.lobby.message(0, context.wall())


async def _health(context: FloorContext, request: Request) -> Health:  # noqa: ARG001
    return Health(lives=True)


def _endpoint(
    context: FloorContext,
    method: str,
    path: str,
    text: str,
    read: Reader[Shape],
    shape: type[Shape],
    *,
    signed: bool = True,
    body: type[msgspec.Struct] | None = None,
    query: tuple[str, ...] | type[msgspec.Struct] = (),
) -> Endpoint:
    """Makes an endpoint; its types tie the handler's return value to the documented response."""

    async def handle(request: Request) -> Response:
        return answer(await read(context, request))

    return Endpoint(method, path, text, handle, signed, body, query, answer=shape)

"""The floor's web application: pages, feed and background tasks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg
import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from controller.console.auth.guard import Guard, same_origin
from controller.console.http.endpoints import Endpoint
from controller.console.http.error_handler import ON_ERROR, careful
from controller.console.http.openapi import Document, document
from controller.console.http.page_shell import Page, SitePages
from controller.console.http.pages import STATIC, file_routes, page_route
from controller.console.problems import Problem
from controller.floor.tasks import end
from controller.floor.web.context import FloorContext
from controller.floor.web.endpoints import endpoints
from controller.floor.web.live import feeds, lobby
from controller.floor.web.live.feeds import FloorMessage
from controller.floor.web.queries import RegisteredTable, StoreDown
from controller.protocol.documents import DocumentKind, People
from controller.table.licences import Licence, SiteList

OWN: Final = Path(__file__).parent / "static"
LOOK_S: Final = 1.0
MAX_TABLES_SAY: Final = 8 * 1024 * 1024
"""Size limit of one message of a table: a batch of records, or a view of a round with ten thousand
wagers."""
MAX_PEOPLE: Final = 2 * 1024 * 1024
"""Size limit of the list of people: five thousand of them."""
ROUNDS_EVERY_S: Final = 15.0
FIRST_BEATS_S: Final = 10.0
"""Grace period after a start, before tables without a beat count as silent."""
_STAFF_SHEETS: Final = ("css/cards.css", "css/windows.css", "floor/css/floor.css")
STAFF_PAGES: Final = {
    name: Page(name.capitalize(), f"floor/js/{name}_page.js", _STAFF_SHEETS, body="page")
    for name in ("floor", "devices", "people", "trends", "proof", "orders", "site", "table")
}
PAGES: Final = {
    "signin": Page("Sign in", "floor/js/signin_page.js", ("css/windows.css", "css/signin.css")),
    "lobby": Page(
        "Lobby",
        "floor/js/lobby_page.js",
        ("css/public.css", "floor/css/lobby.css"),
        has_theme=False,
    ),
    **STAFF_PAGES,
}
_PATHS: Final = {"signin": "/", "table": "/tables/{table}"}

log = structlog.get_logger()

Watched = Callable[[str, Callable[[], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]
"""Runs a named part and handles its failures."""


async def unwatched(name: str, part: Callable[[], Coroutine[Any, Any, None]]) -> None:  # noqa: ARG001
    await part()


def application(
    context: FloorContext,
    hosts: tuple[str, ...] = (),
    more: tuple[Route, ...] = (),
    guard: Watched = unwatched,
) -> ASGIApp:
    """Makes the application with all routes; `hosts` are the accepted host names, empty for any.
    `more` are routes of the service, such as the one for records over HTTPS. `guard` runs the
    background tasks."""
    found = endpoints(context)
    routes: list[BaseRoute] = [
        *more,
        *map(_route, found),
        Route("/openapi.json", _openapi(found), methods=["GET"]),
        WebSocketRoute("/feed/lobby", _lobby(context)),
        WebSocketRoute("/feed/floor", _feed(context)),
        *_pages(),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers=ON_ERROR,
        lifespan=_beside(context, guard),
    )
    larger = {each.path: MAX_TABLES_SAY for each in more}
    return Guard(app, hosts, {**larger, "/api/site/people": MAX_PEOPLE})


def site_pages() -> SitePages:
    return SitePages(PAGES, {"/static/floor": OWN, "/static": STATIC})


def _pages() -> list[BaseRoute]:
    found = site_pages()
    routes = (page_route(_PATHS.get(name, f"/{name}"), found, name) for name in PAGES)
    return [*routes, *file_routes(found)]


# --- requests ---------------------------------------------------------------------------------


def _route(endpoint: Endpoint) -> Route:
    return Route(endpoint.path, careful(endpoint.handler, KNOWN), methods=[endpoint.method])


def _openapi(found: list[Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    made = msgspec.json.encode(openapi(found))

    async def shown(request: Request) -> Response:  # noqa: ARG001
        return Response(made, media_type="application/json")

    return shown


def openapi(found: list[Endpoint]) -> Document:
    return document(found, "Sabot floor", "sabot-floor", (FloorMessage,))


def _store_down(error: Exception) -> Problem:
    log.warning("store_down", why=str(error))
    return Problem("busy", "the floor's database does not answer; try again")


KNOWN: Final = {StoreDown: _store_down, psycopg.OperationalError: _store_down}


def _feed(context: FloorContext) -> Callable[[WebSocket], Awaitable[None]]:
    async def feed(socket: WebSocket) -> None:
        if context.people.present(socket) is None or not same_origin(socket.scope):
            await socket.accept()
            await socket.close(feeds.SIGNED_OUT)
            return
        await feeds.serve(context, socket)

    return feed


def _lobby(context: FloorContext) -> Callable[[WebSocket], Awaitable[None]]:
    async def feed(socket: WebSocket) -> None:
        await lobby.serve(context.lobby, context.wall, socket)

    return feed


# --- background tasks -------------------------------------------------------------------------


def _beside(context: FloorContext, guard: Watched) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        parts = {"exceptions": look, "silence": look_for_silence, "lobby": look_at_lobby}
        background = [
            asyncio.create_task(guard(name, partial(part, context))) for name, part in parts.items()
        ]
        try:
            yield
        finally:
            await end(*background)
            await context.store.close()
            await context.reports.close()

    return running


async def look_at_lobby(context: FloorContext) -> None:
    while True:
        context.lobby.look()
        await asyncio.sleep(lobby.LOOK_S)


async def look_for_silence(context: FloorContext) -> None:
    """Looks for silent tables, and for dealers without a licence; independent of the database."""
    while True:
        context.board.tick(context.wall())
        context.licences.look(context.board.tiles(), context.wall())
        await asyncio.sleep(LOOK_S)


async def look(context: FloorContext) -> None:
    """Reads the open exceptions from the database once a second."""
    loop, counted = asyncio.get_running_loop(), float("-inf")
    began = loop.time()
    while True:
        try:
            context.kept = await context.store.exceptions()
            await context.desk.write_answers()
            if loop.time() - counted >= ROUNDS_EVERY_S:
                counted = loop.time()
                if loop.time() - began >= FIRST_BEATS_S:
                    _take_register(context, await context.store.register())
                context.board.played(await context.store.rounds_hour())
                context.licences.use(await _site_list(context))
            await _noted_back(context)
        except StoreDown as down:
            context.store_failed(str(down))
        await asyncio.sleep(LOOK_S)


async def _site_list(context: FloorContext) -> SiteList | None:
    """The list of people as published to the tables; raises `StoreDown`."""
    try:
        found = [each for each in await context.shelf.newest() if each.kind is DocumentKind.PEOPLE]
    except psycopg.Error as error:
        raise StoreDown(str(error)) from error
    people = found[0].read() if found else None
    if not isinstance(people, People):
        return None
    listed = [Licence(each.who, each.until, each.games) for each in people.licences]
    return SiteList(found[0].version, tuple(listed))


def _take_register(context: FloorContext, register: list[RegisteredTable]) -> None:
    """Gives each enrolled table a tile, with or without a beat, and removes the tiles of others."""
    for each in register:
        if each.revoked:
            context.board.removed(each.table)
        else:
            context.board.enrolled(each.table, each.title, each.pit, each.enrolled)


async def _noted_back(context: FloorContext) -> None:
    """Stores an outage of the database as an event, once it can be written."""
    if context.store_down is not None:
        away = datetime.fromtimestamp(context.store_down_since, UTC)
        await context.store.noted("database_back", "floor", f"{away:%Y-%m-%d %H:%M:%S} UTC")
        context.store_down = None

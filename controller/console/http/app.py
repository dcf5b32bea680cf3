"""The application: routes, the feed, pages, and background tasks."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from controller.console.auth.client_origin import TABLE
from controller.console.auth.guard import Guard, same_origin
from controller.console.context import ConsoleContext, answer
from controller.console.data.feeds import LINE, NOT_ALLOWED, SIGNED_OUT, FeedReader
from controller.console.http.endpoints import Endpoint, Handler, endpoints
from controller.console.http.error_handler import ON_ERROR, careful
from controller.console.http.manual import manual_routes
from controller.console.http.openapi import Document, document
from controller.console.http.pages import pages
from controller.runtime.snapshots import AUDIENCES

LOOK_AFTER_S: Final = 1.0
LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")

log = structlog.get_logger()


def application(context: ConsoleContext, hosts: tuple[str, ...] = LOOPBACK_NAMES) -> ASGIApp:
    """The ASGI application of the console; `hosts` are the accepted host names, empty for any."""
    found = endpoints(context)
    routes: list[BaseRoute] = [_route(each) for each in found]
    openapi = document(found)
    routes.append(Route("/openapi.json", _openapi(openapi), methods=["GET"]))
    routes.append(WebSocketRoute("/feed/{audience}", _feed(context)))
    routes += [*manual_routes(openapi), *pages(context.demo, context.benches)]
    app = Starlette(
        routes=routes,
        exception_handlers=ON_ERROR,
        lifespan=_beside(context),
    )
    return Guard(app, hosts)


def _beside(context: ConsoleContext) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        background = [
            asyncio.create_task(context.feeds.run()),
            asyncio.create_task(_look_after_sessions(context)),
        ]
        try:
            yield
        finally:
            for each in background:
                each.cancel()
            await asyncio.gather(*background, return_exceptions=True)

    return running


async def _look_after_sessions(context: ConsoleContext) -> None:
    while True:
        await asyncio.sleep(LOOK_AFTER_S)
        await context.look_after_sessions()


# --- requests ---------------------------------------------------------------------------------


def _route(endpoint: Endpoint) -> Route:
    path = endpoint.path.replace("{shoe}", "{shoe:int}").replace("{n}", "{n:int}")
    return Route(path, careful(endpoint.handler), methods=[endpoint.method])


def _openapi(made: Document) -> Handler:
    async def openapi(request: Request) -> Response:  # noqa: ARG001
        return answer(made)

    return openapi


# --- the feed ---------------------------------------------------------------------------------


def _feed(context: ConsoleContext) -> Callable[[WebSocket], Awaitable[None]]:
    async def feed(socket: WebSocket) -> None:
        audience = socket.path_params["audience"]
        signed = context.present(socket)
        await socket.accept()
        if audience not in AUDIENCES:
            await socket.close(NOT_ALLOWED)
        elif audience != "public" and signed is None:
            await socket.close(SIGNED_OUT)
        elif audience != "public" and not _may_read(context, socket, audience):
            await socket.close(NOT_ALLOWED)
        else:
            place = context.client_origin(socket)
            locked = _lock_of(context, socket, audience)
            line = socket.scope.get("extensions", {}).get(LINE) if audience == "public" else None
            reader = FeedReader(audience, locked, None if place == TABLE else place, line)
            await context.feeds.serve(socket, reader, _after(socket))

    return feed


def _may_read(context: ConsoleContext, socket: WebSocket, audience: str) -> bool:
    signed = context.present(socket)
    reaches = signed is not None and audience in context.feeds_of(signed.account)
    return reaches and same_origin(socket.scope)


def _lock_of(
    context: ConsoleContext, socket: WebSocket, audience: str
) -> Callable[[], bool | None]:
    """A function that returns whether the reader's screen is locked, for the beat; None: signed
    out."""
    if audience == "public" and context.cookie not in socket.cookies:
        return lambda: False  # called for a thousand readers at every beat

    def locked() -> bool | None:
        signed = context.present(socket)
        if audience == "public":
            return signed is not None and signed.session.locked
        if signed is None or audience not in context.feeds_of(signed.account):
            return None
        return signed.session.locked

    return locked


def _after(socket: WebSocket) -> int | None:
    given = socket.query_params.get("after", "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 16 else None

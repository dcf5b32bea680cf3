"""The application: routes, the feed, pages, and what runs beside them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from starlette.websockets import WebSocket

from controller.console.auth.accounts import AccountsError
from controller.console.auth.guard import Guard, same_origin
from controller.console.context import ConsoleContext, answer
from controller.console.data.feeds import NOT_ALLOWED, SIGNED_OUT, FeedReader
from controller.console.http.endpoints import Endpoint, Handler, endpoints
from controller.console.http.openapi import Document, document
from controller.console.problems import Problem
from controller.runtime.snapshots import AUDIENCES
from controller.sentences.catalogue import FOLDER as CATALOGUES

STATIC: Final = Path(__file__).parents[1] / "static"
LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
_FRESH: Final = {"Cache-Control": "no-cache"}
"""Pages may be kept and are asked for again: an update shows at once."""

log = structlog.get_logger()


def application(context: ConsoleContext, hosts: tuple[str, ...] = LOOPBACK_NAMES) -> ASGIApp:
    """Everything the console serves; `hosts` are the names it answers to, empty for any."""
    found = endpoints(context)
    routes: list[BaseRoute] = [_route(each) for each in found]
    routes.append(Route("/openapi.json", _openapi(document(found)), methods=["GET"]))
    routes.append(WebSocketRoute("/feed/{audience}", _feed(context)))
    if STATIC.is_dir():
        routes += _pages()
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: _http_problem, Problem: _problem},  # type: ignore[dict-item]
        lifespan=_beside(context),
    )
    return Guard(app, hosts)


def _beside(context: ConsoleContext) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        feeds = asyncio.create_task(context.feeds.run())
        try:
            yield
        finally:
            feeds.cancel()
            await asyncio.gather(feeds, return_exceptions=True)

    return running


# --- requests ---------------------------------------------------------------------------------


def _route(endpoint: Endpoint) -> Route:
    path = endpoint.path.replace("{shoe}", "{shoe:int}").replace("{n}", "{n:int}")
    return Route(path, _careful(endpoint.handler), methods=[endpoint.method])


def _careful(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """A mistake of ours is one problem and tells nothing: the error itself might name a card."""

    async def handled(request: Request) -> Response:
        try:
            return await handler(request)
        except Problem as problem:
            return problem.response()
        except AccountsError as error:
            log.error("accounts", why=str(error))
            return Problem("error", str(error)).response()
        except Exception as error:  # noqa: BLE001
            log.error("console_error", kind=type(error).__name__, path=request.url.path)
            return Problem("error", "if it happens again, tell the technician").response()

    return handled


async def _problem(request: Request, problem: Problem) -> Response:  # noqa: ARG001
    return problem.response()


async def _http_problem(request: Request, error: HTTPException) -> Response:
    kinds = {404: "not_found", 405: "method_not_allowed"}
    kind = kinds.get(error.status_code, "bad_request")
    response = Problem(kind, f"{request.method} {request.url.path}: {error.detail}").response()
    response.headers.update(error.headers or {})
    return response


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
            reader = FeedReader(audience, _lock_of(context, socket, audience))
            await context.feeds.serve(socket, reader, _after(socket))

    return feed


def _may_read(context: ConsoleContext, socket: WebSocket, audience: str) -> bool:
    signed = context.present(socket)
    reaches = signed is not None and audience in context.feeds_of(signed.account)
    return reaches and same_origin(socket.scope)


def _lock_of(
    context: ConsoleContext, socket: WebSocket, audience: str
) -> Callable[[], bool | None]:
    """What a beat tells the page about its own screen; None: signed out."""

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


# --- pages ------------------------------------------------------------------------------------


class _Files(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(_FRESH)
        return response


def _pages() -> list[BaseRoute]:
    """`static/NAME.html` is the page /NAME, `index.html` the first one."""
    names = {page.stem: page for page in sorted(STATIC.glob("*.html"))}
    routes: list[BaseRoute] = [
        Route("/" if name == "index" else f"/{name}", _page(page), methods=["GET"])
        for name, page in names.items()
    ]
    languages = Mount("/static/lang", _Files(directory=CATALOGUES))
    return [*routes, languages, Mount("/static", _Files(directory=STATIC))]


def _page(page: Path) -> Handler:
    async def shown(request: Request) -> Response:  # noqa: ARG001
        return FileResponse(page, headers=_FRESH)

    return shown

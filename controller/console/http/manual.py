"""The routes of the manual: `/manual/` and its files. They need no sign-in."""

from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from controller.console.http.openapi import Document
from controller.console.http.pages import STATIC
from controller.console.manual.markdown import INDEX
from controller.console.manual.reference import driver_contract, feed_messages, http_api, json_lines
from controller.console.manual.site import FOLDER, Manual
from controller.views.schemas import line_schema, sent_structs
from controller.views.structs.messages import MESSAGES

PREFIX: Final = "/manual"
_FRESH: Final = {"Cache-Control": "no-cache"}
_SHEETS: Final = ("css/tokens.css", "css/manual.css")
_FONT_FOLDER: Final = "../fonts/"


def manual_routes(openapi: Document) -> list[BaseRoute]:
    """The routes of the manual. Their handlers are plain functions, so that Starlette runs them in
    a thread: rendering all pages takes a third of a second, and the event loop must serve the
    dealer."""
    manual = Manual(
        FOLDER,
        {
            "reference-http": partial(http_api, openapi),
            "reference-feed": lambda: feed_messages(sent_structs(MESSAGES)),
            "reference-json-lines": lambda: json_lines(line_schema()),
            "reference-driver": partial(driver_contract, Path(str(files("drivers")))),
        },
    )

    def page(request: Request) -> Response:
        name = request.path_params.get("name", "index")
        try:
            html = manual.html(INDEX if name == "index" else name)
        except KeyError:
            raise HTTPException(404) from None
        return HTMLResponse(html, headers=_FRESH)

    def search(request: Request) -> Response:  # noqa: ARG001
        return Response(manual.search_index(), headers=_FRESH, media_type="application/json")

    return [
        Route(PREFIX, _redirect, methods=["GET"]),
        Route(f"{PREFIX}/", page, methods=["GET"]),
        Route(f"{PREFIX}/{{name}}.html", page, methods=["GET"]),
        Route(f"{PREFIX}/search.json", search, methods=["GET"]),
        Route(f"{PREFIX}/manual.css", _style, methods=["GET"]),
        *(_file(STATIC / each) for each in ("js/manual.js", "icon.svg", "fonts/inter.woff2")),
        Mount(f"{PREFIX}/pictures", StaticFiles(directory=FOLDER / "pictures")),
    ]


def _redirect(request: Request) -> Response:  # noqa: ARG001
    return RedirectResponse(f"{PREFIX}/")


def _style(request: Request) -> Response:  # noqa: ARG001
    """The console's colours and the manual's own rules. The typeface is next to them, so that a
    copy of the site is complete."""
    text = "".join((STATIC / each).read_text("utf-8") for each in _SHEETS)
    return Response(text.replace(_FONT_FOLDER, ""), headers=_FRESH, media_type="text/css")


def _file(path: Path) -> Route:
    def answer(request: Request) -> Response:  # noqa: ARG001
        return FileResponse(path, headers=_FRESH)

    return Route(f"{PREFIX}/{path.name}", answer, methods=["GET"])

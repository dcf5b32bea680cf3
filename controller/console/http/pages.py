"""The pages and their security headers; some pages exist only in a demo.

No page of the console may be framed, with an exception in a demo: its demo page shows the dealer's
page and the public display next to the emulated shoe's. Only this origin may frame these two, and
the demo page may frame only them and the shoe's page.
"""

import gzip
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from controller.console.auth.guard import HEADERS, POLICY
from controller.console.http.page_shell import BUILT, Page, SitePages
from controller.messages.catalogue import FOLDER as CATALOGUES

STATIC: Final = Path(__file__).parents[1] / "static"
DEMO: Final = "demo"
DEMO_ONLY: Final = frozenset({DEMO, "style"})
FRAMED_BY_DEMO: Final = frozenset({"dealer", "display"})
TEXTS: Final = frozenset({".js", ".css", ".json", ".svg"})
FRESH: Final = {"Cache-Control": "no-cache"}
"""Browsers revalidate pages on each load, so that an update shows at once."""
KEPT: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
"""The name of a built file contains a hash of its content."""

_WINDOWS: Final = ("css/cards.css", "css/windows.css", "css/questions.css")
PAGES: Final = {
    "signin": Page("Sign in", "js/signin.js", ("css/windows.css", "css/signin.css")),
    "dealer": Page(
        "Dealer",
        "js/dealer.js",
        (
            *_WINDOWS,
            *("css/dealer.css", "css/hands.css", "css/slots.css", "css/layout.css"),
            "css/halt.css",
        ),
    ),
    "pit": Page("Pit", "js/pit.js", (*_WINDOWS, "css/pit.css", "css/halt.css")),
    "rounds": Page(
        "Rounds", "js/rounds.js", (*_WINDOWS, "css/rounds.css", "css/round.css", "css/print.css")
    ),
    "report": Page(
        "Report", "js/shift_report.js", ("css/windows.css", "css/report.css", "css/print.css")
    ),
    "display": Page(
        "Display",
        "js/display.js",
        ("css/cards.css", "css/public.css", "css/display.css"),
        has_theme=False,
    ),
    "overlay": Page(
        "Overlay",
        "js/overlay.js",
        ("css/cards.css", "css/public.css", "css/overlay.css"),
        has_theme=False,
    ),
    "errors": Page("How errors are resolved", "js/errors.js", ("css/errors.css",)),
    "demo": Page("Demonstration", "js/demo.js", ("css/demo.css",)),
    "style": Page("Style", "js/style.js", ("css/cards.css",), is_translated=False),
}
NOT_BUILT: Final = frozenset({"style"})
"""Pages without built files: this one loads parts of other pages at run time, each with its own
style sheets."""


def site() -> SitePages:
    return SitePages(PAGES, {"/static": STATIC})


class PackedFiles(StaticFiles):
    """Serves the files that pages load. Pages have their own address and headers."""

    caching: Mapping[str, str] = FRESH

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.endswith(".html"):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update(self.caching)
        return _packed(response, scope) if isinstance(response, FileResponse) else response


class BuiltFiles(PackedFiles):
    caching = KEPT


def _packed(response: FileResponse, scope: Scope) -> Response:
    """Compresses a response to a third, for a slow wireless network. The files are public, so their
    compressed length reveals nothing."""
    if Path(response.path).suffix not in TEXTS:
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
        return response
    headers = {**response.headers, "content-encoding": "gzip"}
    del headers["content-length"]
    return Response(_gzip(str(response.path), headers["last-modified"]), headers=headers)


@lru_cache(maxsize=256)
def _gzip(path: str, changed: str) -> bytes:  # noqa: ARG001  # a changed file is compressed again
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def pages(demo: bool, benches: Mapping[str, str]) -> list[BaseRoute]:
    """The routes of all pages; each round has its own address on the page of rounds. `benches` are
    the pages of a demo's emulated devices."""
    found = site()
    routes: list[BaseRoute] = [
        page_route(
            "/" if name == "signin" else f"/{name}",
            found,
            name,
            framing(name, benches) if demo else {},
        )
        for name in PAGES
        if demo or name not in DEMO_ONLY
    ]
    routes.append(page_route("/rounds/{shoe:int}/{n:int}", found, "rounds"))
    return [*routes, *file_routes(found)]


def page_route(
    path: str, found: SitePages, name: str, headers: Mapping[str, str] | None = None
) -> Route:
    async def shown(request: Request) -> Response:  # noqa: ARG001
        return HTMLResponse(found.html(name), headers={**FRESH, **(headers or {})})

    return Route(path, shown, methods=["GET"])


def file_routes(found: SitePages) -> list[BaseRoute]:
    """The routes of a website's files: built files, languages, sources."""
    own = next(iter(found.folders))
    return [
        Mount(f"{own}/{BUILT}", BuiltFiles(directory=found.built, check_dir=False)),
        Mount("/static/lang", PackedFiles(directory=CATALOGUES)),
        *(Mount(root, PackedFiles(directory=each)) for root, each in found.folders.items()),
    ]


def framing(name: str, benches: Mapping[str, str]) -> dict[str, str]:
    """The headers by which a demo's page differs from all others."""
    if name in FRAMED_BY_DEMO:
        return {
            POLICY: HEADERS[POLICY].replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
            "X-Frame-Options": "SAMEORIGIN",
        }
    if name == DEMO:
        shown = " ".join(("'self'", benches.get("shoe", "")))
        return {POLICY: f"{HEADERS[POLICY]}; frame-src {shown}".rstrip()}
    return {}

"""The pages and what a browser may do with each: the demo's own are a demo's alone.

No page of the console may be framed. On a demo its demo page shows the dealer's and the public
display's beside the emulated shoe's: these two may then be framed by this very origin, and that one
page may frame them and the shoe's page, and nobody else.
"""

import gzip
from collections.abc import Awaitable, Callable, Mapping
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
from controller.console.http.joined import JoinedPages
from controller.sentences.catalogue import FOLDER as CATALOGUES

STATIC: Final = Path(__file__).parents[1] / "static"
DEMO: Final = "demo"
DEMO_ONLY: Final = frozenset({DEMO, "style"})
APART: Final = frozenset({"style"})
"""It loads parts of other pages, each with its own sheets: those are its modules one by one."""
FRAMED_BY_DEMO: Final = frozenset({"dealer", "display"})
TEXTS: Final = frozenset({".js", ".css", ".json", ".svg"})
_FRESH: Final = {"Cache-Control": "no-cache"}
"""Pages may be kept and are asked for again: an update shows at once."""


class PackedFiles(StaticFiles):
    """What pages are made of. The pages themselves have their own address and headers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.endswith(".html"):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update(_FRESH)
        return _packed(response, scope) if isinstance(response, FileResponse) else response


def _packed(response: FileResponse, scope: Scope) -> Response:
    """A first load over the pit's wireless is a third of what it would be. Nothing secret goes this
    way, so nothing can be told from a length."""
    if Path(response.path).suffix not in TEXTS:
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
        return response
    headers = {**response.headers, "content-encoding": "gzip"}
    del headers["content-length"]
    return Response(_gzip(str(response.path), headers["last-modified"]), headers=headers)


@lru_cache(maxsize=256)
def _gzip(path: str, changed: str) -> bytes:  # noqa: ARG001  # a file that changed is packed anew
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def pages(demo: bool, benches: Mapping[str, str]) -> list[BaseRoute]:
    """`static/NAME.html` is the page /NAME, `index.html` the first one; a round has an address of
    its own on the page of rounds. `benches` are the pages of a demo's emulated devices."""
    names = {page.stem: page for page in sorted(STATIC.glob("*.html"))}
    joined = JoinedPages({"/static": STATIC})
    routes: list[BaseRoute] = [
        Route(
            "/" if name == "index" else f"/{name}",
            _page(page, joined, {**_FRESH, **(framing(name, benches) if demo else {})}),
            methods=["GET"],
        )
        for name, page in names.items()
        if demo or name not in DEMO_ONLY
    ]
    routes.append(
        Route("/rounds/{shoe:int}/{n:int}", _page(names["rounds"], joined, _FRESH), methods=["GET"])
    )
    languages = Mount("/static/lang", PackedFiles(directory=CATALOGUES))
    return [*routes, joined.route, languages, Mount("/static", PackedFiles(directory=STATIC))]


def framing(name: str, benches: Mapping[str, str]) -> dict[str, str]:
    """The headers of a demo's page that differ from every other's."""
    if name in FRAMED_BY_DEMO:
        return {
            POLICY: HEADERS[POLICY].replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
            "X-Frame-Options": "SAMEORIGIN",
        }
    if name == DEMO:
        shown = " ".join(("'self'", benches.get("shoe", "")))
        return {POLICY: f"{HEADERS[POLICY]}; frame-src {shown}".rstrip()}
    return {}


def _page(
    page: Path, joined: JoinedPages, headers: Mapping[str, str]
) -> Callable[[Request], Awaitable[Response]]:
    async def shown(request: Request) -> Response:  # noqa: ARG001
        html = page.read_text("utf-8")
        return HTMLResponse(html if page.stem in APART else joined.page(html), headers=headers)

    return shown

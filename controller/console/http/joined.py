"""What a page is made of, in two files: all its modules in one, all its style sheets in the other.

They are written in many small files, and a browser asks for each: 64 requests for the dealer's
page, every one of them through the guard, and the modules wave after wave, because each says what
it stands on only when it is there. That was half of what opening a page costs, at both ends. So a
website joins them. The name has a hash of what is in it and can be kept for good: opened again, a
page asks for nothing that the browser has, and after an update for the new one at once.

Nothing is rewritten but `import` and `export`. A module becomes a function that is called once and
gives back what it exports, after those that it stands on; the page's own module comes last and as
it is. That takes modules that import by name, export what they declare, and do not stand on each
other in a circle. Others are refused when their page is asked for.
"""

import gzip
import hashlib
import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ADDRESS: Final = "/static/joined"
_FOR_GOOD: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
}
_MEDIA: Final = {".js": "text/javascript", ".css": "text/css"}
_SHEETS: Final = re.compile(r'(?:<link rel="stylesheet" href="[^"]+">\n)+')
_SHEET: Final = re.compile(r'href="([^"]+)"')
_SCRIPT: Final = re.compile(r'(<script type="module" src=")([^"]+)(?=")')
_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+\.js)";$', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async function|function|const|class) (\w+))", re.MULTILINE
)
_NOT_OURS: Final = re.compile(r"^(?:import|export)\b.*$|^[^/*\n]*\bimport\(.*$", re.MULTILINE)
_RENAMED: Final = re.compile(r"\b(\w+) as (\w+)\b")

TextOf = Callable[[str], str]
"""What the file at an address says."""


class CannotBeJoined(ValueError):
    """A module is written in a way that only a browser understands."""


def join_modules(page: str, text_of: TextOf) -> str:
    """The module at this address with all that it stands on, as one."""
    names: dict[str, str] = {}
    parts: list[str] = []

    def add(address: str, above: tuple[str, ...]) -> str:
        """The name by which others know what the module exports."""
        if address in above:
            raise CannotBeJoined(f"{address} stands on itself")
        if address not in names:
            text = imports_named(address, (*above, address))
            exported = ", ".join(_EXPORT.findall(text))
            body = _as_it_runs(address, text)
            names[address] = f"$module{len(names)}"
            parts.append(
                f"const {names[address]} = (() => {{ // {address}\n{body}\n"
                f"return {{ {exported} }};\n}})();\n"
            )
        return names[address]

    def imports_named(address: str, above: tuple[str, ...]) -> str:
        def named(found: re.Match[str]) -> str:
            other = posixpath.normpath(posixpath.join(posixpath.dirname(address), found.group(2)))
            what = _RENAMED.sub(r"\1: \2", found.group(1))
            return f"const {{{what}}} = {add(other, above)};"

        return _IMPORT.sub(named, text_of(address))

    own = _as_it_runs(page, imports_named(page, (page,)))
    return "".join((*parts, f"// {page}\n", own))


def _as_it_runs(address: str, text: str) -> str:
    bare = _EXPORT.sub("", text)
    if left := _NOT_OURS.search(bare):
        raise CannotBeJoined(f"{address}: {left.group()}")
    return bare


class JoinedPages:
    """The pages of one website. `folders` says where the files below an address lie; of several
    that fit the first counts."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self._joined: dict[str, str] = {}
        self._files: dict[str, bytes] = {}
        self._newest: tuple[int, int] | None = None
        self.route: Final = Route(f"{ADDRESS}/{{name}}", self._serve, methods=["GET"])

    def page(self, html: str) -> str:
        """The page with one module and one style sheet in the place of those that it names. Whoever
        works on one of them sees it when they load the page again."""
        files = [each for folder in self._folders.values() for each in folder.glob("*/*")]
        newest = len(files), max(each.stat().st_mtime_ns for each in files)
        if newest != self._newest:
            self._joined.clear()
            self._newest = newest
        if html not in self._joined:
            self._joined[html] = _SCRIPT.sub(self._script, _SHEETS.sub(self._style, html))
        return self._joined[html]

    def _style(self, found: re.Match[str]) -> str:
        sheets = _SHEET.findall(found.group())
        address = self._kept(sheets[-1], "".join(map(self._text, sheets)))
        return f'<link rel="stylesheet" href="{address}">\n'

    def _script(self, found: re.Match[str]) -> str:
        before, page = found.groups()
        return before + self._kept(page, join_modules(page, self._text))

    def _kept(self, like: str, text: str) -> str:
        """Kept to be served, under the name of the last of them and a hash."""
        plain, named = text.encode(), Path(like)
        name = f"{named.stem}-{hashlib.sha256(plain).hexdigest()[:16]}{named.suffix}"
        self._files[name] = gzip.compress(plain, mtime=0)
        return f"{ADDRESS}/{name}"

    def _text(self, address: str) -> str:
        for root, folder in self._folders.items():
            if address.startswith(f"{root}/"):
                return (folder / address.removeprefix(f"{root}/")).read_text("utf-8")
        raise CannotBeJoined(f"{address} lies in no folder of this website")

    async def _serve(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._files:
            raise HTTPException(404)
        packed, headers = self._files[name], dict(_FOR_GOOD)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            packed = gzip.decompress(packed)
        return Response(packed, headers=headers, media_type=_MEDIA[Path(name).suffix])

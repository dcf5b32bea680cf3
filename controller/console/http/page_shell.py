"""The shell around every page of a website, and the addresses of the files a page loads.

A page loads two built files, one module and one style sheet. Their names contain a hash of their
content, so a browser keeps them for good. `make pages` builds them with esbuild. Where they are
missing, or a source has changed since, the page loads its sources, file by file.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

import msgspec

BUILT: Final = "built"
"""The folder of the built files, in the first folder of a website."""
COMMON_SHEETS: Final = ("css/tokens.css", "css/base.css")
THEME: Final = "js/theme.js"
"""Sets light or dark before the first paint; a classic script, because modules run later."""
SHELL: Final = Template("""\
<!doctype html>
<html lang="en" data-page="$name">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title$translated>$title · Sabot</title>
<link rel="icon" href="/static/icon.svg">
$files
</head>
<body>
$body</body>
</html>
""")


class Page(NamedTuple):
    """One page of a website; addresses of files are below `/static`."""

    title: str
    module: str
    sheets: tuple[str, ...] = ()
    body: str = ""
    """The file of the page's body without its suffix, where it is not the page's name."""
    has_theme: bool = True
    """People choose between light and dark."""
    is_translated: bool = True

    @property
    def all_sheets(self) -> tuple[str, ...]:
        return (*COMMON_SHEETS, *self.sheets)


class BuiltPage(msgspec.Struct, frozen=True):
    module: str
    sheet: str


class Manifest(msgspec.Struct, frozen=True):
    """The manifest that `make pages` writes next to the built files."""

    sources: str
    """The digest of the sources they were built from."""
    pages: dict[str, BuiltPage]
    theme: str


class SitePages:
    """The pages of one website. `folders` are the files below each address, the website's own
    first; of several that fit an address, the first counts."""

    def __init__(self, pages: Mapping[str, Page], folders: Mapping[str, Path]) -> None:
        self.pages: Final = pages
        self.folders: Final = folders
        self._address, self._own = next(iter(folders.items()))
        self._newest: tuple[int, int] | None = None
        self._manifest: Manifest | None = None

    @property
    def built(self) -> Path:
        return self._own / BUILT

    def html(self, name: str) -> str:
        page = self.pages[name]
        body = (self._own / f"{page.body or name}.html").read_text("utf-8")
        return SHELL.substitute(
            name=name,
            title=page.title,
            translated=f' data-title="{page.title}"' if page.is_translated else "",
            files="\n".join(self._tags(name, page)),
            body=Template(body).safe_substitute(title=page.title),
        )

    def _tags(self, name: str, page: Page) -> Iterator[str]:
        manifest = self._current_manifest()
        built = None if manifest is None else manifest.pages.get(name)
        root = "/static"
        sheets, module, theme = page.all_sheets, page.module, THEME
        if manifest is not None and built is not None:
            root = f"{self._address}/{BUILT}"
            sheets, module, theme = (built.sheet,), built.module, manifest.theme
        yield from (f'<link rel="stylesheet" href="{root}/{each}">' for each in sheets)
        if page.has_theme:
            yield f'<script src="{root}/{theme}"></script>'
        yield f'<script type="module" src="{root}/{module}"></script>'

    def _current_manifest(self) -> Manifest | None:
        """The manifest of the built files; None if there is none, or if it belongs to other
        sources."""
        files = [file for _, file in self._sources()]
        newest = len(files), max(each.stat().st_mtime_ns for each in files)
        if newest != self._newest:
            self._newest, self._manifest = newest, None
            path = self.built / "manifest.json"
            if path.exists():
                found = msgspec.json.decode(path.read_bytes(), type=Manifest)
                self._manifest = found if found.sources == self.digest() else None
        return self._manifest

    def digest(self) -> str:
        """A digest of every source: its address and its content."""
        found = hashlib.sha256()
        for address, file in self._sources():
            found.update(f"{address}\0{file.stat().st_size}\0".encode())
            found.update(file.read_bytes())
        return found.hexdigest()

    def _sources(self) -> Iterator[tuple[str, Path]]:
        for root, folder in self.folders.items():
            for file in sorted(folder.glob("*/*")):
                if file.parent.name != BUILT and file.suffix in (".js", ".css", ".woff2"):
                    yield f"{root}/{file.parent.name}/{file.name}", file

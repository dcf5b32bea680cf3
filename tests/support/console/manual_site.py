"""`python -m support.console.manual_site FOLDER`: the manual as a website, copied from a console by
following every link. A link that leads nowhere ends it with an error."""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath
from shutil import rmtree
from typing import Final

from support.console.consoles import Browser, Console

PREFIX: Final = "/manual/"
_LINK: Final = re.compile(r'(?:href|src)="([^"]+)"')
_SHEET_LINK: Final = re.compile(r'url\("([^"]+)"\)')
_ID: Final = re.compile(r' id="([^"]+)"')
_ELSEWHERE: Final = re.compile(r"^(?:https?|data):")
NOT_LINKED: Final = ("search.json",)
"""Only the script names it."""


class BrokenLinks(Exception):
    """Links of the manual that lead nowhere."""


def fetch_site(browser: Browser) -> dict[str, bytes]:
    """Every file below `/manual/` by its name. Raises `BrokenLinks`."""
    files: dict[str, bytes] = {}
    anchors: set[str] = set()
    wanted: dict[str, str] = {"index.html": "the address", **dict.fromkeys(NOT_LINKED, "manual.js")}
    linked: dict[str, str] = {}
    while wanted.keys() - files.keys():
        name = min(wanted.keys() - files.keys())
        response = browser.get(PREFIX + name)
        if response.status_code != 200:
            raise BrokenLinks(f"{name}, linked from {wanted[name]}: {response.status_code}")
        files[name] = response.content
        if name.endswith(".html"):
            anchors |= {f"{name}#{each}" for each in _ID.findall(response.text)}
        for target in _links(name, files[name]):
            page, _, anchor = target.partition("#")
            wanted.setdefault(page, name)
            if anchor:
                linked.setdefault(target, name)
    if broken := [f"{link}, linked from {linked[link]}" for link in linked.keys() - anchors]:
        raise BrokenLinks("; ".join(sorted(broken)))
    return files


def _links(name: str, content: bytes) -> Iterator[str]:
    """The targets of a file's links, from the top of the site."""
    pattern = {".html": _LINK, ".css": _SHEET_LINK}.get(Path(name).suffix)
    for target in pattern.findall(content.decode()) if pattern else ():
        if target.startswith("#"):
            yield name + target
        elif not _ELSEWHERE.match(target):
            yield normpath(target)


def write_site(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch, Console(Path(scratch)).browser() as browser:
        files = fetch_site(browser)
    rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    write_site(Path(sys.argv[1]))
    sys.stdout.write(f"To read it: python3 -m http.server --directory {sys.argv[1]}\n")

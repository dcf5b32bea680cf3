"""The pages as files: how much they weigh, and that nothing comes from elsewhere."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import controller.messages
from controller.console.http.page_shell import BUILT, THEME, Page, SitePages
from controller.console.http.pages import TEXTS as PACKED
from controller.console.http.pages import site
from controller.floor.web.app import site_pages
from support.rows import each_row

CATALOGUES = Path(controller.messages.__file__).parent / "languages"
SITES = {"console": site(), "floor": site_pages()}
PAGES = [(each, name) for each, found in SITES.items() for name in found.pages]
FILES = sorted(
    file
    for found in SITES.values()
    for file in next(iter(found.folders.values())).rglob("*")
    if file.is_file() and BUILT not in file.parts
)
TEXTS = [each for each in FILES if "fonts" not in each.parts]
HTML = [each for each in FILES if each.suffix == ".html"]
SCRIPTS = [each for each in FILES if each.suffix == ".js"]

MOST_BYTES = 250_000


def file_of(found: SitePages, address: str) -> Path:
    for root, folder in found.folders.items():
        if address.startswith(f"{root}/"):
            return folder / address.removeprefix(f"{root}/")
    raise AssertionError(address)


def imports_of(found: SitePages, script: Path) -> Iterator[Path]:
    for name in re.findall(r'from "([^"]+)"', script.read_text("utf-8")):
        relative = name.startswith("./")
        yield script.parent / name if relative else file_of(found, name)


def first_load(found: SitePages, page: Page) -> set[Path]:
    """What a browser fetches that has seen nothing yet: the page's styles, its scripts and what
    they import, the typeface, and the larger one of the languages."""
    files = {max(CATALOGUES.glob("*.json"), key=lambda each: each.stat().st_size)}
    files.add(file_of(found, "/static/fonts/inter.woff2"))
    linked = (*page.all_sheets, page.module, THEME)
    waiting = [file_of(found, f"/static/{each}").resolve() for each in linked]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            if file.suffix == ".js":
                waiting += [each.resolve() for each in imports_of(found, file)]
    return files


def on_the_wire(file: Path) -> int:
    data = file.read_bytes()
    return len(gzip.compress(data) if file.suffix in PACKED else data)


@each_row("name, page", PAGES)
def test_a_first_load_is_light(name: str, page: str) -> None:
    files = first_load(SITES[name], SITES[name].pages[page])
    assert len(files) > 4
    assert sum(map(on_the_wire, files)) <= MOST_BYTES


@each_row("file", TEXTS)
def test_nothing_comes_from_elsewhere(file: Path) -> None:
    text = file.read_text("utf-8")
    outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}", text))
    assert outside <= {"http://www.w3.org", "//www.w3.org"}  # the name of a namespace


@each_row("name, page", PAGES)
def test_no_page_needs_what_the_policy_forbids(name: str, page: str) -> None:
    found = SITES[name]
    text = found.html(page)
    assert not re.findall(r"\sstyle=|\son\w+=|<style|<script(?! (?:type=\"module\" )?src=)", text)
    for link in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        assert file_of(found, link).is_file()


@each_row("script", SCRIPTS)
def test_imports_are_there_and_nothing_of_the_game_is_kept(script: Path) -> None:
    assert all(each.is_file() for each in imports_of(SITES["floor"], script))
    text = script.read_text("utf-8")
    kept = set(re.findall(r'localStorage\.setItem\(["`]?(\w+)', text))
    assert kept <= {"theme", "language", "coach", "sound"}
    assert "sessionStorage" not in text
    assert "indexedDB" not in text
    assert "innerHTML" not in text

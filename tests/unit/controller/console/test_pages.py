"""The pages as files: how much they weigh, and that nothing comes from elsewhere."""

import gzip
import re
from pathlib import Path

import controller.console
import controller.sentences
from controller.console.http.pages import TEXTS as PACKED
from support.rows import each_row

STATIC = Path(controller.console.__file__).parent / "static"
CATALOGUES = Path(controller.sentences.__file__).parent / "languages"
FILES = sorted(each for each in STATIC.rglob("*") if each.is_file())
TEXTS = [each for each in FILES if "fonts" not in each.parts]
HTML = [each for each in FILES if each.suffix == ".html"]
SCRIPTS = [each for each in FILES if each.suffix == ".js"]

MOST_BYTES = 250_000


def first_load(page: Path) -> set[Path]:
    """What a browser fetches that has seen nothing yet: the page, its styles, its scripts and what
    they import, the typeface, and the larger one of the languages."""
    linked = re.findall(r'(?:src|href)="/static/([^"]+)"', page.read_text("utf-8"))
    found = {page, STATIC / "fonts" / "inter.woff2"}
    found.add(max(CATALOGUES.glob("*.json"), key=lambda each: each.stat().st_size))
    waiting = [STATIC / each for each in linked]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            imports = re.findall(r'from "\./([^"]+)"', file.read_text("utf-8"))
            waiting += [file.parent / each for each in imports if file.suffix == ".js"]
    return found


def on_the_wire(file: Path) -> int:
    data = file.read_bytes()
    return len(gzip.compress(data) if file.suffix in PACKED else data)


@each_row("page", HTML)
def test_a_first_load_is_light(page: Path) -> None:
    files = first_load(page)
    assert len(files) > 4
    assert sum(map(on_the_wire, files)) <= MOST_BYTES


@each_row("file", TEXTS)
def test_nothing_comes_from_elsewhere(file: Path) -> None:
    text = file.read_text("utf-8")
    outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}", text))
    assert outside <= {"http://www.w3.org", "//www.w3.org"}  # the name of a namespace


@each_row("page", HTML)
def test_no_page_needs_what_the_policy_forbids(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not re.findall(r"\sstyle=|\son\w+=|<style|<script(?! (?:type=\"module\" )?src=)", text)
    for link in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        assert (STATIC / link.removeprefix("/static/")).is_file()


@each_row("script", SCRIPTS)
def test_imports_are_there_and_nothing_of_the_game_is_kept(script: Path) -> None:
    text = script.read_text("utf-8")
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (script.parent / name).is_file()
    kept = set(re.findall(r'localStorage\.setItem\(["`]?(\w+)', text))
    assert kept <= {"theme", "language", "coach", "sound"}
    assert "sessionStorage" not in text
    assert "indexedDB" not in text
    assert "innerHTML" not in text

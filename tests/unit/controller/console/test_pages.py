"""The pages as files: how much they weigh, and that nothing comes from elsewhere."""

import re
from pathlib import Path

import pytest

import controller.console

STATIC = Path(controller.console.__file__).parent / "static"
FILES = sorted(each for each in STATIC.rglob("*") if each.is_file())
HTML = [each for each in FILES if each.suffix == ".html"]
SCRIPTS = [each for each in FILES if each.suffix == ".js"]

MOST_BYTES = 300_000


def test_all_pages_together_are_light() -> None:
    assert sum(each.stat().st_size for each in FILES) < MOST_BYTES


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.name)
def test_nothing_comes_from_elsewhere(file: Path) -> None:
    text = file.read_text("utf-8")
    outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}", text))
    assert outside <= {"http://www.w3.org", "//www.w3.org"}  # the name of a namespace


@pytest.mark.parametrize("page", HTML, ids=lambda each: each.name)
def test_no_page_needs_what_the_policy_forbids(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not re.findall(r"\sstyle=|\son\w+=|<style|<script(?! (?:type=\"module\" )?src=)", text)
    for link in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        assert (STATIC / link.removeprefix("/static/")).is_file()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda each: each.name)
def test_imports_are_there_and_nothing_of_the_game_is_kept(script: Path) -> None:
    text = script.read_text("utf-8")
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (script.parent / name).is_file()
    kept = set(re.findall(r'localStorage\.setItem\("?(\w+)', text))
    assert kept <= {"theme", "language"}
    assert "sessionStorage" not in text
    assert "indexedDB" not in text
    assert "innerHTML" not in text

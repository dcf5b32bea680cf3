"""Pages of a folder as a site."""

import json
import os
from pathlib import Path

import pytest

from controller.console.manual.site import Manual

INDEX = "# All\n\n## Dealer\n\n* [A](a.md)\n\n## Pit\n\n* [A](a.md)\n* [B](b.md)\n"


@pytest.fixture
def manual(tmp_path: Path) -> Manual:
    (tmp_path / "README.md").write_text(INDEX)
    (tmp_path / "a.md").write_text("# A & co\n\n## Part\n\nWords.\n")
    (tmp_path / "b.md").write_text("# B\n")
    return Manual(tmp_path, {"made": lambda: "# Made\n"})


def test_navigation_has_every_page_once_in_the_first_group_that_lists_it(manual: Manual) -> None:
    page = manual.html("b")
    assert page.count('href="a.html"') == 1
    assert page.index("Dealer") < page.index('href="a.html"') < page.index("Pit")
    assert '<a href="b.html" aria-current="page">B</a>' in page
    assert 'href="made.html"' in page


def test_page_that_is_shown_lists_its_parts(manual: Manual) -> None:
    page = manual.html("a")
    assert "<title>A &amp; co · Sabot manual</title>" in page
    assert '<a href="#part">Part</a>' in page


def test_search_has_every_section(manual: Manual) -> None:
    index = json.loads(manual.search_index())
    assert ["a.html#part", "A & co", "Part", "Words."] in index
    assert ["made.html#made", "Made", "Made", ""] in index


def test_changed_page_is_read_again(manual: Manual, tmp_path: Path) -> None:
    before = manual.html("b")
    (tmp_path / "b.md").write_text("# Better\n")
    os.utime(tmp_path / "b.md", ns=(1, 1))
    assert manual.html("b") != before


def test_no_other_page_exists(manual: Manual) -> None:
    with pytest.raises(KeyError):
        manual.html("../site")

"""Stories played through the console: what a table takes, the web takes too.

One story of each kind in the first tier; all of them in the second.
"""

from pathlib import Path

import pytest

from scenario.story import Story, stories
from scenario.web_link import by_web

A_FEW = (
    "method_a_squeeze",
    "method_b_face_up",
    "method_c",
    "simultaneous",
    "cards_taken",
    "correction_after_settlement",
    "excess_card",
    "power_failure_no_outcome",
    "restart_interrupted",
    "void_aftermath",
    "wrong_order",
    "uncovered_void",
    "chip_position",
    "unreadable_face_up",
)


def few() -> list[tuple[Path, str]]:
    firsts = {path.stem: (path, book) for path, book in reversed(stories())}
    return [firsts[name] for name in A_FEW]


def play(path: Path, book: str, folder: Path) -> None:
    with by_web(folder) as opened:
        Story(opened, book).play(path.read_text("utf-8"))


@pytest.mark.parametrize(("path", "book"), few(), ids=A_FEW)
def test_story_by_web(path: Path, book: str, tmp_path: Path) -> None:
    play(path, book, tmp_path)


@pytest.mark.second_tier
@pytest.mark.parametrize(
    ("path", "book"), stories(), ids=[f"{path.stem}-{book}" for path, book in stories()]
)
def test_every_story_by_web(path: Path, book: str, tmp_path: Path) -> None:
    play(path, book, tmp_path)

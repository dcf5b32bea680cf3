"""Deleting any row of the machine, or any guard of a row, makes at least one story fail."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from controller.engine import phases
from controller.engine.phases import ROWS, PhaseRow
from controller.table.phases import Phase
from scenario.memory_link import open_in_memory
from scenario.story import Story, stories
from support.phase_diagram import phase_diagram, section

pytestmark = pytest.mark.second_tier

ROOT: Final = Path(__file__).parents[2]
STORIES: Final = ROOT / "tests/scenario/stories"

TRIED_FIRST: Final = (
    "mbs/foreign_card_another_face",
    "rws/plain_round",
    "mbs/not_enough_cards_face_down",
    "house/closed_between_shoes",
    "rws/wrong_number_put_right",
    "rws/close_after_a_void",
    "mbs/unreadable_third_cards",
    "mbs/void_aftermath",
    "short/cutting_card_between_rounds",
    "mbs/device_card_while_closed",
    "house/shoe_replaced_and_burned",
    "mbs/correction_natural",
    "mbs/correction_banker_draws",
    "mbs/device_reset_untracked",
    "rws/squeeze_request_third_card",
    "mbs/simultaneous_fourth_card_drawn_meanwhile",
)
"""Between them they need every row and every guard; the others are tried when they do not."""


def name_of(path: Path) -> str:
    return path.relative_to(STORIES).with_suffix("").as_posix()


@cache
def in_turn() -> list[tuple[Path, str]]:
    """Every story with every book, those first that are likely to notice."""
    place = {name: number for number, name in enumerate(TRIED_FIRST)}
    return sorted(stories(), key=lambda each: place.get(name_of(each[0]), len(place)))


def play(path: Path, book: str) -> None:
    Story(open_in_memory, book).play(path.read_text("utf-8"))


def noticed() -> bool:
    """Does a story fail?"""
    for path, book in in_turn():
        try:
            play(path, book)
        except Exception:  # noqa: BLE001  # any failure is a story that noticed
            return True
    return False


def named(row: PhaseRow) -> str:
    source = row.source.value if isinstance(row.source, Phase) else "many"
    return f"{row.trigger.value}-{source}-{row.dest.value}"


def guards() -> Iterator[tuple[PhaseRow, str]]:
    for row in ROWS:
        for guard in row.guards:
            yield row, guard


@pytest.mark.parametrize("name", TRIED_FIRST)
def test_stories_that_are_tried_first_pass_with_all_rows(name: str) -> None:
    """Else they would notice anything."""
    for path, book in stories():
        if name_of(path) == name:
            play(path, book)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_story_notices_a_deleted_row(row: PhaseRow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phases, "ROWS", tuple(each for each in ROWS if each is not row))
    assert noticed(), f"no story needs {row}"


@pytest.mark.parametrize(
    ("row", "guard"), [pytest.param(*each, id=f"{named(each[0])}-{each[1]}") for each in guards()]
)
def test_story_notices_a_deleted_guard(
    row: PhaseRow, guard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = tuple(each for each in row.guards if each != guard)
    broken = tuple(replace(each, guards=others) if each is row else each for each in ROWS)
    monkeypatch.setattr(phases, "ROWS", broken)
    assert noticed(), f"no story needs {guard} in {row}"


# --- the diagram --------------------------------------------------------------------------------

MAX_EDGES: Final = 36
"""A diagram with more is unreadable."""


def test_diagram_in_the_readme_is_made_from_the_rows() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert section() in readme, "run `make generate ONLY=phase-diagram`"


def test_diagram_has_every_row_and_fits_a_screen() -> None:
    edges = [line for line in phase_diagram().splitlines() if " --> " in line]
    labels = [label for line in edges for label in line.partition(": ")[2].split(" | ") if label]
    assert len(labels) == len(ROWS)
    assert len(edges) <= MAX_EDGES
    for guard in {guard for row in ROWS for guard in row.guards}:
        assert any(guard in label for label in labels)

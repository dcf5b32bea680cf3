"""Switching off any one precondition of any irregularity row makes at least one story fail."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from controller.game.irregularities import Precondition
from controller.game.rulebook import Rulebook
from controller.rulebooks import RULEBOOKS
from scenario.memory_link import open_in_memory
from scenario.story import Story, stories

pytestmark = pytest.mark.second_tier


def preconditions() -> Iterator[tuple[str, str, Precondition]]:
    for book in RULEBOOKS.values():
        for row in book.irregularities:
            for need in row.needs:
                yield book.id, row.id, need


def without(book: Rulebook, row_id: str, need: Precondition) -> Rulebook:
    """The book in which one irregularity may be reported although this is not so."""
    rows = [
        replace(row, needs=tuple(each for each in row.needs if each is not need))
        if row.id == row_id
        else row
        for row in book.irregularities
    ]
    return replace(book, irregularities=tuple(rows))


def noticed(book_id: str, row_id: str) -> bool:
    """Does a story of this row fail? Those in which it did not happen are tried first, then others
    named after it, and last those in which a report of it is refused."""
    under = [path for path, book in stories() if book == book_id]
    mine = [path for path in under if path.stem.startswith(row_id)]
    mine.sort(key=lambda path: "did_not_happen" not in path.stem)
    refused = re.compile(rf"reports {row_id}\b.*\(refused\)")
    for path in [*mine, *(each for each in under if each not in mine)]:
        text = path.read_text("utf-8")
        if path not in mine and not refused.search(text):
            continue
        try:
            Story(open_in_memory, book_id).play(text)
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize(("book_id", "row_id", "need"), list(preconditions()))
def test_story_notices_a_precondition_switched_off(
    book_id: str, row_id: str, need: Precondition, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = without(RULEBOOKS[book_id], row_id, need)
    monkeypatch.setitem(RULEBOOKS, book_id, broken)
    assert noticed(book_id, row_id), f"no story needs {need.value} of {row_id} in {book_id}"

"""Deleting any irregularity row from a rulebook makes at least one story fail."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from controller.game.rulebook import Rulebook
from controller.rulebooks import RULEBOOKS
from scenario.memory_link import open_in_memory
from scenario.story import Story, stories

pytestmark = pytest.mark.second_tier


def deletions() -> Iterator[tuple[str, str, int]]:
    for book in RULEBOOKS.values():
        for row in book.irregularities:
            for number in range(len(row.rulings)):
                yield book.id, row.id, number


def without(book: Rulebook, row_id: str, number: int) -> Rulebook:
    """The book less one ruling of one irregularity, or less the row when that was the only one."""
    rows = []
    for row in book.irregularities:
        rulings = tuple(r for n, r in enumerate(row.rulings) if row.id != row_id or n != number)
        if rulings:
            rows.append(replace(row, rulings=rulings))
    return replace(book, irregularities=tuple(rows))


def noticed(book_id: str, row_id: str) -> bool:
    """Does a story under this book fail? Those whose name has the row in it are tried first."""
    mine = [path for path, book in stories() if book == book_id]
    for path in sorted(mine, key=lambda path: not path.stem.startswith(row_id)):
        try:
            Story(open_in_memory, book_id).play(path.read_text("utf-8"))
        except Exception:  # noqa: BLE001  # any failure is a story that noticed
            return True
    return False


@pytest.mark.parametrize(("book_id", "row_id", "number"), list(deletions()))
def test_story_notices_a_deleted_ruling(
    book_id: str, row_id: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = without(RULEBOOKS[book_id], row_id, number)
    monkeypatch.setitem(RULEBOOKS, book_id, broken)
    assert noticed(book_id, row_id), f"no story needs ruling {number} of {row_id} in {book_id}"

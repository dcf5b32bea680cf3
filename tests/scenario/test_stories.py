"""Every story in stories/, played at a table in memory."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from memory_link import open_in_memory
from story import Story, clauses, stories


def cases() -> list[ParameterSet]:
    """Every story under every book it names, marked with the clauses that must come out."""
    return [
        pytest.param(
            path,
            book,
            id=f"{path.stem}-{book}",
            marks=[pytest.mark.clause(book, number) for number in clauses(path, book)[:3]],
        )
        for path, book in stories()
    ]


@pytest.mark.parametrize(("path", "book"), cases())
def test_story(path: Path, book: str) -> None:
    Story(open_in_memory, book).play(path.read_text("utf-8"))

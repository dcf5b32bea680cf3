"""Reading `@pytest.mark.clause(book, number)`, and what it says the test shows."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from support.clauses.shows import Shows


def clauses_of(item: pytest.Item) -> set[tuple[str, str]]:
    return {(mark.args[0], mark.args[1]) for mark in item.iter_markers("clause")}


def shown_by(item: pytest.Item) -> dict[tuple[str, str], Shows]:
    """The clauses that this test shows at work; the others it names are only named."""
    return {
        (mark.args[0], mark.args[1]): Shows(mark.kwargs["shows"])
        for mark in item.iter_markers("clause")
        if "shows" in mark.kwargs
    }


def function_of(item: pytest.Item) -> str:
    """The node id without the parameters, so that the name stays when a parameter is added.

    A story is a test of its own, known by its file.
    """
    story = getattr(item, "callspec", None) and item.callspec.params.get("path")  # type: ignore[attr-defined]
    if isinstance(story, Path):
        return story.relative_to(item.config.rootpath).as_posix()
    return item.nodeid.partition("[")[0]


def tests_by_clause(items: Iterable[pytest.Item]) -> dict[str, dict[str, list[str]]]:
    """Book, then clause, then the tests that name it; sorted so that the file changes little."""
    found: dict[str, dict[str, set[str]]] = {}
    for item in items:
        for book, number in clauses_of(item):
            found.setdefault(book, {}).setdefault(number, set()).add(function_of(item))
    return {
        book: {number: sorted(found[book][number]) for number in sorted(found[book], key=_order)}
        for book in sorted(found)
    }


def _order(number: str) -> list[int]:
    return [int(part) if part.isdigit() else -1 for part in number.split(".")]

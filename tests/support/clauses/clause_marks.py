"""Reads `@pytest.mark.clause(book, number)` and what the mark says that the test shows.

A test names at most three clauses of a book: a single test over all numbers would prove nothing.
Every *enforced* clause has a test that shows the table prevent or change something.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from controller.rulebooks import RULEBOOKS
from controller.rulebooks.register import ClauseKind, clauses
from support.clauses.shows import Shows

MAX_CLAUSES: Final = 3


@dataclass(frozen=True)
class Collected:
    """What the marks of all collected tests say, those of the second tier included."""

    tests_by_clause: dict[str, dict[str, list[str]]]
    complaints: list[str]
    second_tier_files: set[str]

    @classmethod
    def of(cls, items: Sequence[pytest.Item]) -> "Collected":
        second = {each for each in items if each.get_closest_marker("second_tier")}
        files = {each.nodeid.partition("::")[0] for each in second}
        return cls(tests_by_clause(items), list(complaints(items)), files)


COLLECTED: Final = pytest.StashKey[Collected]()


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


def complaints(items: Sequence[pytest.Item]) -> Iterator[str]:
    """One sentence for each clause mark that breaks a rule of this module."""
    yield from _too_many(items)
    yield from _nothing_shown(items)


def _too_many(items: Sequence[pytest.Item]) -> Iterator[str]:
    by_function: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in items:
        named = clauses_of(item)
        if len(named) > MAX_CLAUSES:
            yield f"{item.nodeid} names {len(named)} clauses"
        for book, number in named:
            by_function[function_of(item), book].add(number)
    for (function, book), numbers in by_function.items():
        if len(numbers) > MAX_CLAUSES:
            yield f"{function} names {len(numbers)} clauses of {book}"


def _nothing_shown(items: Sequence[pytest.Item]) -> Iterator[str]:
    shown = {clause for item in items for clause in shown_by(item)}
    for book in RULEBOOKS:
        for clause in clauses(book):
            if clause.kind is ClauseKind.ENFORCED and (book, clause.id) not in shown:
                yield f"no test shows {book} {clause.id} prevent or change anything"

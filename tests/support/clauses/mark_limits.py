"""A pytest plugin for the register's gate: what clause marks may say.

At most three clauses a test. A test run for several books may name up to three clauses of each, one
set a parameter; a single test over all numbers would prove nothing. And every *enforced* clause has
a test in which the table had to prevent or change something, which that test's source bears out.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from controller.rulebooks import RULEBOOKS
from controller.rulebooks.register import ClauseKind, clauses
from support.clauses.clause_marks import clauses_of, function_of, shown_by
from support.clauses.shows import IN_SOURCE

MOST = 3
PREFIX = "clause marks: "


def pytest_collection_finish(session: pytest.Session) -> None:
    for sentence in complaints(session.items):
        session.config.get_terminal_writer().line(f"{PREFIX}{sentence}")


def complaints(items: Sequence[pytest.Item]) -> list[str]:
    return [*_too_many(items), *_nothing_shown(items), *_said_and_not_in_source(items)]


def _too_many(items: Sequence[pytest.Item]) -> Iterator[str]:
    by_function: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in items:
        named = clauses_of(item)
        if len(named) > MOST:
            yield f"{item.nodeid} names {len(named)} clauses"
        for book, number in named:
            by_function[function_of(item), book].add(number)
    for (function, book), numbers in by_function.items():
        if len(numbers) > MOST:
            yield f"{function} names {len(numbers)} clauses of {book}"


def _nothing_shown(items: Sequence[pytest.Item]) -> Iterator[str]:
    shown = {clause for item in items for clause in shown_by(item)}
    for book in RULEBOOKS:
        for clause in clauses(book):
            if clause.kind is ClauseKind.ENFORCED and (book, clause.id) not in shown:
                yield f"no test shows {book} {clause.id} prevent or change anything"


def _said_and_not_in_source(items: Sequence[pytest.Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, pytest.Function) and not _is_story(item):
            hows = set(shown_by(item).values())
            source = inspect.getsource(item.function) if hows else ""
            for how in hows:
                if not re.search(IN_SOURCE[how], source):
                    yield f"{item.nodeid} does not show anything {how.value}"


def _is_story(item: pytest.Function) -> bool:
    """What a story shows is read from its text."""
    return isinstance(getattr(item, "callspec", None) and item.callspec.params.get("path"), Path)

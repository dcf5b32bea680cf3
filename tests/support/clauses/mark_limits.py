"""A pytest plugin for the register's gate: what clause marks may say.

At most three clauses a test. A test run for several books may name up to three clauses of each, one
set a parameter; a single test over all numbers would prove nothing. And every *enforced* clause has
a test in which the table had to prevent or change something, which that test's source bears out.
"""

import inspect
import re
from collections import defaultdict
from pathlib import Path

import pytest

from controller.rulebooks import RULEBOOKS
from controller.rulebooks.register import ClauseKind, clauses
from support.clauses.clause_marks import clauses_of, function_of, shown_by
from support.clauses.shows import IN_SOURCE

MOST = 3


def pytest_collection_finish(session: pytest.Session) -> None:
    by_function: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in session.items:
        named = clauses_of(item)
        if len(named) > MOST:
            _complain(session, f"{item.nodeid} names {len(named)} clauses")
        for book, number in named:
            by_function[function_of(item), book].add(number)
    for (function, book), numbers in by_function.items():
        if len(numbers) > MOST:
            _complain(session, f"{function} names {len(numbers)} clauses of {book}")
    _nothing_shown(session)
    _said_and_not_in_source(session)


def _nothing_shown(session: pytest.Session) -> None:
    shown = {clause for item in session.items for clause in shown_by(item)}
    for book in RULEBOOKS:
        for clause in clauses(book):
            if clause.kind is ClauseKind.ENFORCED and (book, clause.id) not in shown:
                _complain(session, f"no test shows {book} {clause.id} prevent or change anything")


def _said_and_not_in_source(session: pytest.Session) -> None:
    for item in session.items:
        if isinstance(item, pytest.Function) and not _is_story(item):
            source = inspect.getsource(item.function)
            for how in set(shown_by(item).values()):
                if not re.search(IN_SOURCE[how], source):
                    _complain(session, f"{item.nodeid} does not show anything {how.value}")


def _is_story(item: pytest.Function) -> bool:
    """What a story shows is read from its text."""
    return isinstance(getattr(item, "callspec", None) and item.callspec.params.get("path"), Path)


def _complain(session: pytest.Session, sentence: str) -> None:
    session.config.get_terminal_writer().line(f"clause marks: {sentence}")

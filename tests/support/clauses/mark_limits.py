"""A pytest plugin for the register's gate: at most three clauses a test.

A test run for several books may name up to three clauses of each, one set a parameter; a single
test over all numbers would prove nothing.
"""

from collections import defaultdict

import pytest

from support.clauses.clause_marks import clauses_of, function_of

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


def _complain(session: pytest.Session, sentence: str) -> None:
    session.config.get_terminal_writer().line(f"clause marks: {sentence}")

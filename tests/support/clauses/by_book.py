"""One test for several rulebooks, each under its own clause numbers."""

from collections.abc import Mapping

import pytest

from support.clauses.clause_cases import case


def by_book(clauses: Mapping[str, str], shows: str | None = None) -> pytest.MarkDecorator:
    """`@by_book({MBS: "3.12 3.12.1", RWS: "3.10"})`: once a book, as proof of its clauses."""
    cases = [case(book_id, proves=numbers, shows=shows) for book_id, numbers in clauses.items()]
    return pytest.mark.parametrize("book_id", cases)

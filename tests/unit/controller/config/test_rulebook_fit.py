"""What a book wants a table to be set up with."""

import pytest

from controller.config import rulebook_fit
from controller.game.money.rounding import Rounding
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS

WANTED = {
    MBS: ("3.5.1", ["minimum", "maximum"]),
    DT: ("3.5.1", ["minimum", "maximum"]),
    RWS: ("3.4", ["minimum", "differential"]),
}


@by_book({book: clause for book, (clause, _) in WANTED.items()})
def test_limits_that_are_displayed_have_to_be_given(book_id: str) -> None:
    clause, wanted = WANTED[book_id]
    rules = Rules(rulebook(book_id), HouseRules(book_id), Rounding.DOWN)
    lacks = sentence(Code.LIMITS_NOT_DISPLAYED, limits=wanted, clause=clause)
    assert rulebook_fit.shortcomings(rules) == [lacks]
    given = HouseRules(book_id, minimum=100, maximum=1000, differential=5000)
    assert rulebook_fit.shortcomings(Rules(rulebook(book_id), given, Rounding.DOWN)) == []


@pytest.mark.parametrize(("book", "track"), [(SANDS, True), (MBS, False)])
def test_where_no_wagers_are_taken_or_no_document_asks_none_are_wanted(
    book: str, track: bool
) -> None:
    assert (
        rulebook_fit.shortcomings(Rules(rulebook(book), HouseRules(book, track_wagers=track))) == []
    )


def test_a_share_does_not_come_out_whole() -> None:
    house = HouseRules(RWS, minimum=100, differential=5000)
    (lacks,) = rulebook_fit.shortcomings(Rules(rulebook(RWS), house, Rounding.EXACT))
    assert lacks == sentence(Code.PRO_RATA_IS_ROUNDED, clause="5.1.1")

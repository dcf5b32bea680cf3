"""Requests that wait for a second person: their order, and how each ends."""

import pytest

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.agenda import pending
from controller.table.refused import Refused
from controller.table.requests import (
    ApprovalRequest,
    CloseOverDifferential,
    ConfirmCount,
    CorrectCard,
    GoOn,
)
from controller.table.state import Table
from drivers.cards import Card

COUNT = ApprovalRequest(ConfirmCount(4, 1), "dan")
CORRECTION = ApprovalRequest(CorrectCard(1, Card.parse("9H"), Card.parse("8H")), "dan")
GO_ON = ApprovalRequest(GoOn((("must_clear", 1.0),)), "pia")
CLOSE = ApprovalRequest(CloseOverDifferential("5.1", (700,)), "dan")


def test_an_earlier_turn_goes_first() -> None:
    table = Table()
    for request in (CLOSE, CORRECTION, COUNT):
        table = pending.ask(table, request)
    assert table.requests == (COUNT, CORRECTION, CLOSE)
    assert table.request is COUNT


@pytest.mark.parametrize("second", [GO_ON, CLOSE])
def test_a_request_of_the_same_turn_or_a_later_one_is_made_afterwards(
    second: ApprovalRequest,
) -> None:
    table = pending.ask(Table(), CORRECTION)
    with pytest.raises(Refused) as refused:
        pending.ask(table, second)
    assert refused.value.reason == sentence(Code.SECOND_PERSON_FIRST, request="correct")


def test_an_answered_request_leaves_the_others() -> None:
    table = pending.ask(pending.ask(Table(), CLOSE), COUNT)
    assert pending.without_request(table, COUNT).requests == (CLOSE,)


def test_a_request_without_a_subject_ends_with_a_notice() -> None:
    table = pending.end_request(pending.ask(Table(), CLOSE), CLOSE)
    assert table.requests == ()
    assert table.notices == (sentence(Code.REQUEST_ENDED, request="close_betting", by="dan"),)

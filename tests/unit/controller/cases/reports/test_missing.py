"""A player walked off with cards: what is missing is told from what is left."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller.cases.reports import missing
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.case import AwaitsCounts, AwaitsKept, Case
from controller.table.commands.message import Message
from controller.table.commands.people import AnswerQuestionCommand
from controller.table.refused import Refused
from controller.table.state import Table
from drivers.cards import DECK
from support.rows import each_row
from support.table.bench import Bench, code, why


def taken(*cards: str) -> Bench:
    """Face down; the second card was never read, and two cards are kept."""
    bench = Bench(deal_face="down").deal(*(cards or ("2H", "??", "3D", "5S")))
    bench.say("report", what="cards_taken", facts={"value_known": False})
    bench.card("4H", "9D")
    return bench


def left(*out: str, also: int = 0) -> dict[str, int]:
    """Eight decks less these cards; `also` more of the nine of clubs are gone."""
    counts = {card.code: 8 for card in DECK}
    for card in out:
        counts[card] -= 1
    counts["9C"] -= also
    return counts


LYING = ("2H", "3D", "5S", "4H", "9D")


def test_the_absent_card_is_the_missing_one_and_the_kept_ones_lie_aside() -> None:
    bench = taken()
    bench.say("answer", "gus", left=left(*LYING, "KC"))
    assert bench.hand("banker") == ["KC", "5S"]
    assert [drawn.card for drawn in bench.round.cards if drawn.hand is None] == ["4H", "9D"]
    assert bench.table.case is None
    assert bench.table.change_shoe, "5.11.5"


def test_two_cards_are_kept_and_known_first() -> None:
    bench = Bench(deal_face="down").deal("2H", "??")
    bench.say("report", what="cards_taken", facts={"value_known": False})
    bench.card("4H")
    refused = bench.refused("answer", "gus", left=left())
    assert (why(refused), refused.clause) == (sentence(Code.KEEP_TWO_FIRST), "5.11.1")
    bench.card("??")
    refused = bench.refused("answer", "gus", left=left())
    assert (code(refused), refused.clause) == ("waits_for_something_else", "5.11.1")
    assert bench.table.case is not None
    assert isinstance(bench.table.case.awaits, AwaitsKept), "which is what the table asks for"
    bench.say("enter_card", "gus", card="4D")
    assert isinstance(bench.table.case.awaits, AwaitsCounts)


def test_a_third_card_is_not_kept_and_comes_after_those_that_are() -> None:
    bench = Bench(deal_face="down").deal("2H", "??")
    bench.say("report", what="cards_taken", facts={"value_known": False})
    bench.card("4H", "5H", "6H")
    assert bench.table.case is not None
    assert [drawn.card for drawn in bench.table.case.kept] == ["4H", "5H"]
    bench.say("answer", "gus", left=left("2H", "KC", "4H", "5H", "6H"))
    assert [drawn.n for drawn in bench.round.cards] == [1, 2, 3, 4, 5]
    assert [drawn.card for drawn in bench.round.cards] == ["2H", "KC", "4H", "5H", "6H"]


@each_row(
    "given, says",
    [
        ({}, sentence(Code.FIELD_NEEDED, word="answer", field="left")),
        ({"left": left(*LYING)}, sentence(Code.COUNT_AGAIN, absent=0, taken=1)),
        ({"left": left(*LYING, also=2)}, sentence(Code.COUNT_AGAIN, absent=2, taken=1)),
        ({"left": left(*LYING[1:], "KC")}, sentence(Code.COUNTED_TOO_MANY, cards=1, card="2H")),
    ],
)
def test_a_count_that_cannot_be_is_refused(given: dict[str, Any], says: Any) -> None:
    assert why(taken().refused("answer", "gus", **given)) == says


def test_where_no_card_is_missing_there_is_nothing_to_tell() -> None:
    """The device has read them all: whatever was reported, nothing is sorted."""
    bench = Bench().deal("2H", "KC", "3D", "5S")
    bench.say("report", what="cards_taken", facts={"value_known": False})
    assert bench.table.case is None


def told(bench: Bench, counts: dict[str, int]) -> Table:
    case = bench.table.case
    assert isinstance(case, Case)
    said = Message("staff", AnswerQuestionCommand(left=counts), who="gus")
    return missing.set_missing_cards(bench.table, case, said, bench.rules)


def test_which_hand_each_absent_card_belongs_to_cannot_be_told() -> None:
    bench = taken("2H", "??", "??", "5S")
    counts = left("2H", "5S", "4H", "9D", "KC", "3D")
    with pytest.raises(Refused) as refused:
        told(bench, counts)
    assert refused.value.reason.code == "hand_of_absent_unknown"
    same = left("2H", "5S", "4H", "9D", "KC", "KC")
    after = told(bench, same)
    assert after.round is not None
    assert [drawn.card for drawn in after.round.cards][:4] == ["2H", "KC", "KC", "5S"]


def test_two_absent_cards_of_one_hand_need_no_telling() -> None:
    bench = taken("2H", "??", "3D", "??")
    after = told(bench, left("2H", "3D", "4H", "9D", "KC", "5S"))
    assert after.round is not None
    assert {drawn.card for drawn in after.round.cards if drawn.n in (2, 4)} == {"KC", "5S"}


def test_nothing_is_changed_in_place() -> None:
    bench = taken()
    before = replace(bench.table)
    told(bench, left(*LYING, "KC"))
    assert bench.table == before

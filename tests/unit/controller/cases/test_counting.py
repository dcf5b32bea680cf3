"""The count: one person where it agrees, two where it does not; missing cards take their place."""

import pytest

from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from support.table.bench import NATURAL, Bench, code, why


def lost(*cards: str) -> Bench:
    bench = Bench().deal(*cards)
    bench.device("events_lost")
    return bench


def test_one_persons_word_is_enough_where_it_agrees() -> None:
    bench = lost("9H", "2C")
    bench.card("KD")
    bench.say("count", cards=3)
    assert bench.state == "dealing"
    assert bench.hand("player") == ["9H", "KD"]
    assert bench.table.doubt is None


def test_a_count_that_differs_takes_a_second_person() -> None:
    bench = lost("9H")
    bench.say("count", cards=2)
    assert bench.table.request is not None
    assert bench.table.request.kind == "count"
    assert code(bench.refused("approve", "dan")) == "takes_role"
    bench.say("approve", "pia")
    assert bench.table.notices[-1] == sentence(Code.LEFT_UNREAD, cards=1)
    assert bench.hand("banker") == [None], "it takes the place that was due"


def test_whoever_counted_does_not_approve_it() -> None:
    bench = lost("9H")
    bench.say("count", "pia", cards=2)
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "paul")


def test_a_missing_card_lies_before_what_came_after_the_loss() -> None:
    bench = Bench(deal_face="down").deal("9H")
    bench.device("events_lost")
    bench.card("KD")
    bench.say("count", cards=3)
    bench.say("approve", "pia")
    assert [(drawn.n, drawn.card) for drawn in bench.round.cards] == [
        (1, "9H"),
        (2, None),
        (3, "KD"),
    ]
    assert bench.hand("player") == ["9H", "KD"]


def test_fewer_cards_than_were_read_are_for_the_role_the_book_names() -> None:
    bench = lost("9H", "2C")
    bench.say("count", cards=1)
    bench.say("approve", "pia")
    assert bench.table.case is not None
    assert bench.table.case.id == "count_differs"
    bench.say("decide", "gus", text="one fell down and was found")
    assert bench.state == "dealing"


def test_lost_more_than_once_with_cards_between_their_order_is_for_people() -> None:
    bench = lost("9H")
    bench.card("2C")
    bench.device("events_lost")
    bench.say("count", cards=3)
    bench.say("approve", "pia")
    ids = [case.id for case in (bench.table.case, *bench.table.queue) if case]
    assert "count_order" in ids


def test_lost_more_than_once_and_nothing_missing_asks_nobody() -> None:
    bench = lost("9H")
    bench.card("2C")
    bench.device("events_lost")
    bench.say("count", cards=2)
    assert bench.table.case is None
    assert bench.hand("banker") == ["2C"]


def test_a_second_count_stands_in_place_of_the_first() -> None:
    bench = lost("9H")
    bench.say("count", cards=3)
    bench.say("count", cards=1)
    assert (bench.table.request, bench.state) == (None, "dealing")


def test_a_difference_is_kept_whatever_comes_before_the_second_person_speaks() -> None:
    bench = lost("9H")
    bench.say("count", cards=2)
    bench.card("KD")
    bench.say("approve", "pia")
    assert [drawn.card for drawn in bench.round.cards] == ["9H", None, "KD"]


def test_said_unasked_it_is_a_report_of_a_card_that_was_not_read() -> None:
    bench = Bench().deal("9H")
    bench.say("count", cards=1)
    assert bench.state == "dealing"
    bench.say("count", cards=2)
    assert bench.table.doubt is not None
    assert bench.table.doubt.why.code == "dealer_counts"


@pytest.mark.parametrize("cards", [601, 10**6])
def test_more_cards_than_any_shoe_holds_do_not_lie_there(cards: int) -> None:
    wants = sentence(Code.TOO_MANY_CARDS_TO_LIE_THERE, cards=cards)
    assert why(lost("9H").refused("count", cards=cards)) == wants


def test_without_a_shoe_there_is_nothing_to_count() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    assert code(bench.refused("count", cards=0)) == "nothing_to_count"


def test_a_first_card_that_was_lost_is_refused_by_the_count_at_once() -> None:
    """A card that cannot be laid unread is entered; nobody approves what cannot be done."""
    bench = Bench(burn="first_card").open()
    bench.device("events_lost")
    assert code(bench.refused("count", cards=1)) == "first_card_unread"


def test_what_the_cards_bring_up_comes_before_what_waited_for_the_count() -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("events_lost")
    bench.device("error", means="does_not_belong")
    bench.card("4H")
    bench.say("count", cards=5)
    cases = [case.id for case in (bench.table.case, *bench.table.queue) if case]
    assert cases == ["excess_card", "foreign_card"]

"""The count: one person where it agrees, two where it does not; missing cards take their place."""

from typing import Any

import pytest

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from support.rows import each_row
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
    assert bench.table.count_check is None


def test_a_count_that_differs_takes_a_second_person() -> None:
    bench = lost("9H")
    bench.say("count", cards=2)
    assert bench.table.request is not None
    assert bench.table.request.kind == "count"
    assert code(bench.refused("approve", "dan")) == "takes_role"
    bench.say("approve", "pia")
    assert bench.table.notices[-1] == sentence(Code.LEFT_UNREAD, cards=1)
    assert bench.hand("banker") == [None], "it takes the place that was due"


def test_a_second_person_who_counts_the_same_has_approved_it() -> None:
    bench = lost("9H")
    bench.say("count", cards=2)
    bench.say("count", cards=2)  # the same person says it again
    asked = bench.table.request
    assert asked is not None
    bench.say("count", "pia", cards=2)
    assert bench.table.request is None
    assert bench.table.notices[-1] == sentence(Code.LEFT_UNREAD, cards=1)
    assert bench.hand("banker") == [None]


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


@pytest.mark.parametrize(("cards", "lie"), [(2, ["9H", "KD"]), (3, ["9H", None, "KD"])])
def test_a_card_that_comes_before_the_second_person_speaks_has_it_counted_again(
    cards: int, lie: list[str | None]
) -> None:
    """It is the one that was counted, or another."""
    bench = lost("9H")
    bench.say("count", cards=2)
    bench.card("KD")
    assert code(bench.refused("approve", "pia")) == "count_first"
    bench.say("count", cards=cards)
    if cards == 3:
        bench.say("approve", "pia")
    assert [drawn.card for drawn in bench.round.cards] == lie


def test_said_unasked_it_is_a_report_of_a_card_that_was_not_read() -> None:
    bench = Bench().deal("9H")
    bench.say("count", cards=1)
    assert bench.state == "dealing"
    bench.say("count", cards=2)
    assert bench.table.count_check is not None
    assert bench.table.count_check.why.code == "dealer_counts"


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
    assert cases == ["foreign_card"]
    assert [ruled.id for ruled in bench.table.rulings] == ["excess_card"]


# --- a loss that was counted, and a card that comes after all -----------------------------------


def counted_unread(**house: Any) -> Bench:
    """The fourth card was counted by two people; the shoe has not told of it."""
    bench = Bench(**house).deal()
    for card, hand, index in (("9H", "player", 1), ("2C", "banker", 1), ("KD", "player", 2)):
        bench.device("card", card=card, hand=hand, index=index)
    bench.say("count", cards=4)
    bench.say("approve", "pia")
    return bench


def entered(card: str = "6S") -> Bench:
    bench = counted_unread()
    bench.say("enter_card", card=card)
    bench.say("approve", "pia")
    assert bench.state == "outcome"
    return bench


def test_a_loss_that_was_counted_is_not_asked_again_at_the_next_number() -> None:
    bench = entered()
    bench.settle()
    bench.deal()
    bench.device("events_lost", says="event 6 came after event 2", by_number=True)
    assert bench.table.count_check is None
    bench.device("card", card="9D", hand="player", index=1)
    assert (bench.state, bench.hand("player")) == ("dealing", ["9D"])


@pytest.mark.parametrize("told", [{"hand": "banker", "index": 1}, {}])
def test_but_where_the_next_card_is_for_another_place_more_was_lost(told: dict[str, Any]) -> None:
    bench = entered()
    bench.settle()
    bench.deal()
    bench.device("events_lost", says="event 7 came after event 2", by_number=True)
    bench.device("card", card="9D", **told)
    assert bench.table.count_check is not None
    assert len(bench.table.count_check.unplaced) == 1


@pytest.mark.parametrize(
    ("third", "player", "banker"),
    [("3D", ["2C", "3D", "4C"], ["3H", "KS", "6S"]), ("4D", ["2C", "4D"], ["3H", "KS", "6S"])],
)
def test_behind_the_bankers_third_none_is_missing_where_the_player_may_have_drawn(
    third: str, player: list[str], banker: list[str]
) -> None:
    """The fourth card is missing and waits to be entered, so nobody knows yet what was due; where
    the Player stands by the cards that lie there, the other one is too many."""
    bench = Bench().deal("2C", "3H", third)
    bench.device("events_lost", says="event 6 came after event 3", by_number=True)
    bench.device("card", card="6S", hand="banker", index=3)
    bench.say("count", cards=6)
    bench.say("approve", "pia")
    for card in ("KS", "4C") if len(player) > 2 else ("KS",):
        bench.say("enter_card", card=card)
        bench.say("approve", "pia")
    assert (bench.hand("player"), bench.hand("banker")) == (player, banker)


@each_row(
    "word, told",
    [
        ("notice", {"says": "setting 01 of the shoe was changed"}),
        ("locked", {}),
        ("error", {"code": 3}),
        ("error_cleared", {"code": 3}),
    ],
)
def test_what_is_lost_behind_another_word_of_the_shoe_was_not_counted(
    word: str, told: dict[str, Any]
) -> None:
    bench = entered()
    bench.settle()
    bench.deal()
    bench.device(word, **told)
    bench.device("events_lost", says="event 8 came after event 6", by_number=True)
    assert bench.table.count_check is not None


def test_the_word_by_which_a_counted_loss_shows_leaves_it_to_the_next_card() -> None:
    bench = entered()
    bench.settle()
    bench.deal()
    bench.device("events_lost", says="event 6 came after event 2", by_number=True)
    bench.device("notice", says="setting 01 of the shoe was changed")
    assert bench.table.count_check is None
    bench.device("card", card="9D", hand="banker", index=1)
    assert bench.table.count_check is not None


def test_a_counted_card_that_comes_is_not_another_card() -> None:
    bench = entered("6S")
    bench.device("card", card="6S", hand="banker", index=2)
    assert (bench.state, bench.hand("banker")) == ("outcome", ["2C", "6S"])
    assert len(bench.round.cards) == 4
    assert bench.table.notices[-1] == sentence(Code.COUNTED_CARD_CAME, n=4)


def test_also_in_the_next_round() -> None:
    bench = entered("6S")
    bench.settle()
    bench.deal()
    bench.device("card", card="6S", hand="banker", index=2)
    assert (bench.state, bench.round.cards) == ("dealing", ())


@pytest.mark.parametrize("settled", [False, True])
def test_a_difference_from_what_two_people_entered_is_shown_and_holds(settled: bool) -> None:
    bench = entered("6S")
    if settled:
        bench.settle()
        bench.deal()
    bench.device("card", card="7S", hand="banker", index=2)
    (latch,) = bench.table.latches
    assert latch.text == sentence(Code.CARD_DIFFERS, n=4, shoe="7S", table="6S")
    assert bench.state == "halted"
    if settled:
        bench.say("resume", "pia")
        bench.say("approve", "paul")
    else:
        bench.say("correct", n=4, card="7S", reason="it is a seven")
        bench.say("approve", "pia")
    assert bench.table.latches == ()


@pytest.mark.parametrize("asked", [False, True])
def test_one_that_nobody_has_entered_yet_is_named_by_the_device(asked: bool) -> None:
    bench = counted_unread()
    if asked:
        bench.say("enter_card", card="5S")
    bench.device("card", card="6S", hand="banker", index=2)
    assert (bench.table.case, bench.state) == (None, "outcome")
    assert bench.hand("banker") == ["2C", "6S"]


def test_one_that_lies_face_down_stays_sealed() -> None:
    bench = counted_unread(deal_face="down")
    bench.device("card", card="6S", hand="banker", index=2)
    assert bench.round.cards[-1].card == "6S"
    assert not bench.round.cards[-1].exposed
    assert "6S" not in str(bench.bodies())
    bench.say("expose", hand="player")
    bench.say("expose", hand="banker")
    assert bench.state == "outcome"


def test_a_shoe_that_said_nothing_of_a_card_goes_on_with_the_next() -> None:
    bench = Bench().deal()
    bench.device("card", card="9H", hand="player", index=1)
    bench.say("count", cards=2)
    bench.say("approve", "pia")
    bench.say("enter_card", card="2C")
    bench.say("approve", "pia")
    bench.device("card", card="KD", hand="player", index=2)
    assert bench.hand("player") == ["9H", "KD"]


def test_a_late_number_is_the_counted_card_whatever_came_since() -> None:
    bench = Bench().deal()
    bench.device("card", card="9H", hand="player", index=1)
    bench.device("events_lost", says="event 3 came after event 1")
    bench.device("card", card="KD", hand="player", index=2)
    bench.say("count", cards=3)
    bench.say("approve", "pia")
    bench.say("enter_card", card="2C")
    bench.say("approve", "pia")
    bench.device("card", card="6S", hand="banker", index=2)
    bench.device("card", card="2C", hand="banker", index=1, late=True)
    assert (bench.state, len(bench.round.cards)) == ("outcome", 4)


def test_a_late_number_before_the_count_lies_before_what_came_since() -> None:
    bench = Bench().deal()
    bench.device("card", card="9H", hand="player", index=1)
    bench.device("events_lost", says="event 3 came after event 1")
    bench.device("card", card="KD", hand="player", index=2)
    bench.device("card", card="2C", hand="banker", index=1, late=True)
    bench.say("count", cards=3)
    assert (bench.hand("player"), bench.hand("banker")) == (["9H", "KD"], ["2C"])


@pytest.mark.parametrize(("came", "held"), [("6S", False), ("7S", True)])
def test_without_numbers_the_count_is_asked_again(came: str, held: bool) -> None:
    """The link of a shoe without numbers was away; a device server has kept what it said."""
    bench = Bench().deal("9H", "2C", "KD")
    bench.device("link_lost")
    bench.device("link_up", count=True)
    bench.say("count", cards=4)
    bench.say("approve", "pia")
    bench.say("enter_card", card="6S")
    bench.say("approve", "pia")
    bench.say("resume", "pia")
    bench.card(came)
    assert bench.table.count_check is not None
    assert bench.table.count_check.why == sentence(Code.CARD_MAY_BE_COUNTED)
    bench.say("count", cards=4)
    bench.say("approve", "pia")
    assert len(bench.round.cards) == 4
    assert [latch.kind.value for latch in bench.table.latches] == ["card_disagrees"] * held


def test_without_numbers_another_card_is_another_card() -> None:
    bench = Bench().deal("9H", "2C")
    bench.device("link_lost")
    bench.device("link_up", count=True)
    bench.say("count", cards=3)
    bench.say("approve", "pia")
    bench.say("enter_card", card="KD")
    bench.say("approve", "pia")
    bench.say("resume", "pia")
    bench.card("6S")
    bench.say("count", cards=4)
    assert (bench.state, bench.hand("banker")) == ("outcome", ["2C", "6S"])


def test_damage_after_a_count_is_asked_about_at_once() -> None:
    bench = lost("9H")
    bench.say("count", cards=1)
    bench.device("events_lost")
    assert bench.table.count_check is not None


def test_a_loss_behind_a_count_shows_by_the_result_too() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("count", cards=2)
    bench.device("events_lost", says="event 6 came after event 3", by_number=True)
    bench.device("result", winner="player")
    assert bench.table.count_check is not None
    assert bench.table.count_check.why.params["says"] == "event 6 came after event 3"


def test_the_next_round_does_not_begin_with_a_card_of_the_last() -> None:
    """Cards that were drawn after it have been told of: it was lost for good, and the next card for
    that place is another one."""
    bench = Bench().deal()
    told = [("2C", "banker", 1), ("KD", "player", 2), ("6S", "banker", 2)]
    for card, hand, index in told:
        bench.device("card", card=card, hand=hand, index=index)
    bench.say("count", cards=4)
    bench.say("approve", "pia")
    bench.say("enter_card", card="9H")
    bench.say("approve", "pia")
    bench.settle()
    bench.deal()
    bench.device("card", card="8D", hand="player", index=1)
    assert (bench.state, bench.hand("player")) == ("dealing", ["8D"])

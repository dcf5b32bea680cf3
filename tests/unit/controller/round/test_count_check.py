"""The count of cards: when it is asked for, what waits meanwhile, and how many have to be found."""

from collections.abc import Callable
from typing import Any

from controller.round import count_check
from controller.round.count_check import CountedCards
from controller.table.state import CardCountCheck
from support.rows import each_row
from support.table.bench import NATURAL, Bench


def in_doubt(bench: Bench) -> CardCountCheck:
    assert bench.table.count_check is not None
    return bench.table.count_check


def test_with_no_shoe_in_use_there_is_nothing_to_count() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    bench.device("events_lost")
    assert bench.table.count_check is None
    assert bench.notices == ["shoe_events_lost"]


def test_a_shoe_that_will_be_changed_is_not_counted_between_rounds() -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("cut_card")
    bench.settle()
    assert bench.phase == "changing_shoe"
    bench.device("events_lost")
    assert bench.table.count_check is None


def test_cards_that_come_in_doubt_wait_in_order_with_their_seals() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    bench.device("card", card="2C", hand="banker", index=1)
    bench.card("??")
    bench.device("excess", card="KD")
    came = in_doubt(bench).unplaced
    assert [(each.word, each.card) for each in came] == [
        ("card", "2C"),
        ("read_failed", None),
        ("excess", "KD"),
    ]
    assert all(each.commitment for each in came)
    assert len(bench.round.cards) == 1


@each_row("late", [{"hand": "player", "index": 1}, {}])
def test_a_late_card_lies_before_the_cards_drawn_after_it(late: dict[str, Any]) -> None:
    bench = Bench().deal()
    bench.device("events_lost")
    bench.device("card", card="9H", hand="banker", index=1)
    bench.device("card", card="2C", late=True, **late)
    assert [each.card for each in in_doubt(bench).unplaced] == ["2C", "9H"]


def test_a_loss_after_a_card_is_another_gap_and_one_after_another_is_not() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    bench.device("events_lost")
    assert in_doubt(bench).gaps == 1
    bench.card("2C")
    bench.device("events_lost")
    assert in_doubt(bench).gaps == 2


def test_a_count_that_waits_for_the_second_person_falls_with_the_next_loss() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    bench.say("count", cards=3)
    assert bench.table.request is not None
    bench.device("events_lost")
    assert bench.table.request is None


def test_another_request_does_not_fall_with_it() -> None:
    bench = Bench().deal("9H")
    bench.say("correct", n=1, card="8H", reason="an eight")
    bench.device("events_lost")
    bench.device("events_lost")
    assert bench.table.request is not None


def test_doubt_is_since_the_first_loss() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    since = bench.at
    bench.card("2C")
    bench.device("started")
    assert in_doubt(bench).since == since
    assert in_doubt(bench).why.code == "shoe_events_lost"


def burned() -> Bench:
    bench = Bench(burn="first_card").open()
    bench.card("5H", "2C", "3D")
    return bench


def over() -> Bench:
    """A finished round, and one card of it that lies over for the next."""
    bench = Bench().deal(*NATURAL)
    bench.card("4H")
    bench.settle()
    return bench


@each_row(
    "bench, counted, lying",
    [
        (burned, CountedCards.LEFT_THE_SHOE, 3),
        (over, CountedCards.LIE_OVER, 1),
        (lambda: Bench().deal("9H", "2C"), CountedCards.OF_THE_ROUND, 2),
    ],
)
def test_what_is_counted_and_how_many_lie_there(
    bench: Callable[[], Bench], counted: CountedCards, lying: int
) -> None:
    found = bench()
    assert count_check.counted_cards(found.table) is counted
    assert count_check.expected_card_count(found.table) == lying
    found.device("events_lost")
    found.card("4D")
    assert count_check.expected_card_count(found.table) == lying + 1


def test_kept_cards_are_counted_too() -> None:
    bench = Bench(deal_face="down").deal("9H", "??")
    bench.say("report", what="cards_taken")
    bench.say("answer", value=False)
    bench.card("3H", "4H")
    assert count_check.expected_card_count(bench.table) == 4

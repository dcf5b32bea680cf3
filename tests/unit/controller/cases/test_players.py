"""Players by name: two spellings are one player; who wagers decides nothing (readings 31, 32)."""

from typing import Any

import pytest

from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, code

SPELLINGS = ["Ann", "ANN", "\uff41\uff4e\uff4e", "\u0430nn", " ann "]
"""Capitals, full width, a Cyrillic a, space around."""


def two_stakes(again: str, **house: Any) -> Bench:
    """Ann has two stakes on Player, the second under another spelling, and Bob one."""
    bench = Bench(**house).bet()
    bench.player("place", "ann", wager="player", amount=600, position=1)
    bench.player("place", again, wager="player", amount=600, position=2)
    bench.player("place", "bob", wager="player", amount=1000, position=3)
    return bench


@pytest.mark.parametrize("again", SPELLINGS)
def test_a_wager_belongs_to_the_name_that_was_given_first(again: str) -> None:
    bench = two_stakes(again)
    assert [wager.player for wager in bench.round.wagers] == ["ann", "ann", "bob"]
    bench.say("place", player=again, wager="tie", amount=100, position=1)
    assert bench.round.wagers[-1].player == "ann"


@pytest.mark.parametrize("again", SPELLINGS)
def test_the_hand_goes_to_the_whole_amount_of_one_player(again: str) -> None:
    """3.9.2: 1,200 in two spellings are more than 1,000."""
    bench = Bench(deal_face="down").open()
    bench.say("method", "max", method="A")
    bench.bet()
    for name, amount in (("ann", 600), (again, 600), ("bob", 1000)):
        bench.player("place", name, wager="player", amount=amount, position=1)
    bench.say("close_betting")
    bench.card(*NATURAL)
    bench.player("accept_cards", again, hand="player")
    assert set(bench.round.handling.handlers.values()) == {"ann"}


def test_all_or_none_is_all_of_one_player() -> None:
    """5.17.1: one answer takes back what stands under both spellings."""
    bench = two_stakes("ANN")
    bench.say("close_betting")
    bench.say("report", what="power_failure")
    bench.player("option", "Ann", choice="withdraw")
    back = [wager.id for wager in bench.round.wagers if wager.returned_by is not None]
    assert back == [wager.id for wager in bench.round.wagers[:2]]


def test_under_the_minimum_is_let_pass_once_for_all_spellings() -> None:
    """5.14, in the next round and after a restart."""
    bench = Bench(minimum=500).bet(("Ann", "player", 100))
    bench.say("close_betting", anyway=True)
    bench.card(*NATURAL)
    bench.settle()
    assert bench.table.day.under_minimum_before == ("Ann",)
    bench.restart()
    bench.bet(("ANN", "player", 100))
    bench.say("close_betting", anyway=True)
    bench.card("9C", "2H", "KH", "6D")
    assert [wager.player for wager in bench.round.wagers] == ["Ann"]
    bench.settle()
    assert [(each.result, each.clause) for each in bench.round.paid] == [("push", "5.14")]


def test_a_player_takes_back_a_wager_under_another_spelling() -> None:
    bench = two_stakes("ANN")
    bench.player("withdraw", "Ann", id=bench.round.wagers[1].id)
    assert len(bench.round.wagers) == 2


def test_another_name_is_another_player() -> None:
    bench = two_stakes("anna")
    assert [wager.player for wager in bench.round.wagers] == ["ann", "anna", "bob"]


# --- who wagers decides nothing -----------------------------------------------------------------

WAGERS = (("Pia", "player", 1000), ("bob", "banker", 1000))


def refused(bench: Bench, verb: str, who: str, **fields: Any) -> None:
    assert code(bench.refused(verb, who, **fields)) == "has_a_wager"


@each_row("wagered_as", ["pia", "PIA", "\u0440\u0456\u0430"])
def test_whoever_wagers_does_not_approve_a_void(wagered_as: str) -> None:
    bench = Bench().open()
    bench.deal("9H", "2C", wagers=((wagered_as, "player", 1000), ("bob", "banker", 1000)))
    bench.say("report", what="wrong_count")
    refused(bench, "approve", "pia")
    refused(bench, "refuse", "pia")
    bench.say("approve", "paul")
    assert bench.round.void_by == "5.1.1"


def test_whoever_wagers_approves_no_correction_also_after_the_settlement() -> None:
    bench = Bench().open().deal(*NATURAL, wagers=WAGERS)
    bench.say("correct", n=4, card="7S", reason="a seven")
    refused(bench, "approve", "pia")
    bench.say("refuse", "paul")
    bench.settle()
    bench.say("correct", n=4, card="7S", reason="a seven")
    refused(bench, "approve", "pia")
    bench.restart()
    refused(bench, "approve", "pia")
    bench.say("approve", "paul")


def test_whoever_wagers_says_no_order_and_decides_nothing() -> None:
    wagers = (("max", "player", 1000), ("gus", "banker", 1000))
    bench = Bench().deal(*BOTH_DRAW, "4D", "2D", wagers=wagers)
    bench.say("report", what="simultaneous", facts={"order_known": False})
    refused(bench, "answer", "max", order=[6, 5])
    bench.say("answer", "ada", order=[5, 6])
    bench.player("option", "max", choice="play")
    bench.player("option", "gus", choice="play")
    bench.say("report", what="chip_position")
    refused(bench, "decide", "gus", text="as they lie")


def test_the_second_count_is_not_by_whoever_wagers() -> None:
    bench = Bench().open().deal("9H", "2C", wagers=WAGERS)
    bench.device("events_lost")
    bench.say("count", cards=3)
    refused(bench, "count", "pia", cards=3)
    refused(bench, "approve", "pia")
    bench.say("count", "paul", cards=3)
    assert len(bench.round.cards) == 3


def test_an_offer_is_not_closed_by_whoever_wagers() -> None:
    bench = Bench(deal_face="down").open().deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="device_reset")
    refused(bench, "close_offer", "pia")
    bench.say("close_offer", "paul")


def test_whoever_has_no_wager_left_decides_again() -> None:
    bench = Bench(deal_face="down").open().deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="power_failure")
    bench.player("option", "Pia", choice="withdraw")
    bench.player("option", "bob", choice="play")
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert bench.round.void_by == "5.1.1"


def test_the_next_round_is_another_one() -> None:
    bench = Bench().open().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    bench.say("load_shoe", deck_set="red", verified_by="pia", cut=True)
    bench.say("approve", "pia")
    bench.deal("9H", "2C", wagers=(("bob", "player", 1000),))
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")

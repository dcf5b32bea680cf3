"""The steps of rulings: each done at once, or waiting for somebody."""

from typing import Any

import pytest

from controller.game.hands import Side
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.case import AwaitsDecision
from controller.table.state import BettingStage
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, nearly_empty

WAGERS = (("ann", "player", 100), ("bob", "banker", 200))


def case(bench: Bench) -> str | None:
    return bench.table.case.id if bench.table.case else None


def aside(bench: Bench) -> list[str | None]:
    return [drawn.card for drawn in bench.round.cards if drawn.hand is None]


# --- cards --------------------------------------------------------------------------------------


def test_reconstruct_lays_cards_in_drawn_order_from_where_they_lie() -> None:
    bench = Bench().deal("9H", "2C", "KD", "6S")
    bench.say("report", what="wrong_order", lies={"player": [1, 2], "banker": [3, 4]})
    assert (bench.hand("player"), bench.hand("banker")) == (["9H", "KD"], ["2C", "6S"])
    assert [(each.n, each.was, each.now) for each in bench.round.interventions.moved] == [
        (2, Side.PLAYER, Side.BANKER),
        (3, Side.BANKER, Side.PLAYER),
    ]


@each_row(
    "excess, next_round",
    [("next_round", ["4H"]), ("no_bet_hand", ["4H"]), ("burn", [])],
)
def test_a_card_too_many_is_what_the_house_makes_of_it(excess: str, next_round: list[str]) -> None:
    bench = Bench(excess=excess).deal(*NATURAL)
    bench.card("4H")
    assert case(bench) is None, "the hands are complete without it"
    bench.settle()
    assert [drawn.card for drawn in bench.table.carried] == next_round


def test_cards_drawn_too_soon_are_not_laid_before_bets_are_closed() -> None:
    bench = Bench().bet()
    bench.card("9H")
    assert aside(bench) == ["9H"]
    assert bench.phase == "betting"


def test_rebet_takes_the_cards_out_of_play_and_opens_wagers_again() -> None:
    bench = Bench(deal_face="down").deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="device_reset")
    bench.player("option", "ann", choice="play")
    bench.player("option", "bob", choice="withdraw")
    assert (bench.phase, bench.round.cards) == ("betting", ())
    assert bench.round.stage == BettingStage(bench.at)
    bench.player("place", "ann", wager="tie", amount=10, position=1)


@each_row(
    "also",
    [
        {"what": "simultaneous", "facts": {"order_known": True}, "order": [2, 1]},
        {"what": "handler_absent"},
        {"what": "cards_taken", "facts": {"value_known": True}},
    ],
)
def test_what_was_reported_of_cards_that_a_reset_took_out_of_play_is_not_ruled_on(
    also: dict[str, Any],
) -> None:
    bench = Bench(method="A").deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="device_reset")
    bench.say("report", **also)
    bench.player("option", "ann", choice="play")
    bench.player("option", "bob", choice="withdraw")
    assert (bench.phase, bench.table.case) == ("betting", None)
    assert bench.table.notices[-1] == sentence(Code.CARDS_OUT_OF_PLAY)
    assert [ruled.id for ruled in bench.table.rulings] == ["device_reset", also["what"]]
    assert not bench.round.handling.handlers


def test_wagers_are_not_opened_again_over_a_card_that_was_shown_meanwhile() -> None:
    bench = Bench(deal_face="down").deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="device_reset")
    bench.say("report", what="exposed_in_error", cards=[1])
    bench.player("option", "ann", choice="play")
    bench.player("option", "bob", choice="withdraw")
    assert bench.table.case is not None
    assert bench.table.case.awaits == AwaitsDecision(Role.GAMING_SHIFT_MANAGER)
    assert bench.table.case.clause == "6.1"
    assert [drawn.card for drawn in bench.round.cards if drawn.exposed] == ["9H"]


def test_the_card_to_enter_is_the_one_the_case_names_or_nobody_has_read() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="foreign_card", cards=[1], facts={"belongs": True})
    assert bench.table.case is not None
    assert bench.table.case.n == 1, "the one that was named"
    bench = Bench(deal_face="down").deal("9H", "??", "KD")
    bench.say("report", what="foreign_card", facts={"belongs": True})
    assert bench.table.case is not None
    assert bench.table.case.n == 2, "the one nobody has read"


def test_only_what_nobody_has_read_is_asked_for_where_the_device_knows_the_rest() -> None:
    bench = Bench().deal(*BOTH_DRAW)
    bench.say("report", what="cards_taken", facts={"value_known": True})
    assert case(bench) is None
    bench = Bench(deal_face="down").deal("2H", "??", "3D", "5S")
    bench.say("report", what="cards_taken", facts={"value_known": True})
    assert case(bench) == "cards_taken"


# --- hands --------------------------------------------------------------------------------------


def method_a() -> Bench:
    bench = Bench().open()
    bench.say("method", "max", method="A")
    bench.deal(*NATURAL, wagers=(("ann", "player", 100), ("bob", "player", 200)))
    bench.say("accept_cards", "max", hand="player", player="zoe", leave=True)
    return bench


@each_row("to, handlers", [("bob", {Side.PLAYER: "bob"}), ("ann", {}), (None, {})])
def test_a_hand_that_went_wrong_comes_back_and_goes_to_whose_it_is(
    to: str | None, handlers: dict[Side, str]
) -> None:
    bench = method_a()
    bench.say("report", what="wrong_player", hand="player", **({"to": to} if to else {}))
    assert bench.round.handling.handlers == handlers


def test_both_hands_come_back_where_none_is_named() -> None:
    bench = method_a()
    bench.say("report", what="wrong_player")
    assert bench.round.handling.handlers == {}


@pytest.mark.parametrize("given", [{}, {"hand": "player"}])
def test_the_dealer_exposes_for_whoever_is_absent(given: dict[str, str]) -> None:
    """Nobody has taken the Banker hand: whose it will be has not gone away with the other."""
    bench = method_a()
    bench.say("report", what="handler_absent", **given)
    assert bench.round.handling.handlers == {Side.PLAYER: "dealer"}


def test_the_dealer_exposes_both_hands_where_nobody_has_come_for_one() -> None:
    bench = Bench().open()
    bench.say("method", "max", method="A")
    bench.deal(*NATURAL, wagers=(("ann", "player", 100), ("bob", "banker", 200)))
    bench.say("report", what="handler_absent")
    assert bench.round.handling.handlers == dict.fromkeys(Side, "dealer")


# --- the shoe -----------------------------------------------------------------------------------


def test_cards_may_be_replaced_after_a_void_and_must_be_after_others() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert "cards_may_be_replaced" in bench.notices
    assert bench.phase == "ready"


def test_a_shoe_that_must_be_replaced_is_changed_after_the_round() -> None:
    bench = Bench(deal_face="down").deal("9H", "??", "KD", "6S")
    bench.say("report", what="cards_taken", facts={"value_known": False})
    bench.say("decide", "gus", text="nobody can tell")
    assert bench.table.change_shoe
    assert "take_equal_cards" not in bench.notices, "it was decided otherwise"


# --- people -------------------------------------------------------------------------------------


def test_with_no_round_in_play_there_is_nothing_to_void() -> None:
    bench = Bench().open()
    bench.say("report", what="wrong_count")
    assert case(bench) is None
    assert "earlier_results_stand" in bench.notices


def test_with_no_round_to_complete_missing_cards_are_decided_about() -> None:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    bench.say("report", what="cards_taken", facts={"value_known": False})
    assert bench.table.case is not None
    assert bench.table.case.awaits == AwaitsDecision(Role.GAMING_SHIFT_MANAGER)
    bench.say("decide", "gus", text="another shoe")
    assert case(bench) is None


def test_an_offer_is_made_to_nobody_where_nobody_has_a_wager() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[2, 1])
    assert bench.hand("player") == ["9H"], "it lies open: nobody lays it elsewhere alone"
    bench.say("approve", "pia")
    assert case(bench) is None
    assert bench.hand("player") == ["2C"]


def test_an_offer_knows_which_cards_are_in_doubt() -> None:
    bench = nearly_empty(50).deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[368, 367])
    assert bench.table.case is not None
    offer = bench.table.case.offer
    assert offer is not None
    assert offer.in_doubt == (367, 368)


def test_who_walks_away_before_bets_are_closed_leaves_no_hand_to_the_dealer() -> None:
    bench = Bench("rws-commission-baccarat-4", deal_face="down").bet(("ann", "player", 100))
    bench.say("report", what="handler_absent")
    assert bench.table.rulings[-1].clause == "5.3"
    assert bench.round.handling.handlers == {}
    bench.say("close_betting")
    bench.say("report", what="handler_absent", hand="player")
    assert bench.round.handling.handlers == {Side.PLAYER: "dealer"}

"""Options for players: who is asked, what they may answer, what becomes of their wagers."""

from typing import Any

import pytest

from controller.cases import offers
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.agenda import order
from controller.table.approvals import Act
from controller.table.commands.message import new_message
from controller.table.commands.registry import EVERYBODY
from support.rows import each_row
from support.table.bench import Bench, code, rules_of, why

WAGERS = (("ann", "tie", 100), ("ann", "player", 200), ("bob", "banker", 300))


def offered(*cards: str, **house: Any) -> Bench:
    """Two cards came at once and their order is known: 5.8.1 lets every player withdraw."""
    bench = Bench(**house).deal(*(cards or ("9H", "2C")), wagers=WAGERS)
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[1, 2])
    return bench


def option(bench: Bench, who: str, choice: str, **more: Any) -> Any:
    return bench.hear(new_message("player", "option", who=who, choice=choice, **more))


def test_everybody_with_a_wager_is_asked_and_the_case_goes_on_when_all_have_answered() -> None:
    bench = offered()
    assert bench.table.case is not None
    assert bench.table.case.offer is not None
    assert bench.table.case.offer.open_to == ("ann", "bob")
    bench.player("option", "ann", choice="play")
    assert bench.state == "halted"
    bench.player("option", "bob", choice="withdraw")
    assert bench.state == "dealing"
    assert [wager.returned_by for wager in bench.round.wagers] == [None, None, "5.8.1"]


def test_one_wager_may_go_back_and_another_stay_where_the_clause_says_each() -> None:
    bench = offered()
    bench.player("option", "ann", choice="withdraw", wagers=["w1"])
    assert [wager.returned_by for wager in bench.round.wagers] == ["5.8.1", None, None]


def test_all_wagers_or_none_where_it_does_not() -> None:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.restart()
    bench.say("answer", "pia", value=True)
    refused = bench.not_taken(
        new_message("player", "option", who="ann", choice="withdraw", wagers=["w1"])
    )
    assert (why(refused), refused.clause) == (sentence(Code.ALL_WAGERS_OR_NONE), "5.17.1")
    bench.player("option", "ann", choice="withdraw", wagers=["w1", "w2"])


def test_nobody_takes_back_what_is_not_theirs() -> None:
    bench = offered()
    refused = option(bench, "ann", "withdraw", wagers=["w3"])
    assert why(refused) == sentence(Code.WAGER_STAYS, wager="w3")


@pytest.mark.parametrize(
    ("who", "says"), [("zoe", "nothing_offered_to"), ("ann", "answered_already")]
)
def test_who_was_not_asked_or_has_answered_does_not_choose(who: str, says: str) -> None:
    bench = offered()
    bench.player("option", "ann", choice="play")
    assert code(option(bench, who, "play")) == says


def test_a_player_does_not_choose_for_another() -> None:
    """The field would be left aside, and the word be taken as the speaker's own."""
    bench = offered()
    refused = bench.not_taken(
        new_message("player", "option", who="ann", choice="withdraw", player="bob")
    )
    assert why(refused) == sentence(Code.PLAYS_FOR_THEMSELVES, player="bob")
    bench.player("option", "ann", choice="play", player="ann")


def test_an_untracked_table_says_that_all_are_asked_at_once() -> None:
    bench = Bench(track_wagers=False).deal("9H", "2C")
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[1, 2])
    for refused in (option(bench, "ann", "play"), bench.refused("option", choice="play")):
        assert code(refused) == "offered_to_everybody"


def test_staff_say_whose_choice_it_is() -> None:
    bench = offered()
    assert code(bench.refused("option", choice="play")) == "nothing_offered_to"
    bench.say("option", choice="play", player="ann")


def test_nothing_is_chosen_where_nothing_is_offered() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="uncovered")
    assert code(bench.refused("option", choice="play", player="ann")) == "nothing_offered"
    assert code(bench.refused("close_offer", "pia")) == "nothing_offered"


@pytest.mark.parametrize("deal_face", ["up", "down"])
def test_a_card_that_slips_out_takes_nobodys_option_away(deal_face: str) -> None:
    """Nobody has seen it: it lies aside, sealed, until the offer ends."""
    bench = offered(deal_face=deal_face)
    bench.card("KD")
    assert [drawn.exposed for drawn in bench.round.cards if drawn.hand is None] == [False]
    bench.player("option", "ann", choice="withdraw")


# --- closing ------------------------------------------------------------------------------------


def test_silence_plays_on_by_the_pit_supervisors_word() -> None:
    bench = offered()
    assert code(bench.refused("close_offer")) == "takes_role"
    bench.say("close_offer", "pia")
    assert bench.state == "dealing"
    assert all(wager.returned_by is None for wager in bench.round.wagers)


def test_without_wager_tracking_the_dealer_records_the_offer_as_made() -> None:
    assert order.closes_offer(rules_of()) is Act.CLOSE_OFFER
    assert order.closes_offer(rules_of(track_wagers=False)) is Act.CLOSE_UNTRACKED_OFFER
    bench = Bench(track_wagers=False).deal("9H", "2C")
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[1, 2])
    assert bench.table.case is not None
    assert bench.table.case.offer is not None
    assert bench.table.case.offer.open_to == (EVERYBODY,)
    bench.say("close_offer")
    assert bench.state == "dealing"


@each_row("after, closed", [(29.0, False), (30.0, True), (99.0, True)])
def test_time_that_has_run_out_plays_on(after: float, closed: bool) -> None:
    bench = offered(option_timeout_s=30.0)
    assert bench.table.case is not None
    assert bench.table.case.offer is not None
    made = bench.table.case.offer.at
    bench.hear(new_message("shoe", "unlocked", at=made + after))
    assert (bench.state == "dealing") is closed


def test_without_a_limit_an_offer_waits_for_ever() -> None:
    bench = offered()
    bench.hear(new_message("shoe", "unlocked", at=10.0**6))
    assert bench.state == "halted"


def test_time_that_has_run_out_waits_for_the_count() -> None:
    bench = offered(option_timeout_s=30.0)
    bench.device("events_lost")
    bench.hear(new_message("shoe", "unlocked", at=bench.at + 99))
    assert bench.table.case is not None
    assert bench.table.case.offer is not None


# --- who is asked -------------------------------------------------------------------------------


def test_who_has_only_wagers_that_are_decided_is_not_asked() -> None:
    """A natural nine against eight: Player has won, so nothing is left to withdraw."""
    bench = Bench().deal("9H", "2C", "KD", "6S", wagers=WAGERS)
    assert offers.affected_players(bench.round, bench.rules) == ()
    assert offers.affected_players(bench.round, bench.rules, in_doubt=(1, 2)) == ("ann", "bob")


def test_a_wager_that_went_back_gives_no_choice() -> None:
    bench = offered()
    bench.player("option", "bob", choice="withdraw")
    assert offers.affected_players(bench.round, bench.rules) == ("ann",)

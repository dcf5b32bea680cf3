"""Wagers: whose they are, where they lie, when it is too late, and the call that closes them."""

import dataclasses
from typing import Any

import pytest

from controller.engine.session import open_session
from controller.game.money.rounding import Rounding
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round.wagers.betting import MAX_LAST_WAGERS
from controller.table.commands.message import new_message
from controller.table.state import LastWager
from controller.views import audience
from controller.views.structs.encoding import plain
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, nearly_empty, why

ANN: dict[str, Any] = {"wager": "player", "amount": 1000, "position": 1}
KINDS = ("player", "banker", "tie", "player_pair", "banker_pair")


@pytest.fixture
def bench() -> Bench:
    return Bench(minimum=100, maximum=10_000).bet()


# --- placing ------------------------------------------------------------------------------------


def test_a_player_bets_for_themselves_and_staff_say_for_whom(bench: Bench) -> None:
    bench.player("place", "ann", **ANN)
    bench.say("place", player="bob", **ANN)
    ann, bob = bench.round.wagers
    assert (ann.id, ann.player, ann.placed_by) == ("w1", "ann", None)
    assert (bob.id, bob.player, bob.placed_by) == ("w2", "bob", "dan")
    wants = sentence(Code.FIELD_NEEDED, word="place", field="player")
    assert why(bench.refused("place", **ANN)) == wants


def test_a_wager_has_the_id_it_was_given_or_the_first_that_is_free(bench: Bench) -> None:
    bench.player("place", "ann", **ANN, id=7)
    bench.player("place", "ann", **{**ANN, "position": 2}, id="w1")
    bench.player("place", "ann", **{**ANN, "position": 3})
    assert [wager.id for wager in bench.round.wagers] == ["7", "w1", "w2"]
    again = bench.not_taken(new_message("player", "place", who="ann", **ANN, id="7"))
    assert why(again) == sentence(Code.WAGER_LIES_THERE, wager="7")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"position": 0}, "no_such_position"),
        ({"position": 99}, "no_such_position"),
        ({"wager": "lucky_six"}, "no_such_wager_kind"),
        ({"amount": 0}, "field_not_as_it_must_be"),
    ],
)
def test_what_no_layout_has_is_refused(bench: Bench, given: dict[str, Any], says: str) -> None:
    assert code(bench.refused("place", player="ann", **{**ANN, **given})) == says


def test_an_area_takes_as_many_wagers_as_the_book_says(bench: Bench) -> None:
    for player in ("ann", "bob", "cem"):
        bench.player("place", player, **ANN)
    refused = bench.not_taken(new_message("player", "place", who="dee", **ANN))
    assert (why(refused), refused.clause) == (sentence(Code.AREA_IS_FULL, most=3), "3.6")
    bench.player("place", "dee", **{**ANN, "wager": "banker"})
    bench.say("withdraw", id="w1")
    bench.player("place", "eva", **ANN)


def test_fewer_wagers_on_an_area_are_the_pit_managers_clause() -> None:
    bench = Bench(wagers_per_area=1).bet()
    bench.player("place", "ann", **ANN)
    refused = bench.not_taken(new_message("player", "place", who="bob", **ANN))
    assert (why(refused).params, refused.clause) == ({"most": 1}, "3.6.1")


def test_a_table_that_tracks_no_wagers_takes_none() -> None:
    assert code(Bench(track_wagers=False).bet().refused("place", player="ann", **ANN)) == (
        "wagers_not_tracked"
    )


def test_a_no_bet_hand_takes_none() -> None:
    bench = Bench(excess="no_bet_hand").deal(*NATURAL)
    bench.card("4H")
    bench.settle()
    bench.say("open_betting")
    assert bench.round.terms.no_bets
    assert code(bench.refused("place", player="ann", **ANN)) == "no_bet_hand"


# --- raising and withdrawing --------------------------------------------------------------------


def test_a_wager_is_raised_by_so_much_and_withdrawn_whole(bench: Bench) -> None:
    bench.player("place", "ann", **ANN)
    bench.player("raise", "ann", id="w1", amount=500)
    assert bench.round.wagers[0].amount == 1500
    bench.player("withdraw", "ann", id="w1")
    assert bench.round.wagers == ()


@pytest.mark.parametrize(("verb", "more"), [("raise", {"amount": 5}), ("withdraw", {})])
def test_nobody_touches_somebody_elses_wager(bench: Bench, verb: str, more: Any) -> None:
    bench.player("place", "ann", **ANN)
    refused = bench.not_taken(new_message("player", verb, who="bob", id="w1", **more))
    assert why(refused) == sentence(Code.NOT_YOUR_WAGER, wager="w1", player="bob")
    bench.say(verb, id="w1", **more)
    assert code(bench.refused(verb, id="w9", **more)) == "no_such_wager"


# --- too late -----------------------------------------------------------------------------------


@each_row(
    "verb, given, says, clause",
    [
        ("place", {"player": "ann", **ANN}, "late_wager", "5.4"),
        ("raise", {"id": "w1", "amount": 5}, "late_wager", "5.4"),
        ("withdraw", {"id": "w1"}, "late_withdrawal", "5.5"),
    ],
)
def test_after_the_call_the_book_says_what_late_means(
    verb: str, given: dict[str, Any], says: str, clause: str
) -> None:
    bench = Bench().deal("9H", wagers=(("ann", "player", 1000),))
    refused = bench.refused(verb, **given)
    assert (code(refused), refused.clause) == (says, clause)


def test_wagers_wait_while_a_case_or_a_device_holds_the_table(bench: Bench) -> None:
    bench.device("lid_open")
    wants = sentence(Code.WAGERS_WAIT_FOR_HOLD, hold="lid_open")
    assert why(bench.refused("place", player="ann", **ANN)) == wants
    bench.say("report", what="uncovered")
    wants = sentence(Code.WAGERS_WAIT, irregularity="uncovered")
    assert why(bench.refused("place", player="ann", **ANN)) == wants


def test_wagers_that_have_to_be_put_right_may_be() -> None:
    bench = Bench(differential=500).bet(("ann", "player", 1000))
    bench.say("report", what="differential")
    bench.player("raise", "ann", id="w1", amount=5)
    bench.player("decrease", "ann", id="w1", amount=505)
    assert bench.table.case is None, "nobody has to say what players have put right"
    bench.say("close_betting")


def test_a_player_bets_for_nobody_else(bench: Bench) -> None:
    refused = bench.not_taken(new_message("player", "place", who="ann", player="bob", **ANN))
    assert why(refused) == sentence(Code.PLAYS_FOR_THEMSELVES, player="bob")
    bench.player("place", "ann", player="ann", **ANN)


def test_something_is_left_of_a_wager_that_is_decreased(bench: Bench) -> None:
    bench.player("place", "ann", **ANN)
    refused = bench.not_taken(new_message("player", "decrease", who="ann", id="w1", amount=1000))
    assert why(refused) == sentence(Code.DECREASE_TO_NOTHING, wager="w1")
    bench.player("decrease", "ann", id="w1", amount=999)
    assert bench.round.wagers[0].amount == 1


def test_nobody_stakes_on_a_card_they_have_seen() -> None:
    """One that came before the call is the first of the round, and somebody turned it over."""
    bench = Bench(deal_face="down").bet()
    bench.player("place", "ann", **ANN)
    bench.card("9H")
    bench.say("raise", id="w1", amount=100)
    bench.say("report", what="exposed_in_error", cards=[1])
    assert bench.table.case is None
    wants = sentence(Code.CARD_SHOWN_BEFORE_CALL)
    assert why(bench.not_taken(new_message("player", "place", who="bob", **ANN))) == wants
    for word in ("raise", "decrease"):
        assert why(bench.refused(word, id="w1", amount=100)) == wants
    assert why(bench.refused("withdraw", id="w1")) == wants
    bench.say("close_betting")
    assert [each.card for each in bench.round.cards] == ["9H"]


# --- what can be paid ---------------------------------------------------------------------------


def exactly(**house: Any) -> Bench:
    """A table that pays to the last unit and never rounds."""
    return paying(Rounding.EXACT, 1, **house)


def paying(rounding: Rounding, chip_unit: int, **house: Any) -> Bench:
    bench = Bench(**house)
    bench.rules = dataclasses.replace(bench.rules, rounding=rounding, chip_unit=chip_unit)
    bench.session = open_session(bench.rules, bench.journal, bench.sealer)
    return bench.bet()


ON_BANKER: dict[str, Any] = {"wager": "banker", "position": 1}


def test_what_cannot_be_paid_is_not_taken() -> None:
    bench = exactly()
    wants = sentence(Code.CANNOT_BE_PAID, wager="banker", multiple=20)
    refused = bench.refused("place", player="ann", amount=150, **ON_BANKER)
    assert (why(refused), refused.clause) == (wants, "4.1")
    bench.say("place", player="ann", amount=140, **ON_BANKER)
    assert why(bench.refused("raise", id="w1", amount=10)) == wants
    assert why(bench.refused("decrease", id="w1", amount=10)) == wants
    bench.say("place", player="ann", amount=150, position=1, wager="player")


def test_a_stake_is_whole_chips_whatever_can_be_paid() -> None:
    bench = paying(Rounding.HALF_UP, 100)
    wants = sentence(Code.NOT_WHOLE_CHIPS, unit=100)
    assert why(bench.refused("place", player="ann", amount=150, **ON_BANKER)) == wants
    bench.say("place", player="ann", amount=300, **ON_BANKER)
    assert why(bench.refused("raise", id="w1", amount=50)) == wants
    assert why(bench.refused("decrease", id="w1", amount=50)) == wants
    bench.say("decrease", id="w1", amount=200)
    assert [each.amount for each in bench.round.wagers] == [100]


def test_what_counts_up_to_a_maximum_that_cannot_be_paid_is_not_taken() -> None:
    bench = exactly(maximum=1010)
    bench.say("place", player="ann", amount=1000, **ON_BANKER)
    refused = bench.refused("place", player="bob", amount=2000, **ON_BANKER)
    amounts = {"maximum": 1010, "most": 1000, "multiple": 20}
    assert why(refused) == sentence(Code.MAXIMUM_CANNOT_BE_PAID, wager="banker", **amounts)


def test_a_share_is_rounded_also_where_the_table_pays_exactly() -> None:
    """A journal may have been begun so; nobody waits for ever for a settlement."""
    bench = exactly(book="rws-commission-baccarat-4", differential=1000)
    for player, amount in (("ann", 1000), ("bob", 2000)):
        bench.say("place", player=player, amount=amount, **ON_BANKER)
    bench.say("close_betting", anyway=True)
    bench.say("approve", "pia")
    bench.card("2H", "4C", "6D", "5S")
    bench.settle()
    assert [each.pays for each in bench.round.paid] == [317, 633]


# --- nobody closes over the differential alone --------------------------------------------------


@pytest.mark.parametrize("book", ["mbs-baccarat-8", "mbs-dragon-tiger-baccarat"])
def test_the_differential_is_met_before_bets_close(book: str) -> None:
    bench = Bench(book, differential=500).bet(("ann", "player", 1000))
    for who in ("dan", "gus"):
        refused = bench.refused("close_betting", who, anyway=True)
        assert (code(refused), refused.clause) == ("close_ask_heavy_side", "5.18.1")
    bench.player("place", "bob", wager="banker", amount=500, position=2)
    bench.say("close_betting")


def over_differential() -> Bench:
    bench = Bench("rws-commission-baccarat-4", differential=500).bet(("ann", "player", 1000))
    bench.say("close_betting", "pia", anyway=True)
    return bench


def test_rws_closes_over_it_by_two_people() -> None:
    bench = over_differential()
    assert bench.phase == "betting"
    assert code(bench.refused("approve", "pia")) == "takes_two"
    assert code(bench.refused("approve", "dan")) == "takes_role"
    assert code(bench.refused("close_betting", anyway=True)) == "second_person_first"
    bench.say("approve", "paul")
    assert (bench.phase, bench.table.request) == ("dealing", None)


def test_who_asked_is_not_needed_once_it_is_put_right() -> None:
    bench = over_differential()
    bench.player("decrease", "ann", id="w1", amount=500)
    bench.say("close_betting")
    assert (bench.phase, bench.table.request) == ("dealing", None)


def test_a_close_that_is_refused_leaves_bets_open() -> None:
    bench = over_differential()
    bench.say("refuse", "paul")
    assert (bench.phase, bench.table.request) == ("betting", None)


def test_a_close_waits_for_what_has_come_up_since() -> None:
    bench = over_differential()
    bench.device("lid_open")
    assert code(bench.refused("approve", "paul")) == "still_holds"
    bench.say("report", what="uncovered")
    assert code(bench.refused("approve", "paul")) == "waits_for_something_else"


def test_a_wager_outside_the_layout_is_not_taken() -> None:
    bench = Bench(positions=7).bet()
    refused = bench.refused("place", player="ann", **{**ANN, "position": 8})
    assert (why(refused), refused.clause) == (sentence(Code.NO_SUCH_POSITION, position=8), "2.2")
    bench.say("place", player="ann", **{**ANN, "position": 7})
    assert Bench(layout="Appendix B").rules.positions == 9
    assert Bench().rules.positions == 14, "the largest"
    assert Bench("mbs-sands-super-baccarat").rules.positions == 0, "the document gives no number"


# --- closing ------------------------------------------------------------------------------------


def test_a_wager_outside_the_limits_is_put_right_before_bets_close(bench: Bench) -> None:
    bench.player("place", "ann", **{**ANN, "amount": 50})
    refused = bench.refused("close_betting")
    assert (code(refused), refused.clause) == ("close_under_minimum", "3.5.1")
    assert why(refused).params == {"wagers": ["w1"], "limit": 100}
    bench.say("close_betting", anyway=True)
    assert bench.phase == "dealing"


def test_the_limit_that_is_broken_is_told_with_its_amount(bench: Bench) -> None:
    bench.player("place", "ann", **{**ANN, "amount": 12_000})
    wants = sentence(Code.CLOSE_OVER_MAXIMUM, wagers=["w1"], limit=10_000)
    assert why(bench.refused("close_betting")) == wants


def test_how_far_over_the_differential_is_told_with_its_amount() -> None:
    bench = Bench(differential=5000).bet(("ann", "player", 9000), ("bob", "banker", 1000))
    wants = sentence(Code.CLOSE_ASK_HEAVY_SIDE, wagers=["w1"], excess=3000)
    assert why(bench.refused("close_betting")) == wants


# --- the same again -----------------------------------------------------------------------------


def _shown(bench: Bench) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = plain(audience.dealer(bench.table, bench.rules))["last_wagers"]
    return rows


def _next_round(bench: Bench) -> None:
    bench.say("close_betting")
    bench.card(*NATURAL)
    bench.settle()
    bench.say("open_betting")


def test_the_next_round_knows_what_staff_placed_in_the_last(bench: Bench) -> None:
    bench.say("place", player="seat 1", **ANN)
    bench.say("place", player="behind 1", **{**ANN, "wager": "tie"}, seated=False)
    bench.player("place", "ann", **{**ANN, "position": 2})
    bench.say("place", player="seat 3", **{**ANN, "position": 3})
    bench.say("withdraw", id="w4")
    playing = bench.table
    assert playing.history.last_wagers == ()
    _next_round(bench)
    lay = (LastWager("seat 1", 1, "player", 1000), LastWager("behind 1", 1, "tie", 1000, False))
    assert bench.table.history.last_wagers == lay, (
        "not what a player placed, nor what came off again"
    )
    assert [row.player for row in audience.dealer(bench.table, bench.rules).last_wagers] == [
        "seat 1",
        "behind 1",
    ]
    bench.say("close_betting")
    assert audience.dealer(bench.table, bench.rules).last_wagers == (), (
        "only while wagers are taken"
    )


def test_what_a_void_gave_back_can_be_placed_again(bench: Bench) -> None:
    bench.say("place", player="seat 1", **ANN)
    bench.say("close_betting")
    bench.card("9H")
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert bench.round.void_by is not None
    bench.say("open_betting")
    assert bench.table.history.last_wagers == (LastWager("seat 1", 1, "player", 1000),)


def test_more_than_a_layout_holds_is_not_kept(bench: Bench) -> None:
    for n in range(MAX_LAST_WAGERS + 1):
        at = {"position": n % 14 + 1, "wager": KINDS[n // 14 % 5]}
        bench.say("place", player=f"p{n}", **{**ANN, **at})
    _next_round(bench)
    assert bench.table.history.last_wagers == ()


def test_a_request_that_waits_is_answered_before_a_round_begins() -> None:
    bench = Bench().open()
    bench.say("load_shoe", deck_set="red", verified_by="pia", cut=True)
    wants = sentence(Code.SECOND_PERSON_FIRST, request="vouch_for_shoe")
    assert why(bench.refused("open_betting")) == wants


def test_a_round_begins_with_nothing_of_the_last_one() -> None:
    bench = Bench().deal(*NATURAL, wagers=(("ann", "player", 100),))
    bench.say("report", what="display_wrong")
    bench.settle()
    assert bench.table.rulings
    bench.say("open_betting")
    assert (bench.round.number, bench.round.wagers, bench.table.rulings) == (2, (), ())


def test_a_round_is_dealt_as_the_house_says_where_the_method_does_not() -> None:
    assert Bench(deal_face="down").bet().round.face_down
    assert not Bench(deal_face="up").bet().round.face_down


def test_who_draws_has_a_wager_or_leave_to_go_without() -> None:
    bench = Bench(hlga=True).open()
    bench.say("method", "ada", method="C", drawer="ann")
    bench.bet(("bob", "player", 100))
    refused = bench.refused("close_betting")
    assert (why(refused), refused.clause) == (
        sentence(Code.DRAWER_HAS_NO_WAGER, player="ann"),
        "3.11.2",
    )
    bench.say("method", "ada", method="C", drawer="ann", leave=True)
    bench.say("close_betting")
    assert bench.round.drawer == "ann"


def test_bets_close_on_an_empty_shoe_with_a_case() -> None:
    bench = nearly_empty(0).bet()
    bench.say("close_betting")
    assert bench.table.case is not None
    assert bench.table.case.id == "not_enough_cards"

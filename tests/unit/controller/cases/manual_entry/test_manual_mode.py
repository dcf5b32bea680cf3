"""Manual mode: who begins and ends it, what may be entered when, and what the shoe still says."""

import pytest
from msgspec.structs import astuple

from controller.engine.prompts import prompt
from controller.table.commands.message import new_message
from controller.table.holds import HoldReason
from controller.views.audience import render_views
from controller.views.structs.encoding import plain
from support.table.bench import BOTH_DRAW, NATURAL, Bench, code, why

WHY = {"reason": "the shoe is broken"}


def manual(bench: Bench, cards: int | None = None) -> Bench:
    """By two people; with cards in use they are counted."""
    bench.say("deal_by_hand", **WHY)
    bench.say("approve", "pia")
    if bench.table.count_check is not None:
        bench.say("count", cards=cards or 0)
    return bench


def dealt(bench: Bench, *cards: str) -> Bench:
    for card in cards:
        bench.say("deal_card", card=card)
    return bench


def act(bench: Bench) -> tuple[str, str | None, bool] | None:
    found = prompt(bench.table, bench.rules).act
    return None if found is None else (found.word, found.hand and found.hand.value, found.face)


def betting_closed(bench: Bench) -> Bench:
    bench.say("open_betting")
    bench.say("close_betting")
    return bench


# --- beginning and ending -------------------------------------------------------------------------


def test_it_takes_two_people_and_a_reason_and_everybody_sees_it() -> None:
    bench = Bench().open()
    assert code(bench.refused("deal_by_hand")) == "field_needed"
    bench.say("deal_by_hand", **WHY)
    assert code(bench.refused("approve", "dan")) == "takes_role"
    assert not render_views(bench.table, bench.rules).public.manual
    bench.say("approve", "pia")
    mode = bench.table.devices.by_hand
    assert mode is not None
    assert (mode.by, mode.approver, mode.reason) == ("dan", "pia", WHY["reason"])
    assert all(view.manual for view in astuple(render_views(bench.table, bench.rules)))
    assert code(bench.refused("deal_by_hand", **WHY)) == "by_hand_already"


def test_nobody_begins_it_alone() -> None:
    bench = Bench().open()
    bench.say("deal_by_hand", "pia", **WHY)
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("refuse", "max")
    assert bench.table.devices.by_hand is None


def test_in_mid_round_the_cards_that_lie_stay_and_the_count_is_asked() -> None:
    bench = Bench().deal("9H", "2C")
    bench.device("link_lost")
    bench.say("deal_by_hand", **WHY)
    bench.say("approve", "pia")
    assert HoldReason.LINK_LOST not in [each.kind for each in bench.table.latches]
    assert prompt(bench.table, bench.rules).do.code == "prompt_count_the_round"
    bench.say("count", cards=2)
    assert act(bench) == ("deal_card", "player", True)
    dealt(bench, "KD", "6S")
    assert bench.state == "outcome"
    assert plain(render_views(bench.table, bench.rules).dealer.hands) == {
        "player": ["9H", "KD"],
        "banker": ["2C", "6S"],
    }


def test_a_card_the_broken_shoe_had_missed_is_entered_by_two() -> None:
    bench = Bench().deal("9H")
    bench.say("deal_by_hand", **WHY)
    bench.say("approve", "pia")
    bench.say("count", cards=2)
    bench.say("approve", "pia")
    bench.say("enter_card", card="2C")
    dealt(bench, "KD", "6S")
    assert bench.state == "outcome"


def test_what_the_shoe_says_meanwhile_is_not_taken() -> None:
    bench = manual(Bench().deal("9H", "2C"), 2)
    before = bench.table.round
    for event, given in (
        ("card", {"card": "KD"}),
        ("read_failed", {}),
        ("excess", {}),
        ("result", {"winner": "tie"}),
        ("error", {"code": 4}),
        ("events_lost", {}),
        ("link_lost", {}),
        ("link_up", {"count": True}),
    ):
        bench.device(event, **given)
    assert bench.table.round == before
    assert not bench.table.latches
    assert bench.table.notices[-1].code == "shoe_not_taken"


@pytest.mark.parametrize(("role", "why"), [("player", "takes_role"), ("guard", "no_such_role")])
def test_manual_mode_is_begun_and_ended_by_a_dealer_at_least(role: str, why: str) -> None:
    at_the_shoe, by_hand = Bench().open(), manual(Bench().open())
    for bench, verb in ((at_the_shoe, "deal_by_hand"), (by_hand, "use_shoe")):
        said = new_message("staff", verb, who="sam", role=role, **WHY)
        assert code(bench.not_taken(said)) == why


def test_the_shoe_is_used_again_between_rounds_by_two_people_and_counted() -> None:
    bench = manual(Bench().open())
    betting_closed(bench)
    assert code(bench.refused("use_shoe", **WHY)) == "not_now"
    dealt(bench, *NATURAL)
    for word, who in (("announce", "dan"), ("approve", "pia"), ("settle", "dan")):
        bench.say(word, who)
    bench.say("use_shoe", reason="repaired")
    bench.say("approve", "pia")
    assert bench.table.devices.by_hand is None
    bench.say("count", cards=0)
    betting_closed(bench).device("card", card="9H")
    assert code(bench.refused("deal_card", card="2C")) == "shoe_reads_cards"


def test_a_shoe_that_went_out_of_use_in_its_own_round_is_to_end_it_before_the_next() -> None:
    """It would take the next round's cards for those of the one it was in."""
    bench = Bench().open()
    bench.device("link_up", plays_rounds=True)
    betting_closed(bench)
    bench.device("card", card="9H")
    manual(bench, 1)
    dealt(bench, "2C", "KD", "6S")
    for word, who in (("announce", "dan"), ("approve", "pia"), ("settle", "dan")):
        bench.say(word, who)
    bench.say("use_shoe", reason="repaired")
    bench.say("approve", "pia")
    bench.say("count", cards=0)
    assert code(bench.refused("open_betting")) == "end_round_at_shoe"
    bench.say("shoe_ended")
    betting_closed(bench).device("card", card="9H")


def test_a_table_that_is_set_up_so_has_no_shoe_to_go_back_to() -> None:
    bench = Bench().open()
    bench.device("by_hand")
    by_hand = bench.table.devices.by_hand
    assert by_hand is not None
    assert code(bench.refused("use_shoe", **WHY)) == "no_other_shoe"
    bench.device("by_hand", on=False)
    assert bench.table.devices.by_hand is None
    assert bench.table.count_check is not None


@pytest.mark.parametrize(
    ("book", "clause"),
    [("mbs-baccarat-8", "3.11.1"), ("mbs-dragon-tiger-baccarat", "3.12.1")],
)
def test_method_c_is_not_dealt_by_hand(book: str, clause: str) -> None:
    bench = manual(Bench(book, hlga=True).open())
    refused = bench.refused("method", "ada", method="C", drawer="ann")
    assert (code(refused), refused.clause) == ("shoe_reads_no_cards", clause)


def test_in_a_round_of_method_c_it_is_refused_and_between_rounds_the_dealer_draws_again() -> None:
    bench = Bench(hlga=True).open()
    bench.say("method", "ada", method="C", drawer="ann", leave=True)
    betting_closed(bench)
    refused = bench.refused("deal_by_hand", **WHY)
    assert (code(refused), refused.clause) == ("not_by_hand_under", "3.11.1")
    between = Bench(hlga=True).open()
    between.say("method", "ada", method="C", drawer="ann", leave=True)
    manual(between)
    assert (between.table.play.method != "C", between.table.play.drawer) == (True, None)
    betting_closed(between)


# --- what may be entered when ---------------------------------------------------------------------


def test_a_card_that_lies_open_is_entered_with_its_face() -> None:
    bench = betting_closed(manual(Bench().open()))
    assert code(bench.refused("deal_card")) == "field_needed"
    dealt(bench, *BOTH_DRAW)
    assert (bench.state, act(bench)) == ("players_third", ("deal_card", "player", True))
    dealt(bench, "4C")
    assert (bench.state, act(bench)) == ("bankers_third", ("deal_card", "banker", True))
    dealt(bench, "6S")
    assert bench.state == "outcome"


def test_a_card_that_lies_face_down_is_entered_when_it_is_exposed_and_no_sooner() -> None:
    bench = betting_closed(manual(Bench(method="A").open()))
    assert act(bench) == ("deal_card", "player", False)
    refused = bench.refused("deal_card", card="9H")
    assert code(refused) == "card_lies_face_down"
    assert b"9H" not in list(bench.journal.records())[-1].body, (
        "the record of the refusal hides it too"
    )
    for _ in NATURAL:
        bench.say("deal_card")
    assert bench.state == "revealing"
    assert not bench.table.notices or bench.table.notices[-1].code != "unread_face_down"
    bench.say("expose", hand="player")
    assert bench.state == "halted"
    assert [hold.code for hold in render_views(bench.table, bench.rules).dealer.held][:1] == [
        "held_card_by_hand"
    ]
    for card in ("9H", "KD"):
        bench.say("enter_card", card=card)
    bench.say("expose", hand="banker")
    for card in ("2C", "6S"):
        bench.say("enter_card", card=card)
    assert bench.state == "outcome"
    assert render_views(bench.table, bench.rules).public.hands.player == ("9H", "KD")


def test_cards_the_shoe_read_before_stay_sealed_and_are_not_entered_again() -> None:
    bench = Bench(method="A").deal("9H", "2C")
    manual(bench, 2)
    bench.say("deal_card")
    bench.say("deal_card")
    bench.say("expose", hand="player")
    bench.say("enter_card", card="KD")
    bench.say("expose", hand="banker")
    bench.say("enter_card", card="6S")
    assert plain(render_views(bench.table, bench.rules).public.hands) == {
        "player": ["9H", "KD"],
        "banker": ["2C", "6S"],
    }


def test_the_first_card_of_a_shoe_lies_open_and_the_burned_ones_do_not() -> None:
    bench = Bench(burn="first_card")
    bench.device("by_hand")
    bench.say("open_table", "pia")
    bench.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    bench.say("approve", "pia")
    assert act(bench) == ("deal_card", None, True)
    bench.say("deal_card", card="2H")
    assert act(bench) == ("deal_card", None, False)
    assert code(bench.refused("deal_card", card="3H")) == "card_lies_face_down"
    bench.say("deal_card")
    bench.say("deal_card")
    assert bench.state == "ready"


def test_a_card_too_many_lies_aside_and_nobody_says_what_it_is() -> None:
    bench = dealt(betting_closed(manual(Bench().open())), *NATURAL)
    assert code(bench.refused("deal_card", card="5C")) == "card_lies_face_down"
    bench.say("deal_card")
    assert [ruled.id for ruled in bench.table.rulings] == ["excess_card"]


def test_one_copy_too_many_is_found_as_ever() -> None:
    bench = manual(Bench(decks=4, confirm_by_hand=False).open())
    dealt(betting_closed(bench), "9H", "9H", "9H", "9H")
    bench.say("announce")
    bench.say("settle")
    dealt(betting_closed(bench), "9H")
    assert bench.table.case is not None
    assert bench.table.case.id == "foreign_card"


def test_nobody_draws_while_something_is_asked() -> None:
    bench = betting_closed(manual(Bench().open()))
    dealt(bench, "9H")
    bench.say("suspend", "pia")
    assert code(bench.refused("deal_card", card="2C")) == "still_holds"


# --- the second person ----------------------------------------------------------------------------


def test_the_outcome_is_announced_when_somebody_else_has_seen_the_cards() -> None:
    bench = dealt(betting_closed(manual(Bench().open())), *NATURAL)
    bench.say("announce")
    assert bench.state == "outcome"
    assert code(bench.refused("settle")) == "not_now"
    assert code(bench.refused("approve")) == "takes_role"
    bench.say("approve", "pia")
    assert bench.state == "settling"


def test_who_named_a_card_does_not_confirm_the_hands_whoever_announces() -> None:
    bench = betting_closed(manual(Bench().open()))
    bench.say("deal_card", "pia", card=NATURAL[0])
    dealt(bench, *NATURAL[1:])
    bench.say("announce")
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "max")
    assert bench.state == "settling"


def test_who_named_an_exposed_card_does_not_confirm_it_either() -> None:
    bench = betting_closed(manual(Bench(method="A").open()))
    for _ in NATURAL:
        bench.say("deal_card")
    for hand, cards in (("player", NATURAL[::2]), ("banker", NATURAL[1::2])):
        bench.say("expose", hand=hand)
        for card in cards:
            bench.say("enter_card", "pia", card=card)
    bench.say("announce")
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "max")
    assert bench.state == "settling"


def test_cards_that_are_corrected_meanwhile_are_confirmed_anew() -> None:
    bench = dealt(betting_closed(manual(Bench().open())), *NATURAL)
    bench.say("announce")
    bench.say("refuse", "pia")
    bench.say("correct", n=1, card="8H", reason="it is an eight")
    bench.say("approve", "pia")
    bench.say("announce")
    assert why(bench.refused("announce")).code == "second_person_first"
    bench.say("approve", "pia")
    assert bench.state == "settling"


def test_a_house_may_want_no_second_person() -> None:
    bench = dealt(betting_closed(manual(Bench(confirm_by_hand=False).open())), *NATURAL)
    bench.say("announce")
    assert bench.state == "settling"

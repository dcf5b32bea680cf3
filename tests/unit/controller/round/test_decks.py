"""Deck sets: their life, and the count after each shoe that finds one card missing."""

import random
from typing import Any

import pytest

from controller.engine.prompts import prompt
from controller.table.commands.message import new_message
from controller.table.decks import DeckCount, DeckStage
from drivers.cards import DECK
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, why

FULL = 416
BLUE = "blue"


def pack(seed: int = 3) -> list[str]:
    """Eight decks in an order of their own, beginning with a natural."""
    cards = [card.code for card in DECK for _ in range(8)]
    random.Random(seed).shuffle(cards)
    for each in NATURAL:
        cards.remove(each)
    return [*NATURAL, *cards]


def played(cards: list[str], burned: int = 0, **house: Any) -> Bench:
    """One round was played from a shoe whose cutting card came: the rest waits to be counted."""
    house = {"burn": burned or "none", **house}
    bench = Bench(**house)
    bench.say("open_table", "pia")
    if house.get("deck_control"):
        received(bench)
    bench.load()
    for _ in range(burned):
        bench.card(cards.pop(4))
    bench.say("open_betting")
    bench.say("close_betting")
    bench.card(*cards[:4])
    del cards[:4]
    bench.device("cut_card")
    bench.say("announce")
    bench.say("settle")
    assert bench.table.change_shoe
    return bench


def received(bench: Bench, name: str = BLUE) -> None:
    bench.say("deck_set", "pia", deck_set=name, stage="received")
    bench.say("deck_set", "pia", deck_set=name, stage="inspected")
    bench.say("approve", "paul")


def counted(bench: Bench, name: str = BLUE) -> DeckCount:
    found = bench.table.decks.sets[name].count
    assert found is not None
    return found


def counts(cards: list[str]) -> dict[str, int]:
    return {each: cards.count(each) for each in set(cards)}


# --- one card of 416 ----------------------------------------------------------------------------


def test_a_whole_set_is_found_whole_by_passing_the_rest() -> None:
    rest = pack()
    bench = played(rest)
    bench.say("pass_rest")
    bench.card(*rest)
    assert counted(bench).whole
    assert counted(bench).by == "shoe"
    assert bench.table.decks.rest is None, "with the last card the count is done"
    bench.load()


@each_row("lost", [0, 200, 411])
def test_one_missing_card_is_named_and_the_set_is_not_loaded_again(lost: int) -> None:
    rest = pack()
    bench = played(rest)
    gone = rest.pop(lost)
    bench.say("pass_rest")
    bench.card(*rest)
    assert bench.table.decks.rest is not None, "one more card is waited for"
    bench.say("reconcile")
    assert counted(bench).missing == (gone,)
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_lacks"
    bench.load(deck_set="red")


def test_a_card_in_the_place_of_another_is_found_although_the_number_is_right() -> None:
    rest = pack()
    bench = played(rest)
    at = rest.index("2S")
    rest[at] = "KH"
    bench.say("pass_rest")
    bench.card(*rest)
    found = counted(bench)
    assert (found.short, found.missing, found.extra) == (0, ("2S",), ("KH",))
    assert code(bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)) == (
        "deck_set_lacks_and_has"
    )


def test_where_burned_cards_were_never_seen_the_missing_one_is_among_several() -> None:
    rest = pack()
    unseen = rest[4:7]
    bench = played(rest, burned=3)
    gone = rest.pop()
    bench.say("pass_rest")
    bench.card(*rest)
    bench.say("reconcile")
    found = counted(bench)
    assert found.short == 1
    assert found.missing == ()
    assert set(found.among) == {gone, *unseen}
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_lacks_among"


def test_burned_cards_that_are_looked_at_name_the_missing_one() -> None:
    rest = pack()
    unseen = rest[4:7]
    bench = played(rest, burned=3)
    gone = rest.pop()
    bench.say("pass_rest")
    bench.card(*rest)
    bench.say("reconcile", unseen=counts(unseen))
    assert counted(bench).missing == (gone,)


def test_a_card_that_could_not_be_read_is_counted_and_not_named() -> None:
    rest = pack()
    bench = played(rest)
    rest[10] = "??"
    bench.say("pass_rest")
    bench.card(*rest)
    assert counted(bench).whole


def test_more_cards_are_not_looked_at_than_came_out_unseen() -> None:
    rest = pack()
    bench = played(rest)
    rest.pop()
    bench.say("pass_rest")
    bench.card(*rest)
    assert code(bench.refused("reconcile", unseen={"2S": 1})) == "more_than_came_unseen"


def test_the_shoe_plays_rounds_of_its_own_while_the_rest_passes() -> None:
    """Its places, results and complaints about a card too many are no irregularity then."""
    rest = pack()
    bench = played(rest)
    bench.say("pass_rest")
    for n, each in enumerate(rest[:4]):
        bench.device("card", card=each, hand=("player", "banker")[n % 2], index=n // 2 + 1)
    bench.not_taken(new_message("shoe", "result", winner="banker"))
    bench.device("excess", card=rest[4])
    bench.device("error", code=2)
    assert bench.table.queue == ()
    assert bench.table.case is None
    bench.card(*rest[5:])
    assert counted(bench).whole


def test_a_card_of_another_set_in_the_rest_is_found() -> None:
    rest = pack()
    bench = played(rest)
    bench.say("pass_rest")
    bench.device("error", code=6)
    bench.card("??", *rest[1:])
    assert counted(bench).foreign == 1
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_has_foreign"


@pytest.mark.parametrize("word", ["events_lost", "started"])
def test_a_pass_in_which_something_was_lost_counts_nothing(word: str) -> None:
    rest = pack()
    bench = played(rest)
    bench.say("pass_rest")
    bench.card(*rest[:50])
    bench.device(word)
    assert "rest_not_all_read" in bench.notices
    assert code(bench.refused("reconcile")) == "say_what_is_left"
    bench.say("reconcile", cards=len(rest))
    bench.say("approve", "pia")
    assert counted(bench).whole


# --- people who count ---------------------------------------------------------------------------


def test_one_persons_count_is_nobodys_until_a_second_has_counted_too() -> None:
    rest = pack()
    bench = played(rest, deck_control=True)
    bench.say("reconcile", cards=412)
    assert bench.table.decks.sets[BLUE].count is None
    assert code(bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)) == (
        "second_person_first"
    )
    assert code(bench.refused("approve")) in ("takes_two", "takes_role")
    bench.say("approve", "pia")
    found = counted(bench)
    assert found.whole
    assert (found.by, found.approved_by) == ("dan", "pia")
    bench.load()


def test_a_count_by_card_names_what_lacks() -> None:
    rest = pack()
    bench = played(rest)
    gone = rest.pop()
    bench.say("reconcile", left=counts(rest))
    bench.say("approve", "pia")
    assert counted(bench).missing == (gone,)


def test_a_count_by_number_cannot_name_but_stops_the_set() -> None:
    bench = played(pack())
    bench.say("reconcile", cards=411)
    bench.say("approve", "pia")
    assert counted(bench).short == 1
    assert code(bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)) == (
        "deck_set_count_differs"
    )


@each_row(
    "given, why",
    [
        ({}, "say_what_is_left"),
        ({"cards": 5, "shuffler": True}, "one_count_of_decks"),
        ({"cards": 5, "left": {"2S": 5}}, "one_count_of_decks"),
        ({"left": {"2S": 99}}, "too_many_cards_to_lie_there"),
        ({"deck_set": "red", "cards": 5}, "nothing_to_reconcile"),
        ({"shuffler": True}, "not_verified"),
    ],
)
def test_a_count_that_cannot_be_is_refused(given: dict[str, Any], why: str) -> None:
    assert code(played(pack()).refused("reconcile", **given)) == why


def test_nothing_is_counted_of_a_shoe_that_is_played() -> None:
    bench = Bench().open()
    assert code(bench.refused("pass_rest")) == "shoe_is_not_over"
    assert code(bench.refused("reconcile", cards=416)) == "shoe_is_not_over"


def test_what_was_counted_is_not_counted_again() -> None:
    bench = played(pack())
    bench.say("reconcile", cards=412)
    bench.say("approve", "pia")
    assert code(bench.refused("reconcile", cards=411)) == "nothing_to_reconcile"


def test_the_shoe_before_can_be_counted_while_another_is_played() -> None:
    bench = played(pack())
    bench.load(deck_set="red")
    bench.say("reconcile", deck_set=BLUE, cards=411)
    bench.say("approve", "pia")
    assert not counted(bench).whole
    assert code(bench.refused("reconcile", deck_set="red", cards=3)) == "shoe_is_not_over"


# --- the shuffler -------------------------------------------------------------------------------


def test_what_the_shuffler_finds_missing_stops_the_set_it_holds() -> None:
    bench = played(pack())
    bench.load(deck_set="red")
    bench.device("not_verified", by="shuffler", missing=["7D"])
    bench.say("reconcile", deck_set=BLUE, shuffler=True)
    assert counted(bench).missing == ("7D",)
    bench.device("verified", by="shuffler", cards=FULL)
    assert code(bench.refused("load_shoe", deck_set=BLUE, verified_by="shuffler", cut=True)) == (
        "deck_set_lacks"
    )


def test_a_shuffler_that_verified_all_of_it_has_counted_the_set() -> None:
    bench = played(pack(), deck_control=True)
    bench.device("verified", by="shuffler", cards=FULL)
    bench.load(verified_by="shuffler")
    assert counted(bench).whole
    assert counted(bench).by == "shuffler"


# --- a life -------------------------------------------------------------------------------------


def test_a_set_lives_from_received_to_destroyed_each_step_by_somebody() -> None:
    rest = pack()
    bench = played(rest, deck_control=True)
    bench.say("pass_rest")
    bench.card(*rest)
    bench.say("deck_set", "pia", deck_set=BLUE, stage="retired")
    bench.say("deck_set", "pia", deck_set=BLUE, stage="destroyed", reason="worn")
    assert bench.table.decks.sets[BLUE].stage is DeckStage.RETIRED
    bench.say("approve", "paul")
    steps = bench.table.decks.sets[BLUE].steps
    assert [(each.stage.value, each.by, each.approved_by) for each in steps] == [
        ("received", "pia", None),
        ("inspected", "pia", "paul"),
        ("in_use", "pia", None),
        ("retired", "pia", None),
        ("destroyed", "pia", "paul"),
    ]
    assert code(bench.refused("deck_set", "pia", deck_set=BLUE, stage="received")) == "deck_set_is"


@each_row("stage", ["inspected", "retired", "destroyed"])
def test_a_set_that_nobody_received_takes_no_further_step(stage: str) -> None:
    refused = Bench().refused("deck_set", "pia", deck_set="green", stage=stage)
    assert code(refused) == "deck_set_not_known"


@pytest.mark.parametrize("stage", ["received", "retired"])
def test_a_set_that_is_not_fit_for_play_is_not_loaded(stage: str) -> None:
    bench = Bench()
    bench.say("deck_set", "pia", deck_set=BLUE, stage="received")
    if stage == "retired":
        bench.say("deck_set", "pia", deck_set=BLUE, stage=stage)
    bench.say("open_table", "pia")
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_is"


def test_a_dealer_keeps_no_decks_and_nobody_inspects_alone() -> None:
    bench = Bench()
    assert code(bench.refused("deck_set", deck_set=BLUE, stage="received")) == "takes_role"
    bench.say("deck_set", "pia", deck_set=BLUE, stage="received")
    bench.say("deck_set", "pia", deck_set=BLUE, stage="inspected")
    assert code(bench.refused("approve", "pia")) == "takes_two"
    assert bench.table.decks.sets[BLUE].stage is DeckStage.RECEIVED


def test_a_set_in_the_shoe_is_neither_inspected_nor_retired() -> None:
    bench = Bench().open()
    for stage in ("inspected", "retired"):
        refused = bench.refused("deck_set", "pia", deck_set=BLUE, stage=stage)
        assert code(refused) == "deck_set_in_shoe"


@pytest.mark.parametrize("control", [False, True])
def test_an_inspection_by_two_puts_a_set_right_that_was_not_whole(control: bool) -> None:
    """Also where the house keeps its decks, and the shoe they lay in is still there."""
    bench = played(pack(), deck_control=control)
    bench.say("reconcile", cards=411)
    bench.say("approve", "pia")
    refused = bench.refused("deck_set", "pia", deck_set=BLUE, stage="inspected", reason=" ")
    assert (code(refused), why(refused).params["field"]) == ("field_needed", "reason")
    bench.say("deck_set", "pia", deck_set=BLUE, stage="inspected", reason="found under the shoe")
    bench.say("approve", "paul")
    bench.load()


def test_a_set_of_eight_decks_is_not_loaded_as_six() -> None:
    bench = Bench()
    received(bench)
    bench.say("open_table", "pia")
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True, decks=6)
    assert code(refused) == "deck_set_has_decks"


# --- a house that keeps its decks ---------------------------------------------------------------


def test_under_control_a_set_nobody_received_is_not_loaded() -> None:
    bench = Bench(deck_control=True)
    bench.say("open_table", "pia")
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_not_known"


def test_under_control_the_count_is_prompted_and_nothing_goes_before_it() -> None:
    bench = played(pack(), deck_control=True)
    assert prompt(bench.table, bench.rules).do.code == "prompt_count_decks"
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_not_counted"
    refused = bench.refused("deck_set", "pia", deck_set=BLUE, stage="retired")
    assert code(refused) == "deck_set_not_counted"
    received(bench, "red")
    bench.load(deck_set="red")
    assert bench.table.decks.sets[BLUE].uncounted is not None, "it waits for its count"


def test_without_control_play_goes_on_as_before() -> None:
    bench = played(pack())
    assert prompt(bench.table, bench.rules).do.code == "prompt_load_shoe"
    bench.load()


def test_a_pass_that_nobody_listened_to_for_a_while_counts_nothing() -> None:
    """The table was started again, or the cable of a shoe that numbers nothing came out: cards
    that passed meanwhile are not missing."""
    rest = pack()
    bench = played(rest, deck_control=True)
    bench.say("pass_rest")
    bench.card(*rest[:100])
    bench.device("link_up", count=True)
    assert bench.table.decks.rest is None
    assert [each.code for each in bench.table.notices][-1] == "rest_not_all_read"
    refused = bench.refused("load_shoe", deck_set=BLUE, verified_by="pia", cut=True)
    assert code(refused) == "deck_set_not_counted"
    bench.say("pass_rest")
    bench.card(*rest)
    assert counted(bench).whole


def test_a_restart_in_the_middle_of_the_pass_loses_no_card() -> None:
    rest = pack()
    bench = played(rest)
    gone = rest.pop(7)
    bench.say("pass_rest")
    bench.card(*rest[:100])
    bench.restart()
    bench.card(*rest[100:])
    bench.say("reconcile")
    assert counted(bench).missing == (gone,)

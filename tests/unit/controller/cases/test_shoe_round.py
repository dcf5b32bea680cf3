"""What a void round leaves to be done at a shoe that plays rounds by itself."""

from typing import Any

import pytest

from controller.views import audience
from controller.views.structs.encoding import plain
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, code, why


def void(*cards: str, **house: Any) -> Bench:
    """A round that is void, and a shoe that still plays it."""
    bench = Bench(**house).deal(*cards, wagers=(("ann", "banker", 2000),))
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    return bench


@pytest.fixture
def left() -> Bench:
    bench = void("9H", "2C")
    bench.device("still_plays")
    return bench


def test_a_void_with_nothing_left_at_the_shoe_blocks_nothing() -> None:
    bench = void("9H", "2C")
    assert bench.table.devices.left_at_shoe is None
    bench.say("open_betting")


def test_the_next_round_waits_for_the_shoe(left: Bench) -> None:
    refused = left.refused("open_betting")
    assert (code(refused), why(refused).params) == ("end_round_at_shoe", {"round": 1})
    assert refused.prompt.do.code == "prompt_end_round_at_shoe"


@pytest.mark.parametrize("word", ["gave_up", "round_ended"])
def test_the_shoe_says_by_itself_that_it_is_done(left: Bench, word: str) -> None:
    left.device(word)
    assert left.notices[-1] == "shoe_round_ended"
    assert left.table.devices.left_at_shoe is not None
    assert left.table.devices.left_at_shoe.ended_by == "shoe"
    left.say("open_betting")
    assert left.table.devices.left_at_shoe is None, "the next round has nothing of it"


def test_a_shoe_that_was_switched_off_and_on_plays_nothing_any_more(left: Bench) -> None:
    left.device("started")
    left.say("count", cards=0)
    left.say("open_betting")


def test_the_dealers_word_does_not_stand_for_the_shoes(left: Bench) -> None:
    assert code(left.refused("shoe_ended")) == "shoe_says_so_itself"


def test_where_cards_were_never_seen_the_dealer_says_it() -> None:
    """That the shoe has nothing more to end would tell that the four cards were a natural."""
    bench = void(*NATURAL, deal_face="down")
    bench.device("still_plays")
    bench.refused("open_betting")
    bench.say("shoe_ended")
    assert bench.table.devices.left_at_shoe is not None
    assert bench.table.devices.left_at_shoe.ended_by == "dan"
    bench.say("open_betting")


def test_a_supervisor_puts_it_aside_with_a_reason(left: Bench) -> None:
    assert code(left.refused("put_aside", reason="its button is broken")) == "takes_role"
    assert code(left.refused("put_aside", "pia")) == "field_needed"
    left.say("put_aside", "pia", reason="its button is broken")
    view = plain(audience.pit(left.table, left.rules))["left_at_shoe"]
    assert (view["aside_by"], view["reason"]) == ("pia", "its button is broken")
    assert view["to_be_ended"] is False
    assert left.notices[-1] == "shoe_round_put_aside"
    left.say("open_betting")


@pytest.mark.parametrize("word", ["shoe_ended", "put_aside"])
def test_nothing_is_put_aside_where_nothing_is_left(word: str) -> None:
    bench = Bench().open()
    given = {"reason": "so"} if word == "put_aside" else {}
    assert code(bench.refused(word, "pia", **given)) == "nothing_left_at_shoe"


@each_row("when", ["before", "twice", "played"])
def test_a_shoe_that_says_it_of_no_round_changes_nothing(when: str) -> None:
    bench = {"before": Bench().open, "twice": lambda: void("9H"), "played": _played}[when]()
    if when == "twice":
        bench.device("still_plays")
    before = bench.table.devices.left_at_shoe
    bench.device("still_plays")
    assert bench.table.devices.left_at_shoe == before
    assert (before is None) is (when != "twice")


def _played() -> Bench:
    return Bench().deal("9H")


# --- a shoe that plays rounds by itself -------------------------------------------------------


def at_its_shoe(*cards: str, **house: Any) -> Bench:
    bench = Bench(**house)
    bench.device("link_up", plays_rounds=True)
    return bench.open().deal(*cards, wagers=(("ann", "banker", 2000),))


def is_blocked(bench: Bench) -> bool:
    left = bench.table.devices.left_at_shoe
    if left is None or not left.to_be_ended:
        bench.say("open_betting")
        return False
    return code(bench.refused("open_betting")) == "end_round_at_shoe"


def entered(bench: Bench, *cards: str) -> Bench:
    for each in cards:
        bench.card("??")
        bench.say("enter_card", card=each)
        bench.say("approve", "pia")
    return bench


def test_a_void_and_what_it_leaves_at_the_shoe_are_one_record() -> None:
    """Whatever stops the program after the void, the next round waits for the shoe."""
    bench = at_its_shoe("9H", "2C")
    bench.say("report", what="wrong_count")
    before = bench.journal.head.seq
    bench.say("approve", "pia")
    steps = [each for each in bench.journal.records(before) if each.kind == "step"]
    assert len(steps) == 1
    assert b'"left_at_shoe"' in steps[0].body
    bench.restart()
    assert is_blocked(bench)
    bench.device("gave_up")
    assert not is_blocked(bench)


@pytest.mark.parametrize("told", [False, True])
def test_a_card_that_people_entered_the_shoe_does_not_know(told: bool) -> None:
    bench = entered(at_its_shoe("9H", "2C", "KD"), "6S")
    if told:
        bench.device("result", winner="player")
    bench.settle()
    assert is_blocked(bench) is not told


def test_a_shoe_that_ends_its_round_after_a_restart_is_heard() -> None:
    """The button would have nothing to end, and the shoe would call that an error."""
    bench = entered(at_its_shoe("9H", "2C"), "KD")
    bench.restart()
    bench.device("card", card="6S", hand="banker", index=2)
    bench.device("result", winner="player")
    bench.say("answer", "pia", value=False)
    assert bench.state == "outcome"
    bench.settle()
    assert not is_blocked(bench)


def test_an_unreadable_first_card_has_begun_the_shoes_round_too() -> None:
    bench = at_its_shoe("??")
    bench.say("report", what="wrong_count")
    bench.say("enter_card", card="9H")
    bench.say("approve", "pia")
    bench.say("approve", "pia")
    assert bench.table.round is not None
    assert bench.table.round.void_by is not None
    assert is_blocked(bench)


def test_a_place_that_did_not_fit_leaves_the_shoe_in_its_own_round() -> None:
    bench = at_its_shoe("9H", "2C")
    bench.device("card", card="KD", hand="banker", index=1)
    bench.say("count", cards=3)
    bench.say("resume", "pia", reason="it counts from another card")
    bench.say("approve", "max")
    bench.card("6S")
    bench.settle()
    assert is_blocked(bench)


def test_a_round_that_the_shoe_saw_as_the_table_did_blocks_nothing() -> None:
    bench = at_its_shoe(*NATURAL)
    bench.settle()
    assert not is_blocked(bench), "its result may come a moment later"


def test_a_shoe_heard_first_in_mid_round_may_be_in_it() -> None:
    bench = Bench().open().deal("9H", wagers=(("ann", "banker", 2000),))
    bench.device("link_up", plays_rounds=True)
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert is_blocked(bench)


@pytest.mark.parametrize("cards", [NATURAL, BOTH_DRAW])
def test_one_that_plays_no_rounds_has_nothing_left(cards: tuple[str, ...]) -> None:
    bench = Bench()
    bench.device("link_up")
    bench.open().deal(*cards[:3], wagers=(("ann", "banker", 2000),))
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert not is_blocked(bench)

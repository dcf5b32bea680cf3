"""Wagers outside the limits: which they are, who says what comes off, and that nothing is left."""

import pytest
from msgspec.structs import replace

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round.wagers import wager_corrections
from controller.table.case import AwaitsWagers
from controller.table.commands.message import Message
from controller.table.commands.people import DecideCommand
from controller.table.refused import Refused
from controller.table.state import DealingStage, PartBack
from support.table.bench import Bench, code, why

MBS, RWS = "mbs-baccarat-8", "rws-commission-baccarat-4"
OFF = {"text": "too much", "outcome": "remove"}


# --- what is wrong ------------------------------------------------------------------------------


def test_the_differential_of_a_table_is_over_all_its_boxes() -> None:
    bench = Bench(differential=500).bet(("ann", "player", 900), ("bob", "banker", 300))
    (over,) = wager_corrections.exceeded_differential(bench.round, bench.rules)
    assert ([bet.id for bet in over.heavy], over.excess) == (["w1"], 100)
    bench.player("raise", "bob", id="w2", amount=100)
    assert wager_corrections.exceeded_differential(bench.round, bench.rules) == []


def test_the_differential_of_a_box_is_its_own() -> None:
    bench = Bench(RWS, differential=500).bet(("ann", "player", 900), ("bob", "banker", 800))
    over = wager_corrections.exceeded_differential(bench.round, bench.rules)
    assert [each.excess for each in over] == [400, 300]


def test_where_a_book_is_silent_the_houses_is_of_the_table() -> None:
    bench = Bench("mbs-sands-super-baccarat", differential=500)
    bench.bet(("ann", "player", 900), ("bob", "banker", 300))
    assert len(wager_corrections.exceeded_differential(bench.round, bench.rules)) == 1
    silent = Bench().bet(("ann", "player", 900))
    assert wager_corrections.exceeded_differential(silent.round, silent.rules) == []


def test_what_is_too_small_or_too_large_is_told_by_its_kind() -> None:
    bench = Bench(minimum=100, maximum=1000, limits={"tie": {"minimum": 10, "maximum": 50}})
    bench.bet(("ann", "player", 50), ("bob", "tie", 50), ("cem", "tie", 60), ("dee", "player", 999))
    under = wager_corrections.bets_under_minimum(bench.round, bench.rules)
    over = wager_corrections.bets_over_maximum(bench.round, bench.rules)
    assert ([bet.player for bet in under], [bet.player for bet in over]) == (["ann"], ["cem"])


# --- what comes off -----------------------------------------------------------------------------


def reported(by: str = "dan") -> Bench:
    """1,500 on the Player and 200 on the Banker where 500 may lie between them."""
    wagers = (("ann", "player", 600), ("bob", "player", 900), ("cem", "banker", 200))
    bench = Bench(differential=500).bet(*wagers)
    bench.say("report", by, what="differential")
    return bench


def test_something_that_is_too_much_comes_off_and_enough_of_it() -> None:
    bench = reported()
    still = sentence(Code.STILL_TOO_MUCH, amount=800)
    assert why(bench.refused("decide", "max", text="let it be")) == still
    assert why(bench.refused("decide", "max", **OFF, remove=[])) == still
    assert code(bench.refused("decide", "max", **OFF, remove=["w3"])) == "does_not_come_off"
    assert code(bench.refused("decide", "max", **OFF, remove=["w9"])) == "no_such_wager"
    twice = bench.refused("decide", "max", **OFF, remove=["w2", {"id": "w2", "amount": 1}])
    assert code(twice) == "name_wagers_once"
    more = bench.refused("decide", "max", **OFF, remove=[{"id": "w2", "amount": 901}])
    assert code(more) == "decrease_to_nothing"
    part = bench.refused("decide", "max", **OFF, remove=[{"id": "w1", "amount": 500}])
    assert why(part).params == {"amount": 300}
    bench.say("decide", "max", **OFF, remove=["w1", {"id": "w2", "amount": 200}])
    ann, bob, cem = bench.round.wagers
    assert (ann.returned_by, bob.amount, cem.amount) == ("5.18.3", 700, 200)
    assert [each.parts_back for each in (ann, bob, cem)] == [(), (PartBack(200, "5.18.3"),), ()]
    bench.say("close_betting")


def test_a_part_that_is_the_whole_is_the_whole() -> None:
    bench = reported()
    bench.say("decide", "max", **OFF, remove=[{"id": "w2", "amount": 900}])
    assert bench.round.wagers[1].returned_by == "5.18.3"


def test_who_reported_it_does_not_say_what_comes_off() -> None:
    bench = reported("max")
    refused = bench.refused("decide", "max", **OFF, remove=["w2"])
    assert (code(refused), refused.clause) == ("takes_two", "5.18.3")
    bench.say("decide", "gus", **OFF, remove=["w2"])


def boxed() -> Bench:
    bench = Bench(RWS, differential=500).bet()
    for player, seated in (("ann", True), ("bob", False), ("cem", False)):
        given = {"wager": "player", "amount": 300, "position": 1, "seated": seated}
        bench.player("place", player, **given)
    bench.say("report", what="differential")
    return bench


def test_a_standing_players_goes_before_a_seated_ones() -> None:
    bench = boxed()
    for off in ("w1", {"id": "w1", "amount": 100}):
        refused = bench.refused("decide", **OFF, remove=["w2", off])
        assert why(refused) == sentence(Code.STANDING_COME_OFF_FIRST, wagers=["w3"])
        assert refused.clause == "5.1"
    bench.say("decide", **OFF, remove=["w2", {"id": "w3", "amount": 100}])
    assert [each.amount for each in bench.round.wagers if each.returned_by is None] == [300, 200]


def test_a_bet_under_the_minimum_is_put_right_or_comes_off() -> None:
    bench = Bench(RWS, minimum=100).bet(("ann", "player", 50), ("bob", "banker", 200))
    bench.say("report", what="under_minimum")
    refused = bench.refused("decide", text="let it be")
    assert why(refused) == sentence(Code.STILL_OUTSIDE_LIMITS, wagers=["w1"])
    assert code(bench.refused("decide", **OFF, remove=["w2"])) == "does_not_come_off"
    bench.player("raise", "ann", id="w1", amount=50)
    assert bench.table.case is None
    bench.say("close_betting")


def test_nothing_comes_off_after_the_call() -> None:
    """However a case should come to be open then."""
    bench = reported()
    table = replace(bench.table, round=replace(bench.round, stage=DealingStage()))
    case = table.case
    assert case is not None
    assert isinstance(case.awaits, AwaitsWagers)
    said = Message("staff", DecideCommand(text="too much", remove=("w2",)), who="max")
    with pytest.raises(Refused, match="only while betting is open"):
        wager_corrections.correct_wagers(table, case, case.awaits, said, bench.rules)


def test_a_decision_gives_back_a_whole_wager_only_once_bets_are_closed() -> None:
    bench = Bench().deal("9H", wagers=(("ann", "banker", 400),))
    bench.say("report", what="uncovered")
    part = bench.refused("decide", "gus", **OFF, remove=[{"id": "w1", "amount": 100}])
    assert code(part) == "comes_off_while_open"

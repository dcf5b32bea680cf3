"""The cutting card: once, the round is finished, and first of a round the HLGA may offer."""

from typing import Any

import pytest

from controller.table.commands.message import new_message
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code


def played(**house: Any) -> Bench:
    bench = Bench(**house).deal(*NATURAL)
    bench.settle()
    return bench


def another_round(bench: Bench) -> Bench:
    bench.deal(*NATURAL)
    bench.settle()
    return bench


@each_row("more, rounds", [(0, 0), (1, 1), (2, 2)])
def test_so_many_rounds_follow_the_one_in_which_it_came(more: int, rounds: int) -> None:
    bench = Bench(rounds_after_cut=more).deal("9H", "2C")
    bench.device("cut_card")
    bench.card("KD", "6S")
    bench.settle()
    for _ in range(rounds):
        assert bench.phase == "ready"
        another_round(bench)
    assert bench.phase == "changing_shoe"


def test_between_rounds_it_counts_for_the_round_before() -> None:
    bench = played()
    bench.device("cut_card")
    assert bench.phase == "changing_shoe"
    bench = played(rounds_after_cut=1)
    bench.device("cut_card")
    assert bench.phase == "ready"
    assert another_round(bench).phase == "changing_shoe"


def test_a_shoe_that_says_it_after_the_dealer_did_changes_nothing() -> None:
    bench = played(rounds_after_cut=1)
    bench.say("cut_card")
    before = bench.table.shoe
    bench.device("cut_card")
    assert bench.table.shoe == before, "it is not counted twice"
    assert bench.phase == "ready"
    assert code(bench.refused("cut_card")) == "cutting_card_is_out"


def test_no_cutting_card_is_expected_while_a_shoe_is_prepared() -> None:
    bench = Bench(burn=3).open()
    assert code(bench.not_taken(new_message("shoe", "cut_card"))) == "no_cutting_card_expected"
    bench = Bench()
    bench.say("open_table", "pia")
    assert code(bench.refused("cut_card")) == "no_cutting_card_expected"


@pytest.mark.parametrize(("by_hand", "asker"), [(True, "dan"), (False, None)])
def test_first_of_a_round_in_the_hlga_players_may_be_let_withdraw(
    by_hand: bool, asker: str | None
) -> None:
    bench = Bench(hlga=True).deal(wagers=(("ann", "tie", 100),))
    if by_hand:
        bench.say("cut_card")
    else:
        bench.device("cut_card")
    case = bench.table.case
    assert case is not None
    assert (case.id, case.asker) == ("cut_card_first", asker)
    bench.say("answer", value=True)
    assert bench.table.case is not None
    assert bench.table.case.offer is not None
    assert bench.table.case.offer.clause == "3.17.1"


def test_elsewhere_or_later_in_a_round_nothing_is_offered() -> None:
    for bench in (Bench().deal(), Bench(hlga=True).deal("9H")):
        bench.device("cut_card")
        assert bench.table.case is None
        assert bench.state == "dealing"

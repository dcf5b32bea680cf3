"""Limits in RWS Commission Baccarat: minimum, differential of a box, pro rata, and voids."""

import pytest

from controller.game.errors import NotWhole
from controller.game.money.limits import (
    Range,
    TableLimits,
    before_closing,
    settle_within,
    what_counts,
)
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet
from controller.rulebooks import rulebook
from support.clauses.clause_cases import RWS, found, settled
from support.clauses.hands import deal
from support.clauses.named_hands import BANKER_NINE, PLAYER_NINE, TIE_ON_NINE
from support.rows import each_row

LIMITS = TableLimits(Range(minimum=1_000, maximum=50_000))
FIVE_THOUSAND = TableLimits(Range(minimum=1_000), differential=5_000)


def seated(name: str, amount: int, wager: str = "player", box: int = 1) -> Bet:
    return Bet(name, wager, amount, player=name, box=box)


def standing(name: str, amount: int, wager: str = "player", box: int = 1) -> Bet:
    return Bet(name, wager, amount, player=name, box=box, seated=False)


# -- Within the limits, while bets are open --------------------------------------------------------


@pytest.mark.clause(RWS, "3.5")
def test_bet_over_the_maximum_is_the_players_to_put_right_before_closing() -> None:
    assert found(RWS, [Bet("a", "player", 50_500)], LIMITS) == [("3.5", ["a"], 500)]
    (finding,) = before_closing(rulebook(RWS), [Bet("a", "player", 50_500)], LIMITS)
    assert finding.does == "the player is asked to bring the wager within the limits"


@pytest.mark.clause(RWS, "5.2")
def test_bet_under_the_minimum_is_raised_or_taken_back_before_closing() -> None:
    assert found(RWS, [Bet("a", "tie", 400)], LIMITS) == [("5.2", ["a"], 600)]
    (finding,) = before_closing(rulebook(RWS), [Bet("a", "tie", 400)], LIMITS)
    assert finding.does == "the player raises the wager or takes it back"


@pytest.mark.clause(RWS, "3.5")
@pytest.mark.clause(RWS, "5.2")
def test_bet_at_the_minimum_or_the_maximum_is_within_the_limits() -> None:
    assert found(RWS, [Bet("a", "player", 1_000), Bet("b", "banker", 50_000)], LIMITS) == []


# -- Differential of a box, while bets are open ----------------------------------------------------


@pytest.mark.clause(RWS, "5.1")
def test_latest_standing_player_loses_the_excess_first() -> None:
    bets = [seated("sat", 3_000), standing("first", 2_000), standing("last", 2_000)]
    assert found(RWS, bets, FIVE_THOUSAND) == [("5.1", ["last"], 2_000)]


@pytest.mark.clause(RWS, "5.1")
def test_seated_player_keeps_priority_when_standing_players_bet_before() -> None:
    bets = [standing("first", 3_000), standing("second", 2_000), seated("sat", 4_000)]
    assert found(RWS, bets, FIVE_THOUSAND) == [
        ("5.1", ["second"], 2_000),
        ("5.1", ["first"], 2_000),
    ]


@pytest.mark.clause(RWS, "5.1")
def test_seated_player_loses_what_standing_players_cannot_cover() -> None:
    bets = [seated("sat", 6_500), standing("stood", 1_000)]
    assert found(RWS, bets, FIVE_THOUSAND) == [("5.1", ["stood"], 1_000), ("5.1", ["sat"], 1_500)]


@pytest.mark.clause(RWS, "5.1")
def test_rest_under_the_minimum_is_rejected_whole() -> None:
    bets = [seated("sat", 4_500), standing("stood", 2_000)]
    assert found(RWS, bets, FIVE_THOUSAND) == [("5.1", ["stood"], 2_000)]


@pytest.mark.clause(RWS, "5.1")
def test_rest_at_the_minimum_is_taken() -> None:
    bets = [seated("sat", 4_000), standing("stood", 2_000)]
    assert found(RWS, bets, FIVE_THOUSAND) == [("5.1", ["stood"], 1_000)]


@pytest.mark.clause(RWS, "5.1")
def test_bets_on_the_other_hand_of_the_box_make_room() -> None:
    bets = [standing("heavy", 8_000, "banker"), seated("light", 3_000, "player")]
    assert found(RWS, bets, FIVE_THOUSAND) == []
    assert found(RWS, [*bets, standing("more", 1_000, "banker")], FIVE_THOUSAND) == [
        ("5.1", ["more"], 1_000)
    ]


@pytest.mark.clause(RWS, "5.1")
def test_each_box_is_held_to_the_limit_by_itself() -> None:
    within = [seated("a", 5_000, box=1), seated("b", 5_000, box=2)]
    assert found(RWS, within, FIVE_THOUSAND) == []
    assert found(RWS, [*within, standing("c", 1_000, box=2)], FIVE_THOUSAND) == [
        ("5.1", ["c"], 1_000)
    ]


@pytest.mark.clause(RWS, "5.1")
def test_dealer_is_told_to_reject_the_excess() -> None:
    (finding,) = before_closing(rulebook(RWS), [seated("a", 7_000)], FIVE_THOUSAND)
    assert finding.does == "the excess is rejected, seated players before standing ones"


# -- Differential of a box, not noticed in time: pro rata ------------------------------------------

# 10000 on Player against 5000: each bet counts for half.
HALF = [seated("sat", 6_000), standing("stood", 4_000)]


@pytest.mark.clause(RWS, "5.1.1")
def test_excess_not_rejected_wins_at_the_same_fraction_for_all() -> None:
    assert settled(RWS, PLAYER_NINE, HALF, FIVE_THOUSAND) == [
        ("win", 3_000, 6_000, "5.1.1"),
        ("win", 2_000, 4_000, "5.1.1"),
    ]


@pytest.mark.clause(RWS, "5.1.1")
def test_excess_not_rejected_loses_at_the_same_fraction_for_all() -> None:
    assert settled(RWS, BANKER_NINE, HALF, FIVE_THOUSAND) == [
        ("lose", 0, 3_000, "5.1.1"),
        ("lose", 0, 2_000, "5.1.1"),
    ]


@pytest.mark.clause(RWS, "5.1.1")
def test_tie_returns_bets_over_the_differential_whole() -> None:
    assert settled(RWS, TIE_ON_NINE, HALF, FIVE_THOUSAND) == [
        ("push", 0, 6_000, None),
        ("push", 0, 4_000, None),
    ]


@pytest.mark.clause(RWS, "5.1.1")
def test_heavier_banker_side_is_paid_less_commission_on_what_counts() -> None:
    bets = [seated("heavy", 14_000, "banker"), standing("light", 2_000, "player")]
    assert settled(RWS, BANKER_NINE, bets, FIVE_THOUSAND) == [
        ("win", 6_650, 14_000, "5.1.1"),  # 0.95 of 7000, the 2000 opposite and the 5000 allowed
        ("lose", 0, 0, None),
    ]


@pytest.mark.clause(RWS, "5.1.1")
def test_side_bets_of_the_box_are_settled_as_they_lie() -> None:
    bets = [*HALF, seated("tie", 9_000, "tie"), seated("pair", 9_000, "player_pair")]
    _, _, tie, pair = settled(RWS, PLAYER_NINE, bets, FIVE_THOUSAND)
    assert tie == pair == ("lose", 0, 0, None)


@pytest.mark.clause(RWS, "5.1.1")
def test_another_box_within_the_limit_is_settled_as_it_lies() -> None:
    *_, other = settled(RWS, PLAYER_NINE, [*HALF, seated("b", 5_000, box=2)], FIVE_THOUSAND)
    assert other == ("win", 5_000, 5_000, None)


@pytest.mark.clause(RWS, "5.1.1")
def test_box_at_the_limit_is_settled_as_it_lies() -> None:
    bets = [seated("heavy", 7_000), standing("light", 2_000, "banker")]
    assert settled(RWS, PLAYER_NINE, bets, FIVE_THOUSAND) == [
        ("win", 7_000, 7_000, None),
        ("lose", 0, 0, None),
    ]


@pytest.mark.clause(RWS, "5.1.1")
@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (PLAYER_NINE, [("win", 4_250, 8_500, "5.1.1"), ("win", 1_000, 1_500, "5.1.1")]),
        (BANKER_NINE, [("lose", 0, 4_250, "5.1.1"), ("lose", 0, 500, "5.1.1")]),
    ],
)
def test_share_under_the_minimum_counts_at_the_minimum_and_others_keep_theirs(
    hand: str, expected: list[tuple[str, int, int, str]]
) -> None:
    """Half of 1500 is under 1000; the half of 8500 is not cut again to make up for it."""
    bets = [seated("large", 8_500), standing("small", 1_500)]
    assert settled(RWS, hand, bets, FIVE_THOUSAND) == expected


@pytest.mark.clause(RWS, "5.1.1")
@pytest.mark.parametrize(
    ("rounding", "pays", "collected"),
    [(Rounding.DOWN, 1_583, 1_666), (Rounding.HALF_UP, 1_583, 1_667)],
)
def test_share_that_is_not_whole_is_rounded_once_by_the_rule_of_the_table(
    rounding: Rounding, pays: int, collected: int
) -> None:
    """Each counts for 1666 2/3, and 0.95 of that is 1583 1/3; 0.95 of 1666 would give 1582."""
    three = [seated(name, 2_000, "banker") for name in ("a", "b", "c")]
    won = settled(RWS, BANKER_NINE, three, FIVE_THOUSAND, rounding)
    lost = settled(RWS, PLAYER_NINE, three, FIVE_THOUSAND, rounding)
    assert won == 3 * [("win", pays, 2_000, "5.1.1")]
    assert lost == 3 * [("lose", 0, 2_000 - collected, "5.1.1")]


@pytest.mark.clause(RWS, "5.1.1")
@pytest.mark.parametrize("hand", [PLAYER_NINE, BANKER_NINE])
def test_share_that_is_not_whole_is_an_error_without_a_rule(hand: str) -> None:
    three = [seated(name, 2_000) for name in ("a", "b", "c")]
    with pytest.raises(NotWhole, match="choose a rounding rule"):
        settled(RWS, hand, three, FIVE_THOUSAND, Rounding.EXACT)


# -- A bet under the minimum -----------------------------------------------------------------------


@pytest.mark.clause(RWS, "5.1.2")
@each_row(
    "small",
    [
        pytest.param(standing("small", 980, "player"), id="on the heavier side"),
        pytest.param(standing("small", 980, "banker"), id="on the lighter side"),
        pytest.param(standing("small", 980, "tie"), id="on a side bet"),
    ],
)
def test_bet_under_the_minimum_in_the_box_leaves_everybody_unscaled(small: Bet) -> None:
    won = settled(RWS, PLAYER_NINE, [*HALF, small], FIVE_THOUSAND)
    lost = settled(RWS, BANKER_NINE, [*HALF, small], FIVE_THOUSAND)
    assert won[:2] == [("win", 6_000, 6_000, "5.1.2"), ("win", 4_000, 4_000, "5.1.2")]
    assert lost[:2] == 2 * [("lose", 0, 0, "5.1.2")]
    assert won[2][3] == lost[2][3] == "5.1.2"


@pytest.mark.clause(RWS, "5.1.2")
def test_bet_under_the_minimum_in_a_box_over_the_limit_wins_or_loses_as_it_lies() -> None:
    bets = [*HALF, standing("small", 400)]
    assert settled(RWS, PLAYER_NINE, bets, FIVE_THOUSAND)[2] == ("win", 400, 400, "5.1.2")
    assert settled(RWS, BANKER_NINE, bets, FIVE_THOUSAND)[2] == ("lose", 0, 0, "5.1.2")


@pytest.mark.clause(RWS, "5.1.2")
def test_bet_under_the_minimum_in_another_box_changes_nothing_in_this_one() -> None:
    bets = [*HALF, seated("small", 400, box=2)]
    assert settled(RWS, PLAYER_NINE, bets, FIVE_THOUSAND)[:2] == [
        ("win", 3_000, 6_000, "5.1.1"),
        ("win", 2_000, 4_000, "5.1.1"),
    ]


@pytest.mark.clause(RWS, "5.2.1")
def test_bet_under_the_minimum_that_nobody_noticed_wins_or_loses_as_it_lies() -> None:
    bets = [seated("a", 400), seated("b", 400, "banker")]
    assert settled(RWS, PLAYER_NINE, bets, LIMITS) == [
        ("win", 400, 400, "5.2.1"),
        ("lose", 0, 0, "5.2.1"),
    ]


@pytest.mark.clause(RWS, "5.2.1")
def test_bet_under_the_minimum_is_settled_also_the_second_time() -> None:
    """The "one time only" of the MBS documents is not in this one."""
    before = frozenset({"a"})
    again = settled(RWS, PLAYER_NINE, [seated("a", 400)], LIMITS, under_minimum_before=before)
    assert again == [("win", 400, 400, "5.2.1")]


def test_two_equal_bets_are_two_bets() -> None:
    """Equal bets may be one object; both are scaled all the same."""
    bet = Bet("a", "banker", 6000, box=1)
    counts = what_counts(rulebook(RWS), [bet, bet], TableLimits(differential=6000))
    assert [count.stake for count in counts] == [3000, 3000]


def test_lost_share_that_is_not_whole_names_its_wager() -> None:
    bets = [Bet(name, "player", 100, box=1) for name in ("ann", "bob", "cem")]
    dealt = deal(RWS, BANKER_NINE)
    with pytest.raises(NotWhole, match=r"wager ann \(player, lost\)"):
        settle_within(rulebook(RWS), dealt, bets, TableLimits(differential=100))

"""Limits in MBS Baccarat and Dragon Tiger, which say the same under (almost) the same numbers."""

import pytest

from controller.game.money.limits import Range, TableLimits, before_closing
from controller.game.money.settlement import Bet
from controller.rulebooks import rulebook
from support.clauses.clause_cases import DT, MBS, case, found, settled
from support.clauses.named_hands import BANKER_NINE, PLAYER_NINE, TIE_ON_NINE

LIMITS = TableLimits(Range(minimum=1_000, maximum=50_000), wagers={"tie": Range(100, 2_000)})
DIFFERENTIAL = TableLimits(differential=5_000)


def both(mbs: str, dt: str | None = None) -> pytest.MarkDecorator:
    """A test of both books; the numbers of Dragon Tiger are given where they differ."""
    return pytest.mark.parametrize("book_id", [case(MBS, proves=mbs), case(DT, proves=dt or mbs)])


# -- Within the minimum and maximum, while wagers are open -----------------------------------------


@both("3.5.1")
def test_wager_under_the_minimum_is_found_before_closing(book_id: str) -> None:
    assert found(book_id, [Bet("a", "player", 400)], LIMITS) == [("3.5.1", ["a"], 600)]


@both("3.5.1")
def test_wager_over_the_maximum_is_found_before_closing(book_id: str) -> None:
    assert found(book_id, [Bet("a", "banker", 50_500)], LIMITS) == [("3.5.1", ["a"], 500)]


@both("3.5.1")
def test_wager_at_the_minimum_or_the_maximum_is_within_the_limits(book_id: str) -> None:
    assert found(book_id, [Bet("a", "player", 1_000), Bet("b", "player", 50_000)], LIMITS) == []


@both("3.5.1")
def test_wager_with_limits_of_its_own_is_held_to_those(book_id: str) -> None:
    assert found(book_id, [Bet("a", "tie", 100), Bet("b", "tie", 2_000)], LIMITS) == []
    assert found(book_id, [Bet("a", "tie", 99)], LIMITS) == [("3.5.1", ["a"], 1)]
    assert found(book_id, [Bet("a", "tie", 2_001)], LIMITS) == [("3.5.1", ["a"], 1)]


@both("3.5.1")
def test_one_area_takes_wagers_of_several_players(book_id: str) -> None:
    bets = [Bet(name, "player", 1_000, player=name, box=1) for name in ("Ann", "Bo", "Cy")]
    assert found(book_id, bets, LIMITS) == []


@both("3.5.1")
def test_dealer_is_told_to_have_the_wager_brought_within_the_limits(book_id: str) -> None:
    (finding,) = before_closing(rulebook(book_id), [Bet("a", "player", 400)], LIMITS)
    assert finding.does == "the player is asked to bring the wager within the limits"


# -- Three wagers on an area -----------------------------------------------------------------------


def on_one_area(count: int) -> list[Bet]:
    return [Bet(number, "player", 1_000, box=1) for number in range(1, count + 1)]


@both("3.6", dt="3.7")
def test_three_wagers_on_an_area_are_taken_and_the_fourth_is_not(book_id: str) -> None:
    number = "3.6" if book_id == MBS else "3.7"
    assert found(book_id, on_one_area(3), LIMITS) == []
    assert found(book_id, on_one_area(5), LIMITS) == [(number, [4], 1_000), (number, [5], 1_000)]


@both("3.6", dt="3.7")
def test_dealer_is_told_how_many_wagers_an_area_takes(book_id: str) -> None:
    (finding,) = before_closing(rulebook(book_id), on_one_area(4), LIMITS)
    assert finding.does == "not taken: an area takes 3 wagers"


@both("3.6", dt="3.7")
def test_another_position_or_another_wager_is_another_area(book_id: str) -> None:
    beside = [Bet(4, "player", 1_000, box=2), Bet(5, "banker", 1_000, box=1)]
    assert found(book_id, [*on_one_area(3), *beside], LIMITS) == []


@both("3.6", dt="3.7")
def test_fourth_wager_that_lay_there_unseen_is_returned(book_id: str) -> None:
    number = "3.6" if book_id == MBS else "3.7"
    for hand in (PLAYER_NINE, BANKER_NINE):
        *three, fourth = settled(book_id, hand, on_one_area(4), LIMITS)
        assert fourth == ("push", 0, 1_000, number)
        assert {result for result, *_ in three} == {"win" if hand == PLAYER_NINE else "lose"}


# -- Under the minimum, once the outcome is known --------------------------------------------------


ANN = frozenset({"Ann"})


def under(player: str, wager: str = "player", amount: int = 400) -> Bet:
    return Bet(f"{player} {wager}", wager, amount, player=player)


@both("5.14")
def test_first_wager_under_the_minimum_is_paid_or_collected(book_id: str) -> None:
    bets = [under("Ann"), under("Bo", "banker")]
    assert settled(book_id, PLAYER_NINE, bets, LIMITS) == [
        ("win", 400, 400, "5.14"),
        ("lose", 0, 0, "5.14"),
    ]


@both("5.14")
def test_later_wager_under_the_minimum_is_returned_whether_it_wins_or_loses(book_id: str) -> None:
    bets = [under("Ann"), under("Ann", "banker")]
    later = settled(book_id, PLAYER_NINE, bets, LIMITS, under_minimum_before=ANN)
    assert later == 2 * [("push", 0, 400, "5.14")]


@both("5.14")
def test_one_players_earlier_wager_takes_nothing_from_another_player(book_id: str) -> None:
    other = settled(book_id, PLAYER_NINE, [under("Bo")], LIMITS, under_minimum_before=ANN)
    assert other == [("win", 400, 400, "5.14")]


@both("5.14")
def test_all_wagers_under_the_minimum_of_that_one_round_are_settled(book_id: str) -> None:
    """Once is a round and not a wager (reading 11)."""
    bets = [under("Ann"), under("Ann", "banker"), under("Ann", "tie", 50)]
    assert settled(book_id, PLAYER_NINE, bets, LIMITS) == [
        ("win", 400, 400, "5.14"),
        ("lose", 0, 0, "5.14"),
        ("lose", 0, 0, "5.14"),
    ]


@both("5.14")
def test_wager_at_the_minimum_is_settled_also_after_one_that_was_under_it(book_id: str) -> None:
    bets = [under("Ann", amount=1_000)]
    later = settled(book_id, PLAYER_NINE, bets, LIMITS, under_minimum_before=ANN)
    assert later == [("win", 1_000, 1_000, None)]


# -- Over the maximum, once the outcome is known ---------------------------------------------------


@both("5.15")
@pytest.mark.parametrize(
    ("wager", "hand", "pays"), [("player", PLAYER_NINE, 50_000), ("banker", BANKER_NINE, 47_500)]
)
def test_wager_over_the_maximum_is_paid_on_the_maximum_only(
    book_id: str, wager: str, hand: str, pays: int
) -> None:
    bets = [Bet("a", wager, 60_000)]
    assert settled(book_id, hand, bets, LIMITS) == [("win", pays, 60_000, "5.15")]


@both("5.15")
def test_wager_over_the_maximum_loses_the_maximum_only(book_id: str) -> None:
    bets = [Bet("a", "player", 60_000)]
    assert settled(book_id, BANKER_NINE, bets, LIMITS) == [("lose", 0, 10_000, "5.15")]


@both("5.15")
def test_wager_over_a_maximum_of_its_own_is_settled_on_that(book_id: str) -> None:
    bets = [Bet("a", "tie", 3_000)]
    assert settled(book_id, TIE_ON_NINE, bets, LIMITS) == [("win", 16_000, 3_000, "5.15")]
    assert settled(book_id, PLAYER_NINE, bets, LIMITS) == [("lose", 0, 1_000, "5.15")]


@both("5.15")
def test_tie_returns_a_wager_over_the_maximum_whole(book_id: str) -> None:
    bets = [Bet("a", "banker", 60_000)]
    assert settled(book_id, TIE_ON_NINE, bets, LIMITS) == [("push", 0, 60_000, None)]


@both("5.15")
def test_wager_at_the_maximum_is_settled_as_it_lies(book_id: str) -> None:
    bets = [Bet("a", "player", 50_000)]
    assert settled(book_id, PLAYER_NINE, bets, LIMITS) == [("win", 50_000, 50_000, None)]
    assert settled(book_id, BANKER_NINE, bets, LIMITS) == [("lose", 0, 0, None)]


# -- Table differential ----------------------------------------------------------------------------

HEAVY_PLAYER = [
    Bet("a", "player", 6_000, box=1),
    Bet("b", "banker", 2_000, box=1),
    Bet("c", "player", 3_000, box=2),
]


@both("5.18.1 5.18.2 5.18.3")
def test_differential_exceeded_calls_on_both_sides_and_then_the_pit_manager(book_id: str) -> None:
    """9000 on Player and 2000 on Banker lie 2000 too far apart, over the table as a whole."""
    assert found(book_id, HEAVY_PLAYER, DIFFERENTIAL) == [
        ("5.18.1", ["a", "c"], 2_000),
        ("5.18.2", ["b"], 2_000),
        ("5.18.3", ["a", "c"], 2_000),
    ]


@both("5.18.1 5.18.2 5.18.3")
def test_differential_exceeded_says_who_does_what(book_id: str) -> None:
    findings = before_closing(rulebook(book_id), HEAVY_PLAYER, DIFFERENTIAL)
    assert [finding.does for finding in findings] == [
        "the heavier side is asked to reduce",
        "the lighter side may add",
        "the pit manager says which wagers come off",
    ]


@both("5.18.1 5.18.2")
def test_heavier_side_may_be_the_banker(book_id: str) -> None:
    bets = [Bet("a", "player", 1_000), Bet("b", "banker", 6_001)]
    asked, may_add, _ = found(book_id, bets, DIFFERENTIAL)
    assert asked == ("5.18.1", ["b"], 1)
    assert may_add == ("5.18.2", ["a"], 1)


@both("5.18.1")
def test_differential_at_the_limit_is_not_exceeded(book_id: str) -> None:
    bets = [Bet("a", "player", 7_000), Bet("b", "banker", 2_000)]
    assert found(book_id, bets, DIFFERENTIAL) == []


@both("5.18.1")
def test_only_player_and_banker_wagers_make_the_differential(book_id: str) -> None:
    assert found(book_id, [Bet("a", "tie", 90_000)], DIFFERENTIAL) == []


@pytest.mark.parametrize("book_id", [MBS, DT])
def test_differential_that_nobody_noticed_changes_no_settlement(book_id: str) -> None:
    bets = [Bet("a", "player", 9_000)]
    assert settled(book_id, PLAYER_NINE, bets, DIFFERENTIAL) == [("win", 9_000, 9_000, None)]
    assert settled(book_id, BANKER_NINE, bets, DIFFERENTIAL) == [("lose", 0, 0, None)]

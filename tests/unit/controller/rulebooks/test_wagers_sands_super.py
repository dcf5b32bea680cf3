"""Sands Super Baccarat's own wagers: precious pairs, colours, Sands Six, and totals to win on."""

from itertools import product

import pytest

from support.clauses.clause_cases import SANDS, ending
from support.clauses.hands import result
from support.rows import each_row

TOTALS = range(10)
SUITS = "HDCS"

each_side = each_row("side", ["player", "banker"])


def on_first_two(side: str, cards: str, wager: str) -> tuple[str, str]:
    """These two cards on one hand; the other has a natural nine, so that the deal ends."""
    first, second = cards.split()
    hand = f"{first} 9C {second} KS" if side == "player" else f"9C {first} KS {second}"
    return result(SANDS, hand, f"{side}_{wager}")


def endings_that_win(wager: str) -> set[tuple[int, int]]:
    """Of the hundred endings, Player's total and Banker's, those that win."""
    return {
        (player, banker)
        for player, banker in product(TOTALS, TOTALS)
        if result(SANDS, ending(player, banker), wager)[0] == "win"
    }


# -- Precious pairs --------------------------------------------------------------------------------


@pytest.mark.clause(SANDS, "1.1.6")
@pytest.mark.clause(SANDS, "3.8")
@each_side
@each_row("pair", ["4D 4D", "4H 4C", "4C 4C", "QD QD", "QH QH", "KC KH", "TS TD"])
def test_precious_pair_wins_on_two_cards_of_one_rank(side: str, pair: str) -> None:
    assert on_first_two(side, pair, "precious_pair")[0] == "win"


@pytest.mark.clause(SANDS, "1.1.6")
@pytest.mark.clause(SANDS, "3.8")
@each_side
@each_row("cards", ["TD KD", "JD QD", "KC QC", "4D 5D", "4C 3H", "AD TD"])
def test_precious_pair_loses_on_two_cards_of_two_ranks(side: str, cards: str) -> None:
    assert on_first_two(side, cards, "precious_pair") == ("lose", "0")


@pytest.mark.clause(SANDS, "3.8")
def test_precious_pair_looks_at_the_first_two_cards_of_its_own_hand() -> None:
    # Player 2 3 and a second 2, Banker A A and a 5.
    assert result(SANDS, "2H AC 3D AS 2C 5H", "player_precious_pair")[0] == "lose"
    assert result(SANDS, "2H AC 3D AS 2C 5H", "banker_precious_pair")[0] == "win"


@pytest.mark.clause(SANDS, "1.1.6.1")
@each_side
def test_pair_of_diamond_fours_is_the_highest_kind(side: str) -> None:
    assert on_first_two(side, "4D 4D", "precious_pair") == ("win", "30")
    # Another suit, or another rank, is not.
    assert on_first_two(side, "4H 4H", "precious_pair") != ("win", "30")
    assert on_first_two(side, "5D 5D", "precious_pair") != ("win", "30")


@pytest.mark.clause(SANDS, "1.1.6.2")
@each_side
@each_row("fours", ["4C 4C", "4H 4H", "4H 4C", "4D 4H", "4S 4D"])
def test_any_other_fours_are_the_second_kind(side: str, fours: str) -> None:
    assert on_first_two(side, fours, "precious_pair") == ("win", "15")


@pytest.mark.clause(SANDS, "1.1.6.3")
@each_side
@each_row("rank", "A2356789TJQK")
def test_other_pair_both_of_diamonds_is_the_third_kind(side: str, rank: str) -> None:
    assert on_first_two(side, f"{rank}D {rank}D", "precious_pair") == ("win", "12")


@pytest.mark.clause(SANDS, "1.1.6.4")
@each_side
@each_row("pair", ["QH QH", "KC KH", "AS AS", "KD KH", "5S 5D"])
def test_any_other_pair_is_the_last_kind(side: str, pair: str) -> None:
    assert on_first_two(side, pair, "precious_pair") == ("win", "9")


# -- Colours ---------------------------------------------------------------------------------------


@pytest.mark.clause(SANDS, "1.1.9")
@pytest.mark.clause(SANDS, "3.13")
@each_side
def test_red_wins_when_both_cards_are_hearts_or_diamonds(side: str) -> None:
    for first, second in product(SUITS, SUITS):
        won = on_first_two(side, f"2{first} 7{second}", "red")[0] == "win"
        assert won == (first in "HD" and second in "HD")


@pytest.mark.clause(SANDS, "1.1.9")
@pytest.mark.clause(SANDS, "3.14")
@each_side
def test_black_wins_when_both_cards_are_clubs_or_spades(side: str) -> None:
    for first, second in product(SUITS, SUITS):
        won = on_first_two(side, f"2{first} 7{second}", "black")[0] == "win"
        assert won == (first in "CS" and second in "CS")


@pytest.mark.clause(SANDS, "3.13")
@pytest.mark.clause(SANDS, "3.14")
def test_colour_looks_at_the_first_two_cards_of_its_own_hand() -> None:
    # Player red red and a black third, Banker black black and a red third.
    hand = "2H AC 3D KS 2C 5H"
    assert result(SANDS, hand, "player_red")[0] == "win"
    assert result(SANDS, hand, "banker_black")[0] == "win"
    assert result(SANDS, hand, "player_black")[0] == "lose"
    assert result(SANDS, hand, "banker_red")[0] == "lose"


# -- Totals ----------------------------------------------------------------------------------------


@pytest.mark.clause(SANDS, "1.1.11")
@pytest.mark.clause(SANDS, "3.12")
def test_sands_six_wins_when_either_hand_wins_or_both_tie_with_six() -> None:
    player_wins = {(6, banker) for banker in range(6)}
    banker_wins = {(player, 6) for player in range(6)}
    assert endings_that_win("sands_six") == player_wins | banker_wins | {(6, 6)}


@pytest.mark.clause(SANDS, "1.1.11")
@each_row(
    "hand",
    [
        pytest.param("KH KC 6D 7S", id="player six under seven"),
        pytest.param("KH KC 7D 6S", id="banker six under seven"),
        pytest.param("KH KC QD 6S 7H 2D", id="banker six at first, eight at last"),
    ],
)
def test_sands_six_loses_when_six_does_not_win(hand: str) -> None:
    assert result(SANDS, hand, "sands_six")[0] == "lose"


@pytest.mark.clause(SANDS, "1.1.7")
@each_row("total", range(1, 10))
def test_player_wins_on_wins_when_player_wins_with_that_total(total: int) -> None:
    assert endings_that_win(f"player_wins_on_{total}") == {(total, less) for less in range(total)}


@pytest.mark.clause(SANDS, "1.1.1")
@each_row("total", range(1, 10))
def test_banker_wins_on_wins_when_banker_wins_with_that_total(total: int) -> None:
    assert endings_that_win(f"banker_wins_on_{total}") == {(less, total) for less in range(total)}


@pytest.mark.clause(SANDS, "1.1.13")
@each_row("total", TOTALS)
def test_tie_wins_on_wins_when_both_hands_have_that_total(total: int) -> None:
    assert endings_that_win(f"tie_wins_on_{total}") == {(total, total)}

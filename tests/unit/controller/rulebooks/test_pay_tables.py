"""What every wager pays, line by line from the documents, on a stake of 100.00."""

import pytest

from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case, ending, money
from support.clauses.hands import settle_one
from support.clauses.named_hands import (
    BANKER_FOURS,
    BANKER_NINE,
    PLAYER_FOURS,
    PLAYER_NINE,
    TIE_ON_NINE,
)

STAKE = 10_000

PLAYER_DIAMOND_FOURS = "4D KC 4D 7S"
BANKER_DIAMOND_FOURS = "KH 4D 7D 4D"
PLAYER_DIAMOND_QUEENS = "QD 9C QD KS"
BANKER_DIAMOND_QUEENS = "9H QD KD QD"
PLAYER_KINGS = "KH 9C KS QS"
BANKER_KINGS = "9H KC QD KS"
SIX_CARDS_SEVEN_OVER_SIX = "KH KC QD 6S 7H KD"
THREE_AND_TWO_SEVEN_OVER_SIX = "KH KC 5D 6S 2H"
TWO_AND_THREE_SEVEN_OVER_SIX = "KH KC 7D 5S AH"
FOUR_CARDS_SEVEN_OVER_SIX = "KH KC 7D 6S"
BANKER_SIX_IN_THREE = "KH KC QD 2S 5H 4D"
BANKER_SIX_IN_TWO = "KH KC QD 6S 5H"

# Sands Super 4.3, 4.4 and 4.5: the odds to one, by total.
PLAYER_WINS_ON = {1: 150, 2: 80, 3: 50, 4: 50, 5: 30, 6: 11, 7: 8, 8: 6, 9: 5}
BANKER_WINS_ON = {1: 150, 2: 80, 3: 50, 4: 25, 5: 15, 6: 11, 7: 8, 8: 6, 9: 5}
TIE_WINS_ON = {0: 100, 1: 150, 2: 150, 3: 150, 4: 100, 5: 80, 6: 35, 7: 35, 8: 50, 9: 50}


def assert_pays(book_id: str, wager: str, hand: str, pays: int) -> None:
    assert money(settle_one(book_id, hand, wager, STAKE)) == ("win", pays, STAKE, None)


def assert_lost_whole(book_id: str, wager: str, hand: str) -> None:
    assert money(settle_one(book_id, hand, wager, STAKE)) == ("lose", 0, 0, None)


# -- The five games of Player, Banker and Tie ------------------------------------------------------


@pytest.mark.parametrize(
    ("book_id", "wager", "hand", "pays"),
    [
        case(MBS, "banker", BANKER_NINE, 9_500, proves="4.1"),
        case(MBS, "player", PLAYER_NINE, 10_000, proves="4.1"),
        case(MBS, "tie", TIE_ON_NINE, 80_000, proves="4.1"),
        case(MBS, "player_pair", PLAYER_FOURS, 110_000, proves="4.1"),
        case(MBS, "banker_pair", BANKER_FOURS, 110_000, proves="4.1"),
        case(RWS, "banker", BANKER_NINE, 9_500, proves="4.1 4.1.1 4.1.2"),
        case(RWS, "player", PLAYER_NINE, 10_000, proves="4.1 4.1.2"),
        case(RWS, "tie", TIE_ON_NINE, 80_000, proves="4.1 4.1.2"),
        case(RWS, "player_pair", PLAYER_FOURS, 110_000, proves="4.1 4.1.2"),
        case(RWS, "banker_pair", BANKER_FOURS, 110_000, proves="4.1 4.1.2"),
        case(DT, "player", PLAYER_NINE, 10_000, proves="4.1"),
        case(DT, "banker", BANKER_NINE, 9_500, proves="4.1"),
        case(DT, "tie", TIE_ON_NINE, 80_000, proves="4.1"),
        case(TOURNAMENT, "banker", BANKER_NINE, 10_000, proves="4.1"),
        case(TOURNAMENT, "player", PLAYER_NINE, 10_000, proves="4.1"),
        case(TOURNAMENT, "tie", TIE_ON_NINE, 80_000, proves="4.1"),
        case(TOURNAMENT, "player_pair", PLAYER_FOURS, 110_000, proves="4.1"),
        case(TOURNAMENT, "banker_pair", BANKER_FOURS, 110_000, proves="4.1"),
        case(SANDS, "player", PLAYER_NINE, 10_000, proves="4.1"),
        case(SANDS, "banker", BANKER_NINE, 10_000, proves="4.1"),
        case(SANDS, "tie", TIE_ON_NINE, 80_000, proves="4.1"),
    ],
)
def test_main_wager_or_pair_that_wins_is_paid_by_the_table(
    book_id: str, wager: str, hand: str, pays: int
) -> None:
    assert_pays(book_id, wager, hand, pays)


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(MBS, ["banker", "tie", "player_pair", "banker_pair"], proves="4.1"),
        case(RWS, ["banker", "tie", "player_pair", "banker_pair"], proves="4.1 4.1.2"),
        case(DT, ["banker", "tie", "big_dragon", "small_tiger"], proves="4.1 4.3"),
        case(TOURNAMENT, ["banker", "tie", "player_pair", "banker_pair"], proves="4.1"),
        case(SANDS, ["banker", "tie", "sands_six", "player_precious_pair"], proves="4.1 4.2"),
    ],
)
def test_wager_that_loses_is_paid_nothing_and_gets_nothing_back(
    book_id: str, wagers: list[str]
) -> None:
    for wager in wagers:
        assert_lost_whole(book_id, wager, PLAYER_NINE)
    assert_lost_whole(book_id, "player", BANKER_NINE)


@pytest.mark.clause(RWS, "4.1.1")
@pytest.mark.parametrize(("bet", "commission"), [(2_000, 100), (10_000, 500), (12_340, 617)])
def test_house_keeps_five_per_cent_of_a_winning_banker_bet(bet: int, commission: int) -> None:
    settled = settle_one(RWS, BANKER_NINE, "banker", bet)
    assert (settled.pays, settled.returned) == (bet - commission, bet)


# -- Dragon Tiger ----------------------------------------------------------------------------------


@pytest.mark.clause(DT, "4.2")
@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        (SIX_CARDS_SEVEN_OVER_SIX, 1_000_000),
        (THREE_AND_TWO_SEVEN_OVER_SIX, 400_000),
        (TWO_AND_THREE_SEVEN_OVER_SIX, 400_000),
        (FOUR_CARDS_SEVEN_OVER_SIX, 300_000),
    ],
)
def test_dragon_tiger_is_paid_by_the_number_of_cards(hand: str, pays: int) -> None:
    assert_pays(DT, "dragon_tiger", hand, pays)


@pytest.mark.clause(DT, "4.2")
def test_dragon_tiger_that_loses_is_paid_nothing() -> None:
    for hand in (PLAYER_NINE, BANKER_NINE, TIE_ON_NINE):
        assert_lost_whole(DT, "dragon_tiger", hand)


@pytest.mark.clause(DT, "4.3")
@pytest.mark.parametrize(
    ("wager", "hand", "pays"),
    [
        ("big_dragon", THREE_AND_TWO_SEVEN_OVER_SIX, 300_000),
        ("small_dragon", FOUR_CARDS_SEVEN_OVER_SIX, 150_000),
        ("big_tiger", BANKER_SIX_IN_THREE, 500_000),
        # And not the 25 to 1 printed in Appendix K (reading 2).
        ("small_tiger", BANKER_SIX_IN_TWO, 220_000),
    ],
)
def test_dragons_and_tigers_are_paid_by_the_table(wager: str, hand: str, pays: int) -> None:
    assert_pays(DT, wager, hand, pays)


# -- Sands Super -----------------------------------------------------------------------------------


@pytest.mark.clause(SANDS, "4.1")
@pytest.mark.parametrize("hand", [BANKER_SIX_IN_TWO, BANKER_SIX_IN_THREE])
def test_banker_that_wins_with_six_is_paid_half(hand: str) -> None:
    assert_pays(SANDS, "banker", hand, 5_000)


@pytest.mark.clause(SANDS, "4.1")
@pytest.mark.parametrize("total", [1, 2, 3, 4, 5, 7, 8, 9])
def test_banker_that_wins_with_another_total_is_paid_even(total: int) -> None:
    assert_pays(SANDS, "banker", ending(0, total), 10_000)


@pytest.mark.clause(SANDS, "4.1")
@pytest.mark.parametrize(
    ("wager", "hand", "pays"),
    [
        ("player_black", "2S 9H 3C KD", 20_000),
        ("banker_black", "9H 2S KD 3C", 20_000),
        ("player_red", "2H 9C 3D KS", 20_000),
        ("banker_red", "9C 2H KS 3D", 20_000),
        ("sands_six", ending(6, 0), 60_000),
        ("sands_six", ending(0, 6), 60_000),
        ("sands_six", ending(6, 6), 60_000),
    ],
)
def test_colours_and_sands_six_are_paid_by_the_table(wager: str, hand: str, pays: int) -> None:
    assert_pays(SANDS, wager, hand, pays)


@pytest.mark.clause(SANDS, "4.1")
def test_colour_that_does_not_come_is_paid_nothing() -> None:
    for wager in ("player_red", "player_black", "banker_red", "banker_black"):
        assert_lost_whole(SANDS, wager, "2H 9C 3C KD")


@pytest.mark.clause(SANDS, "4.2")
@pytest.mark.parametrize(
    ("wager", "hand", "pays"),
    [
        ("player_precious_pair", PLAYER_DIAMOND_FOURS, 300_000),
        ("banker_precious_pair", BANKER_DIAMOND_FOURS, 300_000),
        ("player_precious_pair", PLAYER_FOURS, 150_000),
        ("banker_precious_pair", BANKER_FOURS, 150_000),
        ("player_precious_pair", PLAYER_DIAMOND_QUEENS, 120_000),
        ("banker_precious_pair", BANKER_DIAMOND_QUEENS, 120_000),
        ("player_precious_pair", PLAYER_KINGS, 90_000),
        ("banker_precious_pair", BANKER_KINGS, 90_000),
    ],
)
def test_precious_pair_is_paid_once_at_its_highest_kind(wager: str, hand: str, pays: int) -> None:
    assert_pays(SANDS, wager, hand, pays)


@pytest.mark.clause(SANDS, "4.3")
@pytest.mark.parametrize(("total", "odds"), PLAYER_WINS_ON.items())
def test_player_wins_on_is_paid_by_its_total(total: int, odds: int) -> None:
    assert_pays(SANDS, f"player_wins_on_{total}", ending(total, 0), STAKE * odds)
    assert_lost_whole(SANDS, f"player_wins_on_{total}", ending(total, total))


@pytest.mark.clause(SANDS, "4.4")
@pytest.mark.parametrize(("total", "odds"), BANKER_WINS_ON.items())
def test_banker_wins_on_is_paid_by_its_total(total: int, odds: int) -> None:
    assert_pays(SANDS, f"banker_wins_on_{total}", ending(0, total), STAKE * odds)
    assert_lost_whole(SANDS, f"banker_wins_on_{total}", ending(total, total))


@pytest.mark.clause(SANDS, "4.5")
@pytest.mark.parametrize(("total", "odds"), TIE_WINS_ON.items())
def test_tie_wins_on_is_paid_by_its_total(total: int, odds: int) -> None:
    assert_pays(SANDS, f"tie_wins_on_{total}", ending(total, total), STAKE * odds)
    assert_lost_whole(SANDS, f"tie_wins_on_{total}", ending(total, (total + 1) % 10))

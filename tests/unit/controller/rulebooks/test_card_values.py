"""What each card counts, and how the points of a hand add up."""

from itertools import product

import pytest

from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT
from support.clauses.hands import deal

FACE_VALUES = {str(number): number for number in range(2, 10)}
SUITS = "SHDC"
# A rank for each point value from 0 to 9.
WORTH = "KA23456789"


def counted(book_id: str, rank: str) -> set[int]:
    """What the rank counts in each suit, seen as the Player's total beside a king."""
    # The Banker's natural 9 ends the draw, so that nothing is added to it.
    return {deal(book_id, f"{rank}{suit} 9H KC KD").player_total for suit in SUITS}


# -- Point values ----------------------------------------------------------------------------------


@by_book({MBS: "3.3.1", DT: "3.3.1", SANDS: "3.3.1", TOURNAMENT: "3.3.1"})
def test_two_to_nine_count_their_face_value_and_an_ace_one(book_id: str) -> None:
    for rank, value in {"A": 1, **FACE_VALUES}.items():
        assert counted(book_id, rank) == {value}, rank


@by_book({MBS: "3.3.2", DT: "3.3.2", SANDS: "3.3.2", TOURNAMENT: "3.3.2"})
def test_ten_jack_queen_and_king_count_zero(book_id: str) -> None:
    for rank in "TJQK":
        assert counted(book_id, rank) == {0}, rank


@pytest.mark.clause(RWS, "3.2.1")
def test_rws_ace_counts_one() -> None:
    assert counted(RWS, "A") == {1}


@pytest.mark.clause(RWS, "3.2.2")
def test_rws_two_to_ten_count_their_face_value() -> None:
    # Reading 3: a ten counts ten, of which a total keeps the last digit.
    for rank, value in {**FACE_VALUES, "T": 0}.items():
        assert counted(RWS, rank) == {value}, rank


@pytest.mark.clause(RWS, "3.2.3")
def test_rws_picture_cards_count_zero() -> None:
    for rank in "JQK":
        assert counted(RWS, rank) == {0}, rank


@by_book({MBS: "3.3", RWS: "3.2", DT: "3.3", SANDS: "3.3", TOURNAMENT: "3.3"})
def test_each_of_the_52_cards_counts_the_same_as_a_third_card(book_id: str) -> None:
    values = {"A": 1, **FACE_VALUES, "T": 0, "J": 0, "Q": 0, "K": 0}
    for (rank, value), suit in product(values.items(), SUITS):
        # The Player draws on 0; the Banker stands on 7.
        dealt = deal(book_id, f"KS KH KD 7C {rank}{suit}")
        assert dealt.player_total == value, rank + suit


# -- Point totals ----------------------------------------------------------------------------------


def player_total(book_id: str, values: tuple[int, ...]) -> int:
    first, second, *third = (f"{WORTH[value]}S" for value in values)
    # A third card is drawn against a Banker who stands on 7, none against a natural 9.
    banker = "7H" if third else "9H"
    return deal(book_id, " ".join([first, banker, second, "KD", *third])).player_total


def hands_adding_up_to(sums: range) -> list[tuple[int, ...]]:
    """Point values of every Player hand with such a sum; a third card follows on 0 to 5 only."""
    two = list(product(range(10), repeat=2))
    three = [(*pair, third) for pair, third in product(two, range(10)) if sum(pair) % 10 <= 5]
    return [hand for hand in (*two, *three) if sum(hand) in sums]


@by_book({MBS: "3.4.1", RWS: "1.14", DT: "3.4.1", SANDS: "3.4.1", TOURNAMENT: "3.4.1"})
def test_sum_of_zero_to_nine_is_the_point_total(book_id: str) -> None:
    for hand in hands_adding_up_to(range(10)):
        assert player_total(book_id, hand) == sum(hand), hand


@by_book({MBS: "3.4.2", RWS: "1.14", DT: "3.4.2", SANDS: "3.4.2", TOURNAMENT: "3.4.2"})
def test_sum_of_ten_or_more_leaves_its_right_digit_as_the_point_total(book_id: str) -> None:
    # Three cards reach 24 at most: 9 and 6 draw a 9.
    for hand in hands_adding_up_to(range(10, 25)):
        right_digit = int(str(sum(hand))[-1])
        assert player_total(book_id, hand) == right_digit, hand


@by_book({MBS: "3.4", RWS: "1.14", DT: "3.4", SANDS: "3.4", TOURNAMENT: "3.4"})
def test_bankers_hand_adds_up_like_the_players(book_id: str) -> None:
    # The Player stands on 6, so the Banker draws on 5 + 9 = 14 and on 5, and not on 9 + 9 = 18.
    banker_totals = {"5C 9D 7S": 1, "5C KD 3S": 8, "5C KD 5S": 0, "5C KD 9S": 4, "9C 9D": 8}
    for hand, total in banker_totals.items():
        first, second, *third = hand.split()
        dealt = deal(book_id, " ".join(["6S", first, "KS", second, *third]))
        assert dealt.banker_total == total, hand

"""Player Pair and Banker Pair: the first two cards of a hand are of one rank (reading 1)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from support.clauses.clause_cases import MBS, RWS, TOURNAMENT, case
from support.clauses.hands import result

RANKS = "A23456789TJQK"

each_pair_wager = pytest.mark.parametrize(
    ("book_id", "side"),
    [
        case(MBS, "player", proves="1.1.6"),
        case(MBS, "banker", proves="1.1.6"),
        case(RWS, "player", proves="1.13"),
        case(RWS, "banker", proves="1.13"),
        case(TOURNAMENT, "player", proves="1.1.4 3.8.1"),
        case(TOURNAMENT, "banker", proves="1.1.4 3.8.2"),
    ],
)


def wins_pair(book_id: str, side: str, first: str, second: str) -> bool:
    """These two cards on one hand; the other has a natural nine, so that the deal ends."""
    hand = f"{first} 9C {second} KS" if side == "player" else f"9C {first} KS {second}"
    return result(book_id, hand, f"{side}_pair")[0] == "win"


@each_pair_wager
def test_two_cards_of_one_rank_win_whatever_their_suits(book_id: str, side: str) -> None:
    for rank in RANKS:
        assert wins_pair(book_id, side, f"{rank}H", f"{rank}C")
        assert wins_pair(book_id, side, f"{rank}D", f"{rank}D")


@each_pair_wager
@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("TH", "KH", id="same value, by rank no pair"),
        pytest.param("TH", "JC", id="ten and jack"),
        pytest.param("KS", "QS", id="two face cards"),
        pytest.param("QD", "JH", id="two other face cards"),
        pytest.param("4H", "5H", id="one suit, one apart"),
        pytest.param("AH", "TH", id="ace and ten"),
    ],
)
def test_two_cards_of_two_ranks_lose(book_id: str, side: str, first: str, second: str) -> None:
    assert not wins_pair(book_id, side, first, second)


@pytest.mark.parametrize(
    ("book_id", "paired", "other"),
    [
        case(MBS, "player", "banker", proves="1.1.6"),
        case(MBS, "banker", "player", proves="1.1.6"),
        case(RWS, "player", "banker", proves="1.13"),
        case(RWS, "banker", "player", proves="1.13"),
        case(TOURNAMENT, "player", "banker", proves="3.8.1"),
        case(TOURNAMENT, "banker", "player", proves="3.8.2"),
    ],
)
def test_pair_on_one_hand_loses_the_wager_on_the_other(
    book_id: str, paired: str, other: str
) -> None:
    hand = "4H KC 4D 7S" if paired == "player" else "KH 4C 7D 4S"
    assert result(book_id, hand, f"{paired}_pair")[0] == "win"
    assert result(book_id, hand, f"{other}_pair")[0] == "lose"


@pytest.mark.parametrize(
    "book_id",
    [case(MBS, proves="3.13"), case(RWS, proves="3.10"), case(TOURNAMENT, proves="3.8")],
)
def test_third_card_neither_makes_nor_breaks_a_pair(book_id: str) -> None:
    # Player 2 3 and a second 2, Banker A A and a 5; then the other way round.
    assert result(book_id, "2H AC 3D AS 2C 5H", "player_pair")[0] == "lose"
    assert result(book_id, "2H AC 3D AS 2C 5H", "banker_pair")[0] == "win"
    assert result(book_id, "AH 2C AD 3S 5C 2H", "player_pair")[0] == "win"
    assert result(book_id, "AH 2C AD 3S 5C 2H", "banker_pair")[0] == "lose"


# -- Why reading 1 ---------------------------------------------------------------------------------


def house_edge(wins: Callable[[str, str], bool]) -> float:
    """Of a wager at 11 to 1 on the first two cards of a hand, from eight decks."""
    copies, cards = 32, 416
    ways = sum(
        copies * (copies - 1 if first == second else copies)
        for first, second in product(RANKS, repeat=2)
        if wins(first, second)
    )
    return float(1 - 12 * Fraction(ways, cards * (cards - 1)))


def literal_pair(first: str, second: str) -> bool:
    """1.1.6 word for word: the same point value, but two different face cards are none."""
    if first in "JQK" and second in "JQK":
        return first == second
    return first == second or (first in "TJQK" and second in "TJQK")


@pytest.mark.clause(MBS, "1.1.6")
def test_pair_by_rank_gives_the_house_an_edge_and_word_for_word_the_bettor() -> None:
    def as_settled(first: str, second: str) -> bool:
        return wins_pair(MBS, "player", f"{first}H", f"{second}S")

    assert house_edge(as_settled) == pytest.approx(0.1036, abs=0.0001)
    assert house_edge(literal_pair) == pytest.approx(-0.32, abs=0.005)

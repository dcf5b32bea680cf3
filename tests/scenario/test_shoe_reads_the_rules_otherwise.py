"""Clauses about points, hands and outcomes: a shoe that reads one otherwise is contradicted.

The cards are dealt as they came and the shoe then says what a round would be without the clause, or
with the next best reading of it. The table must stop and let nobody announce or settle; told what
the clause makes of the same cards, it must go on.
"""

from typing import Any

import pytest

from scenario.memory_link import open_in_memory
from scenario.story import Story
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case

Said = dict[str, Any]


def held_by(book_id: str, cards: str, right: Said, wrong: Said) -> None:
    """The shoe's word is taken where it is right, and holds the table where it is wrong."""
    for said, state in ((right, "outcome"), (wrong, "halted")):
        story = Story(open_in_memory, book_id)
        story.tell("The shoe is ready.\nSue is the pit supervisor.\nBets are open.")
        story.tell(f"Ann bets 2000 on player at 1.\nBets are closed.\nCards: {cards}")
        story.device("result", **{"with": said})
        assert story.last["state"] == state, f"{said}\n{story.last}"
        refused = " (refused)" if state == "halted" else ""
        story.tell(f"Dealer announces{refused}.\nDealer settles{refused}.")


def totals(player: int, banker: int) -> Said:
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    return {"winner": winner, "player_total": player, "banker_total": banker}


# --- points -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "right", "wrong"),
    [
        pytest.param("AH 7C 7D KS", (8, 7), (7, 7), id="an ace for nothing"),
        pytest.param("2H KC 6D 7S", (8, 7), (6, 7), id="a two for nothing"),
        pytest.param("9H KC KD 7S", (9, 7), (0, 7), id="a nine for nothing"),
    ],
)
@by_book(
    {MBS: "3.3 3.3.1", RWS: "3.2 3.2.1 3.2.2", DT: "3.3 3.3.1", SANDS: "3.3 3.3.1"}
    | {TOURNAMENT: "3.3 3.3.1"},
    shows="held",
)
def test_shoe_that_counts_a_card_otherwise(
    book_id: str, cards: str, right: tuple[int, int], wrong: tuple[int, int]
) -> None:
    held_by(book_id, cards, totals(*right), totals(*wrong))


@pytest.mark.parametrize("rank", "TJQK")
@by_book({MBS: "3.3.2", RWS: "3.2.3", DT: "3.3.2", SANDS: "3.3.2", TOURNAMENT: "3.3.2"}, "held")
def test_shoe_that_counts_a_ten_or_a_picture_as_one(book_id: str, rank: str) -> None:
    held_by(book_id, f"{rank}H 9C 8D QS", totals(8, 9), totals(9, 9))


ON_TOTALS = {MBS: "3.4 3.4.1 3.4.2", RWS: "1.14", DT: "3.4 3.4.1 3.4.2"}


@pytest.mark.parametrize(
    ("cards", "right", "wrong"),
    [
        pytest.param("4H KC 4D 7S", (8, 7), (4, 7), id="one card of the hand left out"),
        pytest.param("7H KC 9D 7S", (6, 7), (7, 6), id="sixteen is six and no more than seven"),
        pytest.param("6H 9C KD 6S 2H", (6, 7), (6, 5), id="a third card left out"),
    ],
)
@by_book(ON_TOTALS | {SANDS: "3.4 3.4.1 3.4.2", TOURNAMENT: "3.4 3.4.1 3.4.2"}, "held")
def test_shoe_that_adds_a_hand_up_otherwise(
    book_id: str, cards: str, right: tuple[int, int], wrong: tuple[int, int]
) -> None:
    held_by(book_id, cards, totals(*right), totals(*wrong))


@by_book({SANDS: "1.1.8", TOURNAMENT: "1.1.5"}, "held")
def test_shoe_that_takes_the_higher_card_for_the_point_total(book_id: str) -> None:
    held_by(book_id, "6H KC 3D 7S", totals(9, 7), totals(6, 7))


# --- whose cards ------------------------------------------------------------------------------


@by_book(
    {MBS: "3.12 3.12.1 3.12.2", RWS: "3.10", DT: "3.13 3.13.1 3.13.2"}
    | {SANDS: "3.6 3.7.1 3.7.2", TOURNAMENT: "3.6 3.7.1 3.7.2"},
    "held",
)
def test_shoe_that_gives_the_first_two_cards_to_the_player(book_id: str) -> None:
    """9 and 2 against king and 6 would be 1 against 6."""
    held_by(book_id, "9H 2C KD 6S", totals(9, 8), totals(1, 6))


@by_book({SANDS: "3.7", TOURNAMENT: "3.7"}, "held")
def test_shoe_that_ends_the_round_on_three_cards(book_id: str) -> None:
    """Three show a natural nine; the fourth is dealt all the same, and makes nine too."""
    held_by(book_id, "9H 2C KD 7S", totals(9, 9), totals(9, 2))


# --- who won ----------------------------------------------------------------------------------


@by_book({MBS: "3.15", RWS: "3.13", DT: "3.15", SANDS: "3.10", TOURNAMENT: "3.10"}, "held")
def test_shoe_that_lets_the_lower_total_win(book_id: str) -> None:
    for cards, right in (("9H KC KD 7S", "player"), ("KH 9C 7D KS", "banker")):
        wrong = {"player": "banker", "banker": "player"}[right]
        held_by(book_id, cards, {"winner": right}, {"winner": wrong})


ON_A_TIE = {MBS: "3.15.1 1.1.10", RWS: "3.14 1.19", DT: "3.15.1 1.1.13"}


@by_book(ON_A_TIE | {SANDS: "3.11 1.1.12", TOURNAMENT: "3.10.1 1.1.7"}, "held")
def test_shoe_that_calls_equal_totals_a_win(book_id: str) -> None:
    for wrong in ("player", "banker"):
        held_by(book_id, "9H 9C KD KS", {"winner": "tie"}, {"winner": wrong})


@by_book(ON_A_TIE | {SANDS: "3.11 1.1.12", TOURNAMENT: "3.10.1 1.1.7"}, "held")
def test_shoe_that_looks_at_the_first_four_cards_for_a_tie(book_id: str) -> None:
    """5 against 5 after four cards; 9 against 8 at the end."""
    held_by(book_id, "5H 5C KD KS 4H 3D", {"winner": "player"}, {"winner": "tie"})


# --- pairs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "right"),
    [
        pytest.param("4H KC 4D 7S", True, id="fours are one"),
        pytest.param("TH 9C KD KS", False, id="a ten and a king count the same and are none"),
        pytest.param("KH 9C QD KS", False, id="a king and a queen are none"),
    ],
)
@by_book({MBS: "1.1.6", RWS: "1.13", TOURNAMENT: "1.1.4"}, "held")
def test_shoe_that_takes_other_cards_for_a_pair(book_id: str, cards: str, right: bool) -> None:
    winner = {"winner": "player" if cards.startswith("4H") else "banker"}
    held_by(book_id, cards, winner | {"player_pair": right}, winner | {"player_pair": not right})


@pytest.mark.parametrize(
    ("book_id", "side"),
    [
        case(MBS, "player", proves="3.13", shows="held"),
        case(MBS, "banker", proves="3.13", shows="held"),
        case(RWS, "player", proves="3.10", shows="held"),
        case(RWS, "banker", proves="3.10", shows="held"),
        case(TOURNAMENT, "player", proves="3.8 3.8.1", shows="held"),
        case(TOURNAMENT, "banker", proves="3.8 3.8.2", shows="held"),
    ],
)
def test_shoe_that_lets_a_third_card_make_a_pair(book_id: str, side: str) -> None:
    """Player 2 3 and another 2, Banker A A and a 5; then the other way round."""
    cards = {"player": "2H AC 3D AS 2C 5H", "banker": "AH 2C AD 3S 5C 2H"}[side]
    other = {"player": "banker", "banker": "player"}[side]
    won = {"winner": "tie"}
    right = won | {f"{side}_pair": False, f"{other}_pair": True}
    held_by(book_id, cards, right, won | {f"{side}_pair": True, f"{other}_pair": True})
    held_by(book_id, cards, right, won | {f"{side}_pair": False, f"{other}_pair": False})

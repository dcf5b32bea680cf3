"""Dragon Tiger Baccarat's own wagers, and the Tie wager of the books that define one."""

import pytest

from support.clauses.clause_cases import DT, MBS, RWS, case
from support.clauses.hands import result
from support.rows import each_row

# Named by what each hand ends on: Player over Banker, with how many cards each.
SEVEN_IN_TWO_OVER_SIX_IN_TWO = "KH KC 7D 6S"
SEVEN_IN_TWO_OVER_SIX_IN_THREE = "KH KC 7D 5S AH"
SEVEN_IN_THREE_OVER_SIX_IN_TWO = "KH KC 5D 6S 2H"
SEVEN_IN_THREE_OVER_SIX_IN_THREE = "KH KC QD 6S 7H KD"
SEVEN_IN_TWO_OVER_FIVE = "KH KC 7D 5S KD"
SEVEN_IN_THREE_OVER_THREE = "KH KC 5D 3S 2H KD"
SEVEN_IN_TWO_TIED = "KH KC 7D 7S"
SEVEN_IN_THREE_TIED = "KH KC 5D 7S 2H"
SEVEN_IN_TWO_UNDER_NINE = "KH KC 7D 9S"
SEVEN_IN_THREE_UNDER_EIGHT = "KH KC 5D 3S 2H 5C"
EIGHT_IN_TWO_OVER_SIX = "KH KC 8D 6S"
EIGHT_IN_THREE_OVER_SIX = "KH KC 5D 6S 3H"
SIX_UNDER_SEVEN = "KH KC 6D 7S"
FIVE_UNDER_SIX_IN_TWO = "KH KC QD 6S 5H"
FIVE_UNDER_SIX_IN_THREE = "KH KC QD 2S 5H 4D"
FIVE_UNDER_SEVEN_IN_TWO = "KH KC QD 7S 5H"
FIVE_UNDER_SEVEN_IN_THREE = "KH KC QD 3S 5H 4D"
SIX_TIED_WITH_SIX_IN_TWO = "KH KC 6D 6S"
SIX_TIED_WITH_SIX_IN_THREE = "KH KC 6D 5S AH"


def wins(wager: str, hand: str, book_id: str = DT) -> bool:
    return result(book_id, hand, wager)[0] == "win"


@pytest.mark.clause(DT, "1.1.1")
def test_big_dragon_wins_when_player_wins_with_seven_in_three_cards() -> None:
    assert wins("big_dragon", SEVEN_IN_THREE_OVER_THREE)
    assert wins("big_dragon", SEVEN_IN_THREE_OVER_SIX_IN_TWO)
    assert wins("big_dragon", SEVEN_IN_THREE_OVER_SIX_IN_THREE)


@pytest.mark.clause(DT, "1.1.1")
@each_row(
    "hand",
    [
        SEVEN_IN_TWO_OVER_FIVE,
        SEVEN_IN_THREE_TIED,
        SEVEN_IN_THREE_UNDER_EIGHT,
        EIGHT_IN_THREE_OVER_SIX,
        FIVE_UNDER_SEVEN_IN_THREE,
    ],
)
def test_big_dragon_loses_with_any_other_outcome(hand: str) -> None:
    assert not wins("big_dragon", hand)


@pytest.mark.clause(DT, "1.1.9")
def test_small_dragon_wins_when_player_wins_with_seven_in_two_cards() -> None:
    assert wins("small_dragon", SEVEN_IN_TWO_OVER_FIVE)
    assert wins("small_dragon", SEVEN_IN_TWO_OVER_SIX_IN_TWO)


@pytest.mark.clause(DT, "1.1.9")
@each_row(
    "hand",
    [
        SEVEN_IN_THREE_OVER_THREE,
        SEVEN_IN_TWO_TIED,
        SEVEN_IN_TWO_UNDER_NINE,
        EIGHT_IN_TWO_OVER_SIX,
        FIVE_UNDER_SEVEN_IN_TWO,
    ],
)
def test_small_dragon_loses_with_any_other_outcome(hand: str) -> None:
    assert not wins("small_dragon", hand)


@pytest.mark.clause(DT, "1.1.2")
def test_big_tiger_wins_when_banker_wins_with_six_in_three_cards() -> None:
    assert wins("big_tiger", FIVE_UNDER_SIX_IN_THREE)


@pytest.mark.clause(DT, "1.1.2")
@each_row(
    "hand",
    [
        FIVE_UNDER_SIX_IN_TWO,
        SIX_TIED_WITH_SIX_IN_THREE,
        SEVEN_IN_TWO_OVER_SIX_IN_THREE,
        FIVE_UNDER_SEVEN_IN_THREE,
    ],
)
def test_big_tiger_loses_with_any_other_outcome(hand: str) -> None:
    assert not wins("big_tiger", hand)


@pytest.mark.clause(DT, "1.1.10")
def test_small_tiger_wins_when_banker_wins_with_six_in_two_cards() -> None:
    assert wins("small_tiger", FIVE_UNDER_SIX_IN_TWO)


@pytest.mark.clause(DT, "1.1.10")
@each_row(
    "hand",
    [
        FIVE_UNDER_SIX_IN_THREE,
        SIX_TIED_WITH_SIX_IN_TWO,
        SEVEN_IN_TWO_OVER_SIX_IN_TWO,
        FIVE_UNDER_SEVEN_IN_TWO,
    ],
)
def test_small_tiger_loses_with_any_other_outcome(hand: str) -> None:
    assert not wins("small_tiger", hand)


@pytest.mark.clause(DT, "1.1.3")
@each_row(
    "hand",
    [
        SEVEN_IN_TWO_OVER_SIX_IN_TWO,
        SEVEN_IN_TWO_OVER_SIX_IN_THREE,
        SEVEN_IN_THREE_OVER_SIX_IN_TWO,
        SEVEN_IN_THREE_OVER_SIX_IN_THREE,
    ],
)
def test_dragon_tiger_wins_when_player_seven_beats_banker_six(hand: str) -> None:
    assert wins("dragon_tiger", hand)


@pytest.mark.clause(DT, "1.1.3")
@each_row(
    "hand",
    [
        SEVEN_IN_TWO_OVER_FIVE,
        EIGHT_IN_TWO_OVER_SIX,
        SIX_UNDER_SEVEN,
        SEVEN_IN_TWO_TIED,
        SIX_TIED_WITH_SIX_IN_TWO,
    ],
)
def test_dragon_tiger_loses_with_any_other_outcome(hand: str) -> None:
    assert not wins("dragon_tiger", hand)


each_tie_wager = pytest.mark.parametrize(
    "book_id", [case(MBS, proves="1.1.11"), case(DT, proves="1.1.14"), case(RWS, proves="1.19")]
)


@each_tie_wager
def test_tie_wager_wins_when_the_totals_are_equal_at_the_end(book_id: str) -> None:
    assert wins("tie", SEVEN_IN_TWO_TIED, book_id)
    assert wins("tie", SEVEN_IN_THREE_TIED, book_id)
    assert wins("tie", SIX_TIED_WITH_SIX_IN_THREE, book_id)


@each_tie_wager
def test_tie_wager_loses_when_the_totals_differ_at_the_end(book_id: str) -> None:
    assert not wins("tie", SEVEN_IN_TWO_OVER_SIX_IN_TWO, book_id)
    assert not wins("tie", FIVE_UNDER_SIX_IN_TWO, book_id)
    # Five each after the first four cards, nine over five in the end.
    assert not wins("tie", "KH KC 5D 5S 4H KD", book_id)

"""Two rounds that differ in the one thing a clause speaks of: the same stake comes out otherwise.

Every row is a wager, a round that wins it, and rounds that miss it by one thing.
"""

import pytest

from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case, ending, money
from support.clauses.contrast import otherwise
from support.clauses.hands import settle_one

STAKE = 2_000


def paid(book_id: str, wager: str, hand: str) -> tuple[str, int, int, str | None]:
    return money(settle_one(book_id, hand, wager, STAKE))


def only(book_id: str, wager: str, pays: int, hand: str, *misses: str) -> None:
    """The first round pays so much; each of the others loses the whole stake."""
    won = paid(book_id, wager, hand)
    assert won == ("win", pays, STAKE, None)
    for miss in misses:
        lost = paid(book_id, wager, miss)
        otherwise(won, lost)
        assert lost == ("lose", 0, 0, None), miss


def near(book_id: str, *rows: tuple[str, str, int, tuple[str, ...]]) -> pytest.MarkDecorator:
    """Rows of clauses, wager, what it pays, and the rounds."""
    return pytest.mark.parametrize(
        ("book_id", "wager", "pays", "hands"),
        [
            case(book_id, wager, pays, hands, proves=proves, shows="changed")
            for proves, wager, pays, hands in rows
        ],
    )


SEVEN_IN_TWO, SEVEN_IN_THREE = "KH KC 7D 5S KD", "KH KC 5D 3S 2H KD"
SIX_IN_TWO, SIX_IN_THREE = "KH KC QD 6S 5H", "KH KC QD 2S 5H 4D"


@near(
    DT,
    ("1.1.1", "big_dragon", 60_000, (SEVEN_IN_THREE, SEVEN_IN_TWO, "KH KC 5D 7S 2H")),
    ("1.1.9", "small_dragon", 30_000, (SEVEN_IN_TWO, SEVEN_IN_THREE, "KH KC 7D 7S")),
    ("4.3", "big_dragon", 60_000, (SEVEN_IN_THREE, "KH KC 5D 6S 3H")),
)
def test_a_dragon_of_another_number_of_cards_or_points_loses(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@near(
    DT,
    ("1.1.2", "big_tiger", 100_000, (SIX_IN_THREE, SIX_IN_TWO, "KH KC 6D 5S AH")),
    # And not the 25 to 1 printed in Appendix K (reading 2).
    ("1.1.10", "small_tiger", 44_000, (SIX_IN_TWO, SIX_IN_THREE, "KH KC 6D 6S")),
    ("4.3", "small_tiger", 44_000, (SIX_IN_TWO, "KH KC QD 7S 5H")),
)
def test_a_tiger_of_another_number_of_cards_or_points_loses(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@near(
    DT,
    ("1.1.3", "dragon_tiger", 60_000, ("KH KC 7D 6S", "KH KC 8D 6S", "KH KC 7D 5S 2H")),
    ("4.2", "dragon_tiger", 80_000, ("KH KC 5D 6S 2H", "KH KC 6D 7S")),
)
def test_a_dragon_tiger_of_other_totals_loses(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@pytest.mark.clause(DT, "4.2", shows="changed")
def test_a_dragon_tiger_is_paid_otherwise_by_each_number_of_cards() -> None:
    four, five, six = "KH KC 7D 6S", "KH KC 5D 6S 2H", "KH KC QD 6S 7H KD"
    otherwise(*(paid(DT, "dragon_tiger", hand) for hand in (four, five, six)))


FOURS, OTHER_FOURS, DIAMONDS, OTHERS = "4D 4D", "4D 4H", "QD QD", "QD QH"


def precious(pair: str) -> str:
    first, second = pair.split()
    return f"{first} 9C {second} KS"


@pytest.mark.parametrize(
    ("pair", "beside"),
    [
        pytest.param(
            FOURS,
            (OTHER_FOURS, "5D 5D"),
            marks=pytest.mark.clause(SANDS, "1.1.6.1", shows="changed"),
        ),
        pytest.param(
            OTHER_FOURS,
            (FOURS, "5D 5H"),
            marks=pytest.mark.clause(SANDS, "1.1.6.2", shows="changed"),
        ),
        pytest.param(
            DIAMONDS, (OTHERS, FOURS), marks=pytest.mark.clause(SANDS, "4.2", shows="changed")
        ),
    ],
)
def test_fours_and_diamonds_change_what_a_precious_pair_is_paid(
    pair: str, beside: tuple[str, ...]
) -> None:
    otherwise(*(paid(SANDS, "player_precious_pair", precious(each)) for each in (pair, *beside)))


@pytest.mark.parametrize(
    ("pair", "beside"),
    [
        pytest.param(
            DIAMONDS, (OTHERS, "QD KD"), marks=pytest.mark.clause(SANDS, "1.1.6.3", shows="changed")
        ),
        pytest.param(
            OTHERS, (DIAMONDS, "QD KH"), marks=pytest.mark.clause(SANDS, "1.1.6.4", shows="changed")
        ),
        pytest.param(
            "TH TC", ("TH KC",), marks=pytest.mark.clause(SANDS, "1.1.6", shows="changed")
        ),
    ],
)
def test_two_cards_of_two_ranks_are_no_precious_pair(pair: str, beside: tuple[str, ...]) -> None:
    otherwise(*(paid(SANDS, "player_precious_pair", precious(each)) for each in (pair, *beside)))


@pytest.mark.clause(SANDS, "3.8", shows="changed")
def test_a_precious_pair_of_the_other_hand_or_with_a_third_card_loses() -> None:
    own, other, third = "4H 9C 4D KS", "9C 4H KS 4D", "2H AC 3D KS 2C 5H"
    won, *lost = (paid(SANDS, "player_precious_pair", hand) for hand in (own, other, third))
    for each in lost:
        otherwise(won, each)


@near(
    SANDS,
    ("3.13 1.1.9", "player_red", 4_000, ("2H 9C 3D KS", "2H 9C 3C KS", "9C 2H KS 3D")),
    ("3.14 1.1.9", "player_black", 4_000, ("2S 9H 3C KD", "2S 9H 3D KD", "9H 2S KD 3C")),
)
def test_a_card_of_the_other_colour_or_the_other_hand_loses_a_colour(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@near(
    SANDS,
    ("1.1.11 3.12", "sands_six", 12_000, (ending(6, 5), ending(6, 7), ending(5, 7))),
    ("1.1.11 3.12", "sands_six", 12_000, (ending(6, 6), ending(7, 6), ending(7, 7))),
)
def test_a_six_that_does_not_win_loses_sands_six(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@near(
    SANDS,
    ("1.1.7 4.3", "player_wins_on_7", 16_000, (ending(7, 6), ending(7, 7), ending(8, 6))),
    ("1.1.7 4.3", "player_wins_on_5", 60_000, (ending(5, 4), ending(4, 5), ending(4, 3))),
)
def test_another_total_of_the_player_loses_player_wins_on(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@near(
    SANDS,
    ("1.1.1 4.4", "banker_wins_on_7", 16_000, (ending(6, 7), ending(7, 7), ending(6, 8))),
    # Half of what the Player's five pays.
    ("1.1.1 4.4", "banker_wins_on_5", 30_000, (ending(4, 5), ending(5, 4), ending(3, 4))),
)
def test_another_total_of_the_banker_loses_banker_wins_on(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@near(
    SANDS,
    ("1.1.13 4.5", "tie_wins_on_7", 70_000, (ending(7, 7), ending(8, 8), ending(7, 6))),
    ("1.1.13 4.5", "tie_wins_on_0", 200_000, (ending(0, 0), ending(9, 9), ending(1, 0))),
)
def test_a_tie_on_another_total_loses_tie_wins_on(
    book_id: str, wager: str, pays: int, hands: tuple[str, ...]
) -> None:
    only(book_id, wager, pays, *hands)
    otherwise(*(paid(book_id, wager, hand) for hand in hands[:2]))


@pytest.mark.parametrize(
    ("book_id", "banker"),
    [
        case(MBS, 1_900, proves="4.1", shows="changed"),
        case(RWS, 1_900, proves="4.1 4.1.2", shows="changed"),
        case(DT, 1_900, proves="4.1", shows="changed"),
        case(TOURNAMENT, 2_000, proves="4.1", shows="changed"),
        case(SANDS, 2_000, proves="4.1", shows="changed"),
    ],
)
def test_each_outcome_pays_one_main_wager_and_takes_or_returns_the_others(
    book_id: str, banker: int
) -> None:
    won = [ending(9, 7), ending(7, 9), ending(7, 7)]
    for wager, expected in {
        "player": [(2_000, STAKE), (0, 0), (0, STAKE)],
        "banker": [(0, 0), (banker, STAKE), (0, STAKE)],
        "tie": [(0, 0), (0, 0), (16_000, STAKE)],
    }.items():
        found = [paid(book_id, wager, hand)[1:3] for hand in won]
        assert found == expected
        otherwise(found[1], found[2])


@pytest.mark.clause(SANDS, "4.1", shows="changed")
def test_six_changes_what_a_winning_banker_is_paid_in_sands_super_alone() -> None:
    five, six = ending(0, 5), ending(0, 6)
    otherwise(paid(SANDS, "banker", five), paid(SANDS, "banker", six))
    assert paid(TOURNAMENT, "banker", five) == paid(TOURNAMENT, "banker", six)


@pytest.mark.parametrize(
    ("book_id"),
    [case(RWS, proves="4.1.1", shows="changed"), case(MBS, proves="1.1.1", shows="changed")],
)
def test_the_house_keeps_commission_of_a_banker_that_wins_and_of_nothing_else(book_id: str) -> None:
    won, lost, tied = (
        paid(book_id, "banker", hand) for hand in (ending(7, 9), ending(9, 7), ending(7, 7))
    )
    otherwise(won, lost, tied)
    assert won[1] == STAKE - STAKE // 20
    assert paid(book_id, "player", ending(9, 7))[1] == STAKE

"""The roads, against examples worked out on paper and against a second, slow way to them."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.errors import NotAnOutcome
from controller.game.hands import Outcome
from controller.views.roads import ROWS, Cell, Hand, Mark, Roads, place, roads
from support.rows import each_row

DERIVED = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
"""Each derived road and how many logical columns it looks back."""


def drawn(outcomes: str) -> Roads:
    """The roads of `PBT`, one letter a hand."""
    return roads([Hand.parse(letter) for letter in outcomes])


def streaks(*lengths: int) -> str:
    """Banker and Player in turn, so many each."""
    return "".join("BP"[number % 2] * length for number, length in enumerate(lengths))


def big_road(outcomes: str) -> list[tuple[int, int, str, int]]:
    return [(*cell, hand.letter, ties) for cell, hand, ties in drawn(outcomes).big_road]


def last_streak(*lengths: int) -> list[tuple[int, int]]:
    """Where the last of these streaks lies."""
    return [(cell.column, cell.row) for cell in place(streaks(*lengths))[-lengths[-1] :]]


def marks(road: str, outcomes: str) -> str:
    found: tuple[Mark, ...] = getattr(drawn(outcomes), road)
    return "".join(mark.value for mark in found)


# Tokens


@each_row("letter", "BPT")
@each_row("pairs", ["", "b", "p", "bp"])
def test_token_prints_as_it_is_read(letter: str, pairs: str) -> None:
    hand = Hand.parse(letter + pairs)
    assert hand.token == letter + pairs
    assert hand.letter == letter
    assert (hand.banker_pair, hand.player_pair) == ("b" in pairs, "p" in pairs)


def test_pairs_in_the_other_order_are_the_same_hand() -> None:
    assert Hand.parse("Tpb") == Hand(Outcome.TIE, player_pair=True, banker_pair=True)
    assert Hand.parse("Tpb").token == "Tbp"


@each_row("token", ["", "b", "X", "BP", "BB", "Bbb", "Bbpb", "bp", "B,", "B b", "庄"])
def test_what_is_no_outcome_is_refused_by_name(token: str) -> None:
    with pytest.raises(NotAnOutcome) as caught:
        Hand.parse(token)
    assert repr(token) in str(caught.value)


# The bead plate


def test_beads_fill_six_rows_then_the_next_column_and_ties_are_beads_too() -> None:
    tokens = ["P", "T", "Bb", "Tbp", "P", "Pp", "T", "B"]
    beads = roads([Hand.parse(token) for token in tokens]).bead_plate
    assert [(*cell, hand.token) for cell, hand in beads] == [
        (0, 0, "P"),
        (0, 1, "T"),
        (0, 2, "Bb"),
        (0, 3, "Tbp"),
        (0, 4, "P"),
        (0, 5, "Pp"),
        (1, 0, "T"),
        (1, 1, "B"),
    ]


# The big road: ties


@each_row(
    "outcomes, expected",
    [
        ("", []),
        ("TTT", []),  # nothing to count them on
        ("TTP", [(0, 0, "P", 2)]),
        # Two led the shoe and one followed the first win: all three on that win.
        ("TTPTB", [(0, 0, "P", 3), (1, 0, "B", 0)]),
        # Ties neither end a streak nor take a cell, and each lies on the win before it.
        ("BTBTTPTTT", [(0, 0, "B", 1), (0, 1, "B", 2), (1, 0, "P", 3)]),
    ],
)
def test_ties_are_counted_on_a_decided_hand(
    outcomes: str, expected: list[tuple[int, int, str, int]]
) -> None:
    assert big_road(outcomes) == expected


def test_pairs_of_a_decided_hand_stay_with_it() -> None:
    shown = roads([Hand.parse(token) for token in ("Tbp", "Bp", "Tb")]).big_road
    assert [(hand.token, ties) for _, hand, ties in shown] == [("Bp", 2)]


# The big road: where streaks lie. The pictures show the grid, a letter for each streak.


def test_each_change_of_winner_starts_a_column() -> None:
    assert big_road("PPBP") == [(0, 0, "P", 0), (0, 1, "P", 0), (1, 0, "B", 0), (2, 0, "P", 0)]


def test_seventh_in_a_streak_turns_right_in_the_bottom_row() -> None:
    #   a b .
    #   a . .
    #   a . .
    #   a . .
    #   a . .
    #   a a a    and b starts beside the first a, not beside the tail
    assert last_streak(8)[6:] == [(1, 5), (2, 5)]
    assert last_streak(8, 1) == [(1, 0)]


def test_streak_that_meets_a_tail_turns_right_above_it() -> None:
    #   a b .
    #   a b .
    #   a b .
    #   a b .
    #   a b b
    #   a a a
    assert last_streak(8, 6) == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4)]


def test_tail_past_the_block_drops_again_and_then_goes_on_along_the_bottom() -> None:
    #   a b . . .
    #   a b . . .
    #   a b . . .
    #   a b . . .
    #   a b b b .
    #   a a a b b
    assert last_streak(8, 9)[5:] == [(2, 4), (3, 4), (3, 5), (4, 5)]


def test_tail_drops_as_far_as_it_can() -> None:
    #   a b c . .
    #   a b c . .
    #   a b c . .
    #   a b c c c
    #   a b b b c
    #   a a a . c    b ends above the free cell; c, one column on, drops past both
    assert last_streak(8, 7, 8) == [(2, 0), (2, 1), (2, 2), (2, 3), (3, 3), (4, 3), (4, 4), (4, 5)]


def test_tail_does_not_join_an_earlier_tail_of_its_own_side() -> None:
    #   a b c .
    #   a . c .
    #   a . c .
    #   a . c .
    #   a . c c    a and c were both won by the Banker
    #   a a a a
    assert last_streak(9, 1, 6) == [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 4)]


def test_streak_whose_top_cell_a_tail_has_taken_starts_further_right() -> None:
    #   a b c d e f f g h
    #   a b c d e e e . .
    #   a b c d d d d . .
    #   a b c c c c c . .
    #   a b b b b b b . .
    #   a a a a a a a . .
    lengths = (12, 10, 8, 6, 4, 2)
    assert last_streak(*lengths) == [(5, 0), (6, 0)]
    assert last_streak(*lengths, 1) == [(7, 0)]
    assert last_streak(*lengths, 1, 1) == [(8, 0)]


def test_marks_of_a_derived_road_are_placed_by_the_same_rule() -> None:
    # Seven red, then blue until it has passed the one cell of tail and dropped.
    red, blue = [Mark.RED] * 7, [Mark.BLUE] * 7
    assert place(red + blue) == place(streaks(7, 7))
    assert place(red + blue)[-2:] == [Cell(2, 4), Cell(2, 5)]


# The derived roads


@each_row("road, back", DERIVED.items())
def test_first_mark(road: str, back: int) -> None:
    before = [1] * back
    # The first hand of the column that has one to compare with gives no mark yet.
    assert marks(road, streaks(*before, 1)) == ""
    # Its second hand does: beside it nothing, above that something.
    assert marks(road, streaks(*before, 2)) == "B"
    # If there is no second hand, the first hand of the next column: one and one are equal.
    assert marks(road, streaks(*before, 1, 1)) == "R"
    # However long the columns before it are, they give none.
    assert marks(road, streaks(*[9] * back)) == ""


def test_three_roads_of_one_shoe() -> None:
    #   a b c d e
    #   a . c d e
    #   a . c . .
    #   . . c . .
    outcomes = "BBB P BBBB PP BB".replace(" ", "")
    # One back. c1: b=1, a=3: B. c2: b ends above: B. c3, c4: straight down: RR.
    # d1: c=4, b=1: B. d2: c2 is there: R. e1: d=2, c=4: B. e2: d2 is there: R.
    assert marks("big_eye_boy", outcomes) == "BBRRBRBR"
    # Two back. c2, c3: a2, a3 are there: RR. c4: a ends above: B. d1: c=4, a=3: B.
    # d2: b ends above: B. e1: d=2, b=1: B. e2: c2 is there: R.
    assert marks("small_road", outcomes) == "RRBBBBR"
    # Three back. d2: a2 is there: R. e1: d=2, a=3: B. e2: b ends above: B.
    assert marks("cockroach_pig", outcomes) == "RBB"


def test_straight_down_is_red_for_as_long_as_it_lasts() -> None:
    # Two, then nine: the second has one beside it, the third is the first with none, and from
    # the fourth on there is none beside it nor beside the one above.
    assert marks("big_eye_boy", streaks(2, 9)) == "RB" + "RRRRRR"


def test_streaks_longer_than_six_are_compared_by_length_and_not_as_drawn() -> None:
    # The Player's 2nd to 7th have a Banker's beside them although the 7th is drawn as a tail.
    assert marks("big_eye_boy", streaks(7, 8)) == "RRRRRRB"
    # Equal at eight, then different at eight and nine; on the grid all fill their six rows.
    assert marks("big_eye_boy", streaks(8, 8, 1)) == "RRRRRRR" + "R"
    assert marks("big_eye_boy", streaks(8, 9, 1)) == "RRRRRRRB" + "B"


def test_column_is_the_streak_and_not_the_column_it_is_drawn_in() -> None:
    # The seventh streak is drawn in column 7, not 6. Its 1st: 2 against 4, its 2nd has one beside.
    assert marks("big_eye_boy", streaks(12, 10, 8, 6, 4, 2, 2))[-2:] == "BR"
    # Two back: 2 against 6, then 4 beside it; three back: 2 against 8, then 6 beside it.
    assert marks("small_road", streaks(12, 10, 8, 6, 4, 2, 2))[-2:] == "BR"
    assert marks("cockroach_pig", streaks(12, 10, 8, 6, 4, 2, 2))[-2:] == "BR"


@each_row("road", DERIVED)
def test_ties_add_no_mark(road: str) -> None:
    assert marks(road, "TBTTBPTBBTBTBPTTPBTB") == marks(road, "BBPBBBBPPBB")


# Any shoe. Short streaks as they come, and long ones so that tails meet.

COMING = st.text("BPT", max_size=80)
LONG = st.lists(st.tuples(st.sampled_from("BPPBT"), st.integers(1, 16)), max_size=16).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)
SHRINKING = st.lists(st.integers(0, 3), max_size=12).map(
    lambda more: streaks(*(max(1, 13 - 2 * number + extra) for number, extra in enumerate(more)))
)
SHOES = st.one_of(COMING, LONG, SHRINKING)


def columns(outcomes: str) -> list[str]:
    return re.findall("B+|P+", outcomes.replace("T", ""))


@given(SHOES)
def test_every_decided_hand_has_a_cell_of_its_own(outcomes: str) -> None:
    shown = big_road(outcomes)
    assert "".join(letter for _, _, letter, _ in shown) == outcomes.replace("T", "")
    assert len({(column, row) for column, row, _, _ in shown}) == len(shown)
    assert all(column >= 0 and 0 <= row < ROWS for column, row, _, _ in shown)


@given(SHOES)
def test_no_tie_is_lost_or_counted_twice(outcomes: str) -> None:
    # Each hand written with its ties after it is the shoe again, but for the ties that led it.
    again = "".join(letter + "T" * ties for _, _, letter, ties in big_road(outcomes))
    assert again == ("" if set(outcomes) <= {"T"} else re.sub("^(T+)(.)", r"\2\1", outcomes))


@given(SHOES)
def test_streak_starts_at_the_first_free_top_cell_and_goes_right_only_when_blocked(
    outcomes: str,
) -> None:
    cells = iter(place(outcomes.replace("T", "")))
    taken: set[tuple[int, int]] = set()
    start = -1
    for streak in columns(outcomes):
        own = [next(cells) for _ in streak]
        assert own[0].row == 0
        assert own[0].column > start
        assert {(between, 0) for between in range(start + 1, own[0].column)} <= taken
        start = own[0].column
        for here, there in pairwise(own):
            taken.add(here)
            below = (here.column, here.row + 1)
            blocked = below in taken or here.row == ROWS - 1
            assert there == ((here.column + 1, here.row) if blocked else below)
        assert taken.isdisjoint(own[-1:])
        taken.update(own)
    assert not list(cells)


@pytest.mark.parametrize(("road", "back"), DERIVED.items())
@given(outcomes=SHOES)
def test_every_hand_from_the_first_mark_on_adds_one(road: str, back: int, outcomes: str) -> None:
    # Columns too far left to have one beside them give none, and the first hand of the column
    # after those has no ended column to compare; every other decided hand gives one.
    with_one_beside = sum(map(len, columns(outcomes)[back:]))
    assert len(marks(road, outcomes)) == max(0, with_one_beside - 1)


def slow_mark(winners: str, back: int) -> str:
    """The mark the last of these winners adds, asked as players ask it at the table.

    A hand that stays in its column is red if the cell beside it and the cell beside the one above
    are both filled or both empty. A hand that starts a column gets the opposite of what the other
    side would have got by staying in the old one.
    """
    grid = {
        (number, depth)
        for number, column in enumerate(columns(winners))
        for depth in range(len(column))
    }
    number = max(number for number, _ in grid)
    depth = sum(1 for column, _ in grid if column == number) - 1
    if depth == 0:
        other = {"B": "P", "P": "B"}[winners[-1]]
        stayed = slow_mark(winners[:-1] + other, back) if number > 0 else ""
        return {"R": "B", "B": "R", "": ""}[stayed]
    if number < back:
        return ""
    beside, above = (number - back, depth), (number - back, depth - 1)
    return "R" if (beside in grid) == (above in grid) else "B"


@pytest.mark.parametrize(("road", "back"), DERIVED.items())
@given(outcomes=SHOES)
def test_derived_roads_agree_with_the_slow_way(road: str, back: int, outcomes: str) -> None:
    winners = outcomes.replace("T", "")
    slowly = (slow_mark(winners[:length], back) for length in range(1, len(winners) + 1))
    assert marks(road, outcomes) == "".join(slowly)


@given(SHOES, st.sampled_from("BPT"))
def test_another_hand_moves_no_mark(outcomes: str, hand: str) -> None:
    before, after = drawn(outcomes), drawn(outcomes + hand)
    assert after.bead_plate[:-1] == before.bead_plate
    assert [one.cell for one in after.big_road][: len(before.big_road)] == [
        one.cell for one in before.big_road
    ]
    for road in DERIVED:
        assert marks(road, outcomes + hand).startswith(marks(road, outcomes))


@given(SHOES)
def test_sides_may_change_places(outcomes: str) -> None:
    swapped = outcomes.translate(str.maketrans("BP", "PB"))
    assert [one.cell for one in drawn(swapped).big_road] == [
        one.cell for one in drawn(outcomes).big_road
    ]
    for road in DERIVED:
        assert marks(road, swapped) == marks(road, outcomes)

"""Counts and ask roads: against small shoes worked out on paper, and against what the next hand
really writes."""

from hypothesis import given
from hypothesis import strategies as st

from controller.rulebooks import rulebook
from controller.views.scoreboard import DerivedMarks, Scoreboard, is_natural, scoreboard
from support.rows import each_row

DERIVED = ("big_eye_boy", "small_road", "cockroach_pig")
TOKENS = [side + pairs for side in "BPT" for pairs in ("", "b", "p", "bp")]


def of(shoe: str) -> Scoreboard:
    """`BBP`, one letter a hand."""
    return scoreboard(tuple(shoe))


def asked(shoe: str, side: str) -> str:
    """The three marks, `-` where nothing is written."""
    marks: DerivedMarks = getattr(of(shoe).ask, side)
    return "".join(getattr(marks, road) or "-" for road in DERIVED)


def test_the_roads_are_drawn_in_cells() -> None:
    drawn = scoreboard(("B", "B", "Pp", "T", "P", "B"))
    assert drawn.bead_plate[2] == (0, 2, "Pp")
    assert drawn.big_road == [
        (0, 0, "B", 0),
        (0, 1, "B", 0),
        (1, 0, "Pp", 1),
        (1, 1, "P", 0),
        (2, 0, "B", 0),
    ]
    assert [mark[2] for mark in drawn.big_eye_boy] == ["R", "R"]


def test_counts_are_of_rounds_with_a_result() -> None:
    counts = scoreboard(("B", "Bb", "Tbp", "Pp", "P", "Bbp")).counts
    assert (counts.rounds, counts.banker, counts.player, counts.tie) == (6, 3, 2, 1)
    assert (counts.banker_pair, counts.player_pair) == (3, 3)
    assert counts.naturals is None, "a result does not say it"


@each_row(
    "shoe, banker, player",
    [
        ("", "---", "---"),
        ("B", "---", "---"),  # no column stands to the left yet
        ("BP", "R--", "B--"),  # a new column: 1 and 1 are alike. Down: nothing beside it
        ("BBP", "B--", "R--"),  # a new column: 1 and 2 are not. Down: there is one beside it
        ("BBPP", "R--", "B--"),  # 2 and 2 are alike; beside the third hand the column has ended
        ("BBPPB", "RR-", "BB-"),  # the small road begins with a second hand in the third column
        ("BPBP", "RRR", "BBB"),  # and the cockroach road in the fourth, or with the fifth
        ("BPTB", "BB-", "RR-"),  # a tie changes nothing that is asked
        ("BPPP", "B--", "R--"),  # straight down: nothing beside this hand nor the one above
    ],
)
def test_what_the_next_hand_would_write(shoe: str, banker: str, player: str) -> None:
    assert (asked(shoe, "banker"), asked(shoe, "player")) == (banker, player)


@given(st.lists(st.sampled_from(TOKENS), max_size=80), st.sampled_from("BP"))
def test_the_next_hand_writes_what_was_asked(shoe: list[str], winner: str) -> None:
    before, after = scoreboard(tuple(shoe)), scoreboard((*shoe, winner))
    told: DerivedMarks = getattr(before.ask, {"B": "banker", "P": "player"}[winner])
    for road in DERIVED:
        was, now = getattr(before, road), getattr(after, road)
        written = now[-1][2] if len(now) > len(was) else None
        assert getattr(told, road) == written


@each_row(
    "player, banker, natural",
    [
        (["9H", "KD"], ["2C", "5S"], True),
        (["2H", "3D"], ["AC", "7S"], True),
        (["2H", "3D", "3C"], ["2C", "5S"], False),  # 8 with three cards is none
        (["2H", "3D"], ["2C", "5S"], False),
        (["9H"], [], False),
    ],
)
def test_a_natural_is_of_two_cards(
    player: list[str | None], banker: list[str | None], natural: bool
) -> None:
    assert is_natural(rulebook("mbs-baccarat-8").play, (player, banker)) is natural

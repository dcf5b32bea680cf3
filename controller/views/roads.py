"""The roads: what a baccarat display draws from the outcomes of a shoe.

They are always computed from the whole list of hands, so after a void or a correction the caller
computes them again from the corrected list. Published descriptions of the roads disagree; this
module uses the following rules.

*Bead plate.* Every hand, ties too, takes the next cell: downwards, six rows to a column.

*Big road.* A run of hands won by the same side is a streak, and a streak is one logical column.

* A tie takes no cell and ends no streak. It is counted on the last decided hand; ties before the
  first decided hand are counted on that one. A shoe of ties alone has no big road.
* A streak starts in the top row, in the first column to the right of where the streak before it
  started whose top cell is free.
* It goes down while it can. Where the cell below is taken, by whichever side, or there is none, it
  goes one cell to the right: the dragon tail. From there the same question is asked again, so a
  tail that has passed what blocked it drops; in the bottom row it can only go right.

*Big eye boy, small road, cockroach pig.* They look one, two and three logical columns back, at how
long streaks were and never at where tails were drawn. Every decided hand adds one mark, from the
second hand of the first streak that has a streak so far to its left; should that streak have one
hand only, from the first hand of the next.

* The first hand of a streak is red if the streak that has just ended is as long as the one so far
  to the left of that one, else blue.
* A later hand, at depth d, looks at the streak so far to its left: red if that has a hand at d
  ("there is one"), blue if it ends at d - 1, and red again if it ended even earlier ("straight
  down": that streak has no hand at this depth and none at the depth above).

Red and blue mean regular and irregular; they are unrelated to Banker and Player. A display
draws these three by the placing rule of the big road, a change of colour starting a new column.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from itertools import count, groupby
from typing import Final, NamedTuple

from controller.game.errors import NotAnOutcome
from controller.game.hands import Outcome

ROWS: Final = 6

_LETTERS: Final = {Outcome.BANKER: "B", Outcome.PLAYER: "P", Outcome.TIE: "T"}


@dataclass(frozen=True, slots=True)
class Hand:
    """What the roads need to know of a hand."""

    outcome: Outcome
    player_pair: bool = False
    banker_pair: bool = False

    @staticmethod
    def parse(token: str) -> "Hand":
        """`B`, `P` or `T`, then `b` for a banker pair, `p` for a player pair, `bp` for both.

        Unlike a card's, the case matters: `BP` is two hands with the space forgotten.
        """
        try:
            return _BY_TOKEN[token]
        except KeyError:
            raise NotAnOutcome(
                f"{token!r} is not an outcome: write B, P or T, then b for a banker pair, "
                "p for a player pair or bp for both, like Bb"
            ) from None

    @property
    def letter(self) -> str:
        return _LETTERS[self.outcome]

    @property
    def token(self) -> str:
        return self.letter + "b" * self.banker_pair + "p" * self.player_pair


_HANDS: Final = [
    Hand(outcome, player_pair, banker_pair)
    for outcome in Outcome
    for player_pair in (False, True)
    for banker_pair in (False, True)
]
_BY_TOKEN: Final = {hand.token: hand for hand in _HANDS} | {
    # Two pairs may be named in either order; they are printed in one.
    f"{hand.letter}pb": hand
    for hand in _HANDS
    if hand.player_pair and hand.banker_pair
}


class Cell(NamedTuple):
    """A place on a road, both counted from 0: columns from the left, rows from the top."""

    column: int
    row: int


class Bead(NamedTuple):
    cell: Cell
    hand: Hand


class Decided(NamedTuple):
    """A decided hand on the big road, and the ties counted on it."""

    cell: Cell
    hand: Hand
    ties: int


class Mark(Enum):
    RED = "R"
    BLUE = "B"


@dataclass(frozen=True, slots=True)
class Roads:
    """The five roads in order of play. `place` returns the cells of the last three."""

    bead_plate: tuple[Bead, ...]
    big_road: tuple[Decided, ...]
    big_eye_boy: tuple[Mark, ...]
    small_road: tuple[Mark, ...]
    cockroach_pig: tuple[Mark, ...]


def roads(hands: Sequence[Hand]) -> Roads:
    """The five roads of the hands of one shoe, oldest first."""
    decided = [hand for hand in hands if hand.outcome is not Outcome.TIE]
    winners = [hand.outcome for hand in decided]
    lengths = _streaks(winners)
    return Roads(
        bead_plate=tuple(
            Bead(Cell(*divmod(number, ROWS)), hand) for number, hand in enumerate(hands)
        ),
        big_road=tuple(
            Decided(cell, hand, ties)
            for cell, hand, ties in zip(place(winners), decided, _ties(hands), strict=True)
        ),
        big_eye_boy=tuple(_derived(lengths, 1)),
        small_road=tuple(_derived(lengths, 2)),
        cockroach_pig=tuple(_derived(lengths, 3)),
    )


def place(marks: Iterable[object]) -> list[Cell]:
    """A cell for every mark, in order; equal marks in a row are one streak."""
    cells: list[Cell] = []
    taken: set[Cell] = set()
    start = -1
    for length in _streaks(marks):
        start = next(column for column in count(start + 1) if Cell(column, 0) not in taken)
        cell = Cell(start, 0)
        for _ in range(length):
            cells.append(cell)
            taken.add(cell)
            cell = _onwards(cell, taken)
    return cells


def _onwards(cell: Cell, taken: Set[Cell]) -> Cell:
    below = Cell(cell.column, cell.row + 1)
    if below.row < ROWS and below not in taken:
        return below
    # Always free: earlier streaks started further left, and one that lay to the right of this
    # cell in its row would have had to cross this streak to get there.
    return Cell(cell.column + 1, cell.row)


def _streaks(marks: Iterable[object]) -> list[int]:
    """How long each run of equal marks is: the logical columns."""
    return [len(list(run)) for _, run in groupby(marks)]


def _ties(hands: Iterable[Hand]) -> list[int]:
    """The ties counted on each decided hand."""
    leading, after = 0, list[int]()
    for hand in hands:
        if hand.outcome is not Outcome.TIE:
            after.append(0 if after else leading)
        elif after:
            after[-1] += 1
        else:
            leading += 1
    return after


def _derived(lengths: Sequence[int], back: int) -> Iterator[Mark]:
    """The marks of the road that looks so many logical columns back."""
    for column in range(back, len(lengths)):
        if column > back:
            ended, compared = lengths[column - 1], lengths[column - 1 - back]
            yield Mark.RED if ended == compared else Mark.BLUE
        ends_at = lengths[column - back]
        for depth in range(2, lengths[column] + 1):
            yield Mark.BLUE if depth == ends_at + 1 else Mark.RED

"""Card values, point totals and third cards: the table of play.

A book states its rows (`Worth`, `Natural`, `Draws`, `BankerDraws`), each with its clause. This
module converts them once into a lookup table, and dealing walks through it. The table is indexed by
the plain sums of two card values, so the right digit is computed while building and never while
dealing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from controller.game.errors import NotEnoughCards
from controller.game.hands import SCORES, DealtRound, Score
from drivers.cards import DECK, Card

ACE_TO_NINE: Final = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9}
TEN_AND_FACES: Final = {"T": 0, "J": 0, "Q": 0, "K": 0}
# RWS counts a ten at ten and keeps the last digit.
TWO_TO_TEN: Final = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}

# The Banker's total on two cards, and the Player's third-card values against which it draws.
BANKER_DRAWS_AGAINST: Final = {
    0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set[int](),
}
ZERO_TO_FIVE: Final = frozenset({0, 1, 2, 3, 4, 5})


@dataclass(frozen=True)
class Worth:
    """The value of some ranks."""

    points: Mapping[str, int]
    clause: str


@dataclass(frozen=True)
class Natural:
    """Totals on two cards, on either side, that end the draw."""

    totals: frozenset[int]
    clause: str


@dataclass(frozen=True)
class Draws:
    """Totals on two cards on which a hand takes a third."""

    totals: frozenset[int]
    clause: str


@dataclass(frozen=True)
class BankerDraws:
    """For each Banker total, the values of the Player's third card against which it draws."""

    against: Mapping[int, set[int]]
    clause: str


class Thirds(NamedTuple):
    """The third cards drawn on two totals."""

    player: bool
    """Whether the Player takes a third card."""
    banker: frozenset[int | None]
    """The values of that card against which the Banker takes one; None is a Player who stood."""


def point_total(values: Iterable[int]) -> int:
    """The right digit of the sum."""
    return sum(values) % 10


# The result of a card: the score if the round is then finished, else None and the next entries, by
# the value of the next card. A sixth card finishes every round.
_AfterFifth: TypeAlias = tuple[Score | None, tuple[Score, ...]]
_AfterFour: TypeAlias = tuple[Score | None, tuple[_AfterFifth, ...]]


@dataclass(frozen=True, eq=False)
class TableOfPlay:
    """The rows of one book, and dealing by them. Compared and hashed by identity."""

    values: tuple[Worth, ...]
    natural: Natural
    player_draws: Draws
    banker_draws_alone: Draws
    """The totals on which the Banker draws if the Player stood."""
    banker_draws: BankerDraws

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Each card's value by `Card.number`, reduced to its right digit."""
        worth = {rank: points for row in self.values for rank, points in row.points.items()}
        return tuple(worth[card.rank.value] % 10 for card in DECK)

    @cached_property
    def points_by_code(self) -> dict[str, int]:
        """The same by `Card.code`, as the table writes its cards."""
        return {card.code: self.points[card.number] for card in DECK}

    def total(self, cards: Iterable[Card]) -> int:
        """The point total of a hand."""
        points = self.points
        return point_total([points[card.number] for card in cards])

    def is_natural(self, total: int) -> bool:
        return total in self.natural.totals

    def player_takes_third(self, player_total: int, banker_total: int) -> bool:
        if self.is_natural(player_total) or self.is_natural(banker_total):
            return False
        return player_total in self.player_draws.totals

    def banker_takes_third(
        self, player_total: int, banker_total: int, third_value: int | None
    ) -> bool:
        """Whether the Banker draws; `third_value` is the Player's third card, None if it stood."""
        if self.is_natural(player_total) or self.is_natural(banker_total):
            return False
        if third_value is None:
            return banker_total in self.banker_draws_alone.totals
        return third_value in self.banker_draws.against[banker_total]

    @cached_property
    def thirds(self) -> tuple[tuple[Thirds, ...], ...]:
        """The third cards drawn, by the Player's and the Banker's total on two cards."""
        return tuple(tuple(self._thirds(p, b) for b in range(10)) for p in range(10))

    def _thirds(self, player: int, banker: int) -> Thirds:
        against = [
            third for third in (None, *range(10)) if self.banker_takes_third(player, banker, third)
        ]
        return Thirds(self.player_takes_third(player, banker), frozenset(against))

    def rounds(self, cards: Sequence[Card]) -> Iterator[DealtRound]:
        """Deal rounds in drawn order until the cards run out.

        Cards left over from an unfinished round are not reported here; the caller counts them.
        """
        points, after_four = self.points, self._after_four
        shoe = iter(cards)
        try:
            # One iterator four times: four cards at a time, and the end where fewer are left.
            for p1, b1, p2, b2 in zip(shoe, shoe, shoe, shoe, strict=False):
                player = points[p1.number] + points[p2.number]
                banker = points[b1.number] + points[b2.number]
                score, by_fifth = after_four[player][banker]
                if score is not None:
                    yield DealtRound((p1, b1, p2, b2), score)
                    continue
                fifth = next(shoe)
                score, by_sixth = by_fifth[points[fifth.number]]
                if score is not None:
                    yield DealtRound((p1, b1, p2, b2, fifth), score)
                    continue
                sixth = next(shoe)
                yield DealtRound((p1, b1, p2, b2, fifth, sixth), by_sixth[points[sixth.number]])
        except StopIteration:
            return

    def deal(self, cards: Sequence[Card]) -> DealtRound:
        """Deal one round from the head of the sequence; surplus cards are ignored."""
        for dealt in self.rounds(cards):
            return dealt
        raise NotEnoughCards(
            f"the round is not finished after {len(cards)} card{'s' * (len(cards) != 1)}"
        )

    def by_sixth(self, player: int, banker: int, fifth: int) -> Score | tuple[Score, ...]:
        """The score after two totals and a fifth card's value, or by the value of a sixth card.

        A fifth card that the table of play does not ask for is left unused.
        """
        score, by_fifth = self._after_four[player][banker]
        if score is not None:
            return score
        score, by_sixth = by_fifth[fifth]
        return by_sixth if score is None else score

    def reachable(
        self, player: int | None, banker: int | None, fifth: int | None, sixth: int | None
    ) -> set[Score]:
        """Every score that is still possible.

        `player` and `banker` are the totals of two cards, `fifth` and `sixth` the values of later
        cards; None is any.
        """
        scores: set[Score] = set()
        for p, b, value in product(_any(player), _any(banker), _any(fifth)):
            found = self.by_sixth(p, b, value)
            if isinstance(found, Score):
                scores.add(found)
            else:
                scores.update(found if sixth is None else (found[sixth],))
        return scores

    @cached_property
    def _after_four(self) -> tuple[tuple[_AfterFour, ...], ...]:
        """The entry after four cards, by the sums of the Player's two and the Banker's."""
        return tuple(tuple(self._follows(p % 10, b % 10) for b in _SUMS) for p in _SUMS)

    def _follows(self, player: int, banker: int) -> _AfterFour:
        if self.player_takes_third(player, banker):
            return None, tuple(self._follows_third(player, banker, third) for third in _ALL)
        if self.banker_takes_third(player, banker, None):
            scores = (SCORES[2, 3][player][point_total((banker, last))] for last in _ALL)
            return None, tuple((score, ()) for score in scores)
        return SCORES[2, 2][player][banker], ()

    def _follows_third(self, player: int, banker: int, third: int) -> _AfterFifth:
        """The entry after the Player's third card."""
        total = point_total((player, third))
        if not self.banker_takes_third(player, banker, third):
            return SCORES[3, 2][total][banker], ()
        return None, tuple(SCORES[3, 3][total][point_total((banker, last))] for last in _ALL)


_ALL: Final = tuple(range(10))
_SUMS: Final = range(19)


def _any(value: int | None) -> Sequence[int]:
    return _ALL if value is None else (value,)

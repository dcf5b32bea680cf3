"""Card values, point totals and third cards: the table of play.

A book states its rows (`Worth`, `Natural`, `Draws`, `BankerDraws`), each with its clause; this
module turns them into three lookup tables once, and dealing is then a walk through those. The
tables are indexed by the plain sum of two card values, so the right digit is taken while they are
built and never while dealing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

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
    """What some ranks are worth."""

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


def point_total(values: Iterable[int]) -> int:
    """The right digit of the sum."""
    return sum(values) % 10


# For each value of the Player's third card: the score when the Banker stands, or None and the
# scores by the value of the Banker's third card.
_AfterPlayersThird: TypeAlias = tuple[tuple[Score | None, tuple[Score, ...]], ...]
_BySums: TypeAlias = tuple[tuple[Score | None, ...], ...]


@dataclass(frozen=True, eq=False)
class TableOfPlay:
    """The rows of one book, and dealing by them. Compared and hashed by identity."""

    values: tuple[Worth, ...]
    natural: Natural
    player_draws: Draws
    banker_draws_alone: Draws
    """On which totals the Banker draws when the Player stood."""
    banker_draws: BankerDraws

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Each card's value by `Card.number`, reduced to its right digit."""
        worth = {rank: points for row in self.values for rank, points in row.points.items()}
        return tuple(worth[card.rank.value] % 10 for card in DECK)

    def total(self, cards: Iterable[Card]) -> int:
        """The point total of a hand."""
        points = self.points
        return point_total(points[card.number] for card in cards)

    def is_natural(self, total: int) -> bool:
        return total in self.natural.totals

    def player_takes_third(self, player_total: int, banker_total: int) -> bool:
        if self.is_natural(player_total) or self.is_natural(banker_total):
            return False
        return player_total in self.player_draws.totals

    def banker_takes_third(
        self, player_total: int, banker_total: int, third_value: int | None
    ) -> bool:
        """Totals of two cards; `third_value` is the Player's third card, None if it stood."""
        if self.is_natural(player_total) or self.is_natural(banker_total):
            return False
        if third_value is None:
            return banker_total in self.banker_draws_alone.totals
        return third_value in self.banker_draws.against[banker_total]

    def rounds(self, cards: Sequence[Card]) -> Iterator[DealtRound]:
        """Deal round after round in drawn order until the cards run out.

        Cards left over from a round that could not be finished are not reported here; whoever
        holds the shoe counts them.
        """
        points = self.points
        finished, thirds, alone = self._finished, self._after_players_third, self._banker_alone
        i = 0
        try:
            while True:
                p1 = cards[i]
                b1 = cards[i + 1]
                p2 = cards[i + 2]
                b2 = cards[i + 3]
                player = points[p1.number] + points[p2.number]
                banker = points[b1.number] + points[b2.number]
                score = finished[player][banker]
                if score is not None:
                    yield DealtRound((p1, b1, p2, b2), score)
                    i += 4
                    continue
                fifth = cards[i + 4]
                after = thirds[player][banker]
                if after is None:
                    score = alone[player][banker][points[fifth.number]]
                    yield DealtRound((p1, b1, p2, b2, fifth), score)
                    i += 5
                    continue
                score, by_last = after[points[fifth.number]]
                if score is not None:
                    yield DealtRound((p1, b1, p2, b2, fifth), score)
                    i += 5
                    continue
                sixth = cards[i + 5]
                yield DealtRound((p1, b1, p2, b2, fifth, sixth), by_last[points[sixth.number]])
                i += 6
        except IndexError:
            return

    def deal(self, cards: Sequence[Card]) -> DealtRound:
        """One round from the head of the sequence; more cards than needed is fine."""
        for dealt in self.rounds(cards):
            return dealt
        raise NotEnoughCards(
            f"the round is not finished after {len(cards)} card{'s' * (len(cards) != 1)}"
        )

    def by_sixth(self, player: int, banker: int, fifth: int) -> Score | tuple[Score, ...]:
        """The score after two totals and a fifth card's value, or by the value of a sixth card.

        A fifth card that the table of play does not ask for is left unused.
        """
        score = self._finished[player][banker]
        if score is not None:
            return score
        after = self._after_players_third[player][banker]
        if after is None:
            return self._banker_alone[player][banker][fifth]
        score, by_last = after[fifth]
        return by_last if score is None else score

    def reachable(
        self, player: int | None, banker: int | None, fifth: int | None, sixth: int | None
    ) -> set[Score]:
        """Every score that can still come about.

        `player` and `banker` are the totals of two cards, `fifth` and `sixth` the values of later
        cards; None is anything.
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
    def _finished(self) -> _BySums:
        """By the two sums: the score where no third card is due, else None."""

        def score(player: int, banker: int) -> Score | None:
            more = self.player_takes_third(player, banker) or self.banker_takes_third(
                player, banker, None
            )
            return None if more else SCORES[2, 2][player][banker]

        return tuple(tuple(score(p % 10, b % 10) for b in _SUMS) for p in _SUMS)

    @cached_property
    def _banker_alone(self) -> tuple[tuple[tuple[Score, ...], ...], ...]:
        """By the two sums and the fifth card's value, where only the Banker draws."""

        def scores(player: int, banker: int) -> tuple[Score, ...]:
            return tuple(SCORES[2, 3][player][point_total((banker, last))] for last in _ALL)

        return tuple(tuple(scores(p % 10, b % 10) for b in _SUMS) for p in _SUMS)

    @cached_property
    def _after_players_third(self) -> tuple[tuple[_AfterPlayersThird | None, ...], ...]:
        """By the two sums: what follows each third card of the Player; None where it stands."""

        def branch(player: int, banker: int, third: int) -> tuple[Score | None, tuple[Score, ...]]:
            total = point_total((player, third))
            if not self.banker_takes_third(player, banker, third):
                return SCORES[3, 2][total][banker], ()
            by_last = (SCORES[3, 3][total][point_total((banker, last))] for last in _ALL)
            return None, tuple(by_last)

        def after(player: int, banker: int) -> _AfterPlayersThird | None:
            if not self.player_takes_third(player, banker):
                return None
            return tuple(branch(player, banker, third) for third in _ALL)

        return tuple(tuple(after(p % 10, b % 10) for b in _SUMS) for p in _SUMS)


_ALL: Final = tuple(range(10))
_SUMS: Final = range(19)


def _any(value: int | None) -> Sequence[int]:
    return _ALL if value is None else (value,)

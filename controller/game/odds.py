"""Exact odds of every wager for a full shoe, counted from the conditions that settle.

The shoe's cards come in any order with equal chance. Scores are counted over card *values* (ten
classes) for the six cards a round can take; wagers on first cards over ordered pairs of *faces*.
All counting is in whole numbers; a probability is a fraction of orderings.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import perm
from typing import TypeAlias

from controller.game.hands import Score, Side
from controller.game.rulebook import Rulebook
from controller.game.table_of_play import TableOfPlay
from controller.game.wagers import FIRST_TWO_OF, WagerResult, WagerVerdict
from drivers.cards import DECK

CARDS_COUNTED = 6
_VALUES = range(10)

TwoValues: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Odds:
    """Chances of one wager. `edge` is minus what one unit staked gains on average."""

    win: Fraction
    push: Fraction
    edge: Fraction

    @property
    def lose(self) -> Fraction:
        return 1 - self.win - self.push


def odds(book: Rulebook, decks: int) -> dict[str, Odds]:
    """Compute the odds of every wager of the book, in its order."""
    book.decks.check(decks)
    scores = score_orderings(book.play, decks)
    found = _tally((book.judge.score(score), count) for score, count in scores.items())
    for side in FIRST_TWO_OF:
        found |= _tally(_first_two_orderings(book, side, decks))
    return {wager.id: found[wager.id] for wager in book.wagers}


def score_orderings(play: TableOfPlay, decks: int) -> Counter[Score]:
    """For each score, the number of orderings of six cards from a full shoe that give it."""
    orderings: Counter[Score] = Counter()
    for _, _, found in orderings_by_first_four(play, decks):
        orderings.update(found)
    total = decks * len(DECK)
    assert orderings.total() == perm(total, CARDS_COUNTED), "every ordering is counted once"
    return orderings


def orderings_by_first_four(
    play: TableOfPlay, decks: int
) -> Iterator[tuple[TwoValues, TwoValues, Counter[Score]]]:
    """The same for each two values of the Player's and the Banker's first cards, the lower first
    and in either order."""
    left = [decks * play.points.count(value) for value in _VALUES]
    for player in combinations_with_replacement(_VALUES, 2):
        player_ways = _draw_two(left, *player)
        for banker in combinations_with_replacement(_VALUES, 2):
            ways = player_ways * _draw_two(left, *banker)
            orderings: Counter[Score] = Counter()
            totals = sum(player) % 10, sum(banker) % 10
            _count_thirds(play, orderings, totals, ways, left)
            yield player, banker, orderings
            _put_back(left, *banker)
        _put_back(left, *player)


def _draw_two(left: list[int], one: int, two: int) -> int:
    """Take two cards of these values; return in how many ways, in either order."""
    ways = left[one]
    left[one] -= 1
    ways *= left[two]
    left[two] -= 1
    return ways if one == two else 2 * ways


def _put_back(left: list[int], one: int, two: int) -> None:
    left[one] += 1
    left[two] += 1


def _count_thirds(
    play: TableOfPlay,
    orderings: Counter[Score],
    totals: tuple[int, int],
    ways: int,
    left: list[int],
) -> None:
    """Add the orderings that begin with these two totals; cards not needed may be any."""
    rest = sum(left)
    for fifth in _VALUES:
        fifth_ways = ways * left[fifth]
        left[fifth] -= 1
        by_sixth = play.by_sixth(*totals, fifth)
        if isinstance(by_sixth, Score):
            orderings[by_sixth] += fifth_ways * (rest - 1)
        else:
            for sixth in _VALUES:
                orderings[by_sixth[sixth]] += fifth_ways * left[sixth]
        left[fifth] += 1


def _first_two_orderings(
    book: Rulebook, side: Side, decks: int
) -> Iterable[tuple[Mapping[str, WagerVerdict], int]]:
    for one, two in product(DECK, repeat=2):
        copies_left = decks - 1 if one is two else decks
        yield book.judge.first_two(side, (one, two)), decks * copies_left


def _tally(cases: Iterable[tuple[Mapping[str, WagerVerdict], int]]) -> dict[str, Odds]:
    """Sum verdicts weighted by the number of orderings that lead to them."""
    total = 0
    seen: dict[str, Counter[tuple[WagerResult, Fraction]]] = {}
    for verdicts, orderings in cases:
        total += orderings
        for wager, verdict in verdicts.items():
            seen.setdefault(wager, Counter())[verdict.result, verdict.odds] += orderings
    return {wager: _odds(counts, total) for wager, counts in seen.items()}


def _odds(counts: Counter[tuple[WagerResult, Fraction]], total: int) -> Odds:
    chance: Counter[WagerResult] = Counter()
    gain = Fraction(0)
    for (result, pays), orderings in counts.items():
        chance[result] += orderings
        if result is WagerResult.WIN:
            gain += pays * orderings
        elif result is WagerResult.LOSE:
            gain -= orderings
    return Odds(
        win=Fraction(chance[WagerResult.WIN], total),
        push=Fraction(chance[WagerResult.PUSH], total),
        edge=-gain / total,
    )

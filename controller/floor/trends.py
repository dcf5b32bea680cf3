"""The house's result compared with the exact odds, and the probability of such a deviation by luck.

The stakes of every round are known by kind of wager. The share that the house keeps has an exact
mean and an exact variance by the book's own conditions over a full shoe, with the covariance of
every pair of wagers in one round (`covariance`). Over many rounds the sum is nearly normal, so 95
of 100 nights are within 1.96 deviations. Rounds count as independent: the cards that a shoe has
lost move the odds by less than the width of the line.
"""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from controller.floor.covariance import Pair, covariances
from controller.game.odds import odds, score_orderings
from controller.game.rulebook import Rulebook
from controller.rulebooks import rulebook

DECKS: Final = 8
"""The number of decks in every house that we know of; six change an edge in its fourth digit."""
OUTSIDE: Final = 0.05
WITHIN: Final = 1.959963984540054
"""Deviations to either side that hold 95 of 100."""
FEW: Final = 40
"""Minimum number of rounds for a statement: the sum of fewer is not normal."""
EXACT: Final = 2_000
"""Up to so many rounds the distribution of results is exact; above, it is nearly normal."""
RESULTS: Final = ("banker", "player", "tie")
_LETTERS: Final = {"B": "banker", "P": "player", "T": "tie"}


class Moments(NamedTuple):
    """Mean and covariance of the house's share of one unit on each kind of wager."""

    mean: dict[str, float]
    product: dict[Pair, float]
    """The covariance of each pair in the order of its names; of a wager with itself the
    variance."""
    results: dict[str, float]
    """The probabilities of Banker, Player and Tie."""


class Stretch(msgspec.Struct, frozen=True):
    """Stakes and winnings of the house in a stretch of time, for one book, in minor units."""

    at: float
    rounds: int
    staked: dict[str, int]
    """By kind of wager."""
    products: dict[Pair, float]
    """Products of the stakes on two kinds in one round, summed over the rounds; each pair in the
    order of its names."""
    kept: int


class BandPoint(msgspec.Struct, frozen=True):
    """The share of the drop that was kept up to a moment, and its range in 95 of 100 cases."""

    at: float
    value: float
    low: float
    high: float


class MixRow(msgspec.Struct, frozen=True):
    """One result: its actual and expected frequency, and the probability of such a deviation."""

    result: str
    seen: float
    expected: float
    low: float
    high: float
    chance: float


class BookTrend(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    rounds: int
    drop: int
    kept: int
    theory: float
    """The expected share of the drop, by the stakes on each wager."""
    chance: float
    """The probability that luck alone leads as far off."""
    hold: list[BandPoint]
    mix: list[MixRow]
    enough: bool
    """Whether there are enough rounds for the band and the probability of the hold."""
    left_out: int = 0
    """Rounds in stretches with a wager that this release of the book does not know."""


def trend(book: str, stretches: Iterable[Stretch], results: Mapping[str, int]) -> BookTrend:
    """`results` counts the rounds by the first letter of their result."""
    odds_of = moments(book)
    drop = kept = rounds = left_out = 0
    mean = variance = 0.0
    points = []
    for each in sorted(stretches, key=lambda one: one.at):
        if not each.staked.keys() <= odds_of.mean.keys():
            left_out += each.rounds
            continue
        rounds += each.rounds
        drop += sum(each.staked.values())
        kept += each.kept
        mean += sum(odds_of.mean[kind] * staked for kind, staked in each.staked.items())
        variance += variance_of(odds_of, each.products)
        if drop:
            wide = WITHIN * math.sqrt(variance)
            share = BandPoint(each.at, kept / drop, (mean - wide) / drop, (mean + wide) / drop)
            points.append(share)
    return BookTrend(
        book,
        rulebook(book).title,
        rounds,
        drop,
        kept,
        mean / drop if drop else 0.0,
        chance(kept - mean, variance),
        points,
        mix(odds_of.results, results),
        rounds >= FEW,
        left_out,
    )


def variance_of(odds_of: Moments, products: Mapping[Pair, float]) -> float:
    """The variance of the share kept of stakes with these products; a pair of two different wagers
    counts twice."""
    return sum(
        odds_of.product.get(pair, 0.0) * stakes * (1 if pair[0] == pair[1] else 2)
        for pair, stakes in products.items()
    )


def mix(expected: Mapping[str, float], counted: Mapping[str, int]) -> list[MixRow]:
    by_result = {_LETTERS[each]: count for each, count in counted.items() if each in _LETTERS}
    total = sum(by_result.values())
    if not total:
        return []
    rows = [(result, expected[result], by_result.get(result, 0)) for result in RESULTS]
    return [
        MixRow(result, seen / total, share, *spread(total, share, seen))
        for result, share, seen in rows
    ]


def spread(total: int, share: float, seen: int) -> tuple[float, float, float]:
    """For a result of this probability in so many rounds: the range of its share in 95 of 100
    cases, and the probability of an outcome that is at most as likely as the actual one."""
    if total > EXACT:
        variance = total * share * (1 - share)
        wide = WITHIN * math.sqrt(variance) / total
        return share - wide, share + wide, chance(seen - total * share, variance)
    likely = [_likelihood(total, share, count) for count in range(total + 1)]
    up_to = list(accumulate(likely))
    low = next(count for count, sum_ in enumerate(up_to) if sum_ >= OUTSIDE / 2)
    high = next((count for count, sum_ in enumerate(up_to) if sum_ >= 1 - OUTSIDE / 2), total)
    # With a tolerance: an equally likely outcome on the other side counts despite rounding.
    off = sum(each for each in likely if each <= likely[seen] * (1 + 1e-9))
    return low / total, high / total, min(off, 1.0)


def _likelihood(total: int, share: float, count: int) -> float:
    ways = math.lgamma(total + 1) - math.lgamma(count + 1) - math.lgamma(total - count + 1)
    return math.exp(ways + count * math.log(share) + (total - count) * math.log1p(-share))


def chance(off: float, variance: float) -> float:
    """The probability that luck alone leads as far off, to either side."""
    if variance <= 0:
        return 1.0
    return math.erfc(abs(off) / math.sqrt(2 * variance))


@lru_cache(maxsize=16)
def moments(book_id: str, decks: int = DECKS) -> Moments:
    """Moments from counted orderings; the sums themselves are in floating point."""
    book = rulebook(book_id)
    mean = {kind: float(each.edge) for kind, each in odds(book, decks).items()}
    return Moments(mean, covariances(book, decks, mean), _results(book, decks))


def _results(book: Rulebook, decks: int) -> dict[str, float]:
    orderings = score_orderings(book.play, decks)
    total, counted = orderings.total(), dict.fromkeys(RESULTS, 0)
    for score, count in orderings.items():
        counted[score.outcome.value] += count
    return {result: count / total for result, count in counted.items()}

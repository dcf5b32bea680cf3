"""Exact covariance of two wagers' pay-offs in one round, for a full shoe and every pair.

A wager depends on the score or on the first two cards of one hand. Scores are counted over the
values of six cards, first cards over faces. Both meet in the values of a hand's first cards:
whatever their faces are, the rest of the round is drawn from the same values. Two hands depend on
each other through the cards that one takes from the other's shoe. Orderings are counted in whole
numbers; the sums are in floating point.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from math import perm
from typing import Final, TypeAlias

from controller.game.hands import Score, Side
from controller.game.odds import TwoValues, orderings_by_first_four
from controller.game.rulebook import Rulebook
from controller.game.wagers import FIRST_TWO_OF, WagerResult, WagerVerdict
from drivers.cards import DECK

Pair: TypeAlias = tuple[str, str]
Matrix: TypeAlias = list[list[float]]
"""The gain of a wager by the numbers of a hand's first two cards."""
ByKind: TypeAlias = dict[str, Matrix]
ByValues: TypeAlias = dict[TwoValues, Counter[Score]]
"""How many orderings give each score, by the values of a hand's first two cards, the lower
first."""

_FACES: Final = range(len(DECK))


def covariances(book: Rulebook, decks: int, mean: Mapping[str, float]) -> dict[Pair, float]:
    """The covariance of each pair in the order of its names; for a wager with itself its variance.
    `mean` has the mean gain of one unit on each, or the mean share that the house keeps of it."""
    hands = {side: _gains_of_faces(book, side) for side in FIRST_TWO_OF}
    by_values = _by_values(book, decks)
    products = _of_scores(book, by_values[Side.PLAYER])
    for side, gains in hands.items():
        products |= _of_one_hand(gains, decks)
        products |= _of_hand_and_score(book, gains, by_values[side], decks)
    products |= _of_two_hands(hands[Side.PLAYER], hands[Side.BANKER], decks)
    return {(one, two): value - mean[one] * mean[two] for (one, two), value in products.items()}


def gain(verdict: WagerVerdict) -> float:
    """The gain of a player with one unit staked."""
    if verdict.result is WagerResult.WIN:
        return float(verdict.odds)
    return -1.0 if verdict.result is WagerResult.LOSE else 0.0


# --- what is counted ------------------------------------------------------------------------------


def _gains_of_faces(book: Rulebook, side: Side) -> ByKind:
    found: ByKind = {}
    for one in DECK:
        rows: dict[str, list[float]] = {}
        for two in DECK:
            for kind, verdict in book.judge.first_two(side, (one, two)).items():
                rows.setdefault(kind, []).append(gain(verdict))
        for kind, row in rows.items():
            found.setdefault(kind, []).append(row)
    return found


def _by_values(book: Rulebook, decks: int) -> dict[Side, ByValues]:
    found: dict[Side, ByValues] = {Side.PLAYER: {}, Side.BANKER: {}}
    for player, banker, scores in orderings_by_first_four(book.play, decks):
        found[Side.PLAYER].setdefault(player, Counter()).update(scores)
        found[Side.BANKER].setdefault(banker, Counter()).update(scores)
    return found


def _two_faces(decks: int) -> Iterator[tuple[int, int, float]]:
    """Two cards from a full shoe, with their frequency."""
    total = perm(decks * len(DECK), 2)
    for one, two in product(_FACES, repeat=2):
        yield one, two, decks * (decks - (one == two)) / total


def _ordered(one: str, two: str) -> Pair:
    return (one, two) if one <= two else (two, one)


# --- the mean of a product ------------------------------------------------------------------------


def _of_scores(book: Rulebook, by_values: ByValues) -> dict[Pair, float]:
    scores: Counter[Score] = Counter()
    for found in by_values.values():
        scores.update(found)
    total, sums = scores.total(), dict[Pair, float]()
    for score, count in scores.items():
        gains = sorted((kind, gain(each)) for kind, each in book.judge.score(score).items())
        for (one, first), (two, second) in combinations_with_replacement(gains, 2):
            sums[one, two] = sums.get((one, two), 0.0) + first * second * (count / total)
    return sums


def _of_one_hand(gains: ByKind, decks: int) -> dict[Pair, float]:
    shares = list(_two_faces(decks))
    return {
        (one, two): sum(
            share * gains[one][first][second] * gains[two][first][second]
            for first, second, share in shares
        )
        for one, two in combinations_with_replacement(sorted(gains), 2)
    }


def _of_hand_and_score(
    book: Rulebook, gains: ByKind, by_values: ByValues, decks: int
) -> dict[Pair, float]:
    points = book.play.points
    found: dict[Pair, float] = {}
    expected = {values: _expected(book, scores) for values, scores in by_values.items()}
    for kind, matrix in gains.items():
        at: dict[TwoValues, float] = {}
        for one, two, share in _two_faces(decks):
            low, high = sorted((points[one], points[two]))
            at[low, high] = at.get((low, high), 0.0) + share * matrix[one][two]
        for values, weight in at.items():
            for other, mean in expected[values].items():
                pair = _ordered(kind, other)
                found[pair] = found.get(pair, 0.0) + weight * mean
    return found


def _expected(book: Rulebook, scores: Counter[Score]) -> dict[str, float]:
    """The mean gain of each wager on the score over these scores."""
    total, found = scores.total(), dict[str, float]()
    for score, count in scores.items():
        for kind, verdict in book.judge.score(score).items():
            found[kind] = found.get(kind, 0.0) + gain(verdict) * (count / total)
    return found


def _of_two_hands(ones: ByKind, others: ByKind, decks: int) -> dict[Pair, float]:
    found: dict[Pair, float] = {}
    shares = list(_two_faces(decks))
    for other, matrix in others.items():
        left = _mean_without(matrix, decks)
        for kind, gains in ones.items():
            found[_ordered(kind, other)] = sum(
                share * gains[one][two] * left[one][two] for one, two, share in shares
            )
    return found


def _mean_without(gains: Matrix, decks: int) -> Matrix:
    """The mean gain of a wager on one hand after the other hand has taken two faces.

    Of each face there are `decks`, less the taken cards. Multiplied out, the sum over all pairs
    that can still be drawn is the sum over a full shoe less the terms of those two.
    """
    rows, columns = (
        [sum(row) for row in gains],
        [sum(column) for column in zip(*gains, strict=True)],
    )
    alone = [gains[face][face] for face in _FACES]
    full = decks * (decks * sum(rows) - sum(alone))
    ways = perm(decks * len(DECK) - 2, 2)
    met = [decks * (rows[face] + columns[face]) - 2 * alone[face] for face in _FACES]
    return [
        [(full - met[one] - met[two] + gains[one][two] + gains[two][one]) / ways for two in _FACES]
        for one in _FACES
    ]

"""Wagers: winning condition, pay-out, and verdict.

`Judge` is the only place that applies wagers to cards. Settlement, odds and decided wagers all use
it, so there is no second copy of a winning condition.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import lcm
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from controller.game.conditions import (
    Condition,
    Evidence,
    FirstTwoCondition,
    ScoreCondition,
)
from controller.game.hands import DealtRound, FirstTwo, Score, Side
from drivers.cards import DECK, Card

_E = TypeVar("_E", Score, FirstTwo)


class WagerResult(Enum):
    # Hashed by identity, as `Phase`: looked up for every wager that is settled.
    __hash__ = object.__hash__

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


RESULT_NAMES: Final = {result: result.value for result in WagerResult}
"""Cached, because an enum computes its value on each access."""


class WagerVerdict(Struct, frozen=True):
    """The verdict on a wager: win, lose or push, with odds and clause."""

    result: WagerResult
    odds: Fraction
    clause: str
    # Computed once from the odds: reading a Fraction costs a call for every wager settled.
    numerator: int
    denominator: int


def _verdict(result: WagerResult, odds: Fraction, clause: str) -> WagerVerdict:
    return WagerVerdict(result, odds, clause, odds.numerator, odds.denominator)


@dataclass(frozen=True)
class Pays:
    """Odds to one and, if there are several levels, the condition of this one."""

    odds: Fraction
    clause: str
    when: Condition | None = None


@dataclass(frozen=True)
class Wager:
    """One wager of a book. Of several pay levels the first that applies is paid, once."""

    id: str
    name: str
    area: str
    """The clause that gives the layout a playing area for it."""
    offered: str
    """The clause that makes it an available wager."""
    wins: Condition
    pays: tuple[Pays, ...]
    push: Condition | None = None

    def __post_init__(self) -> None:
        conditions = [self.wins, self.push, *(level.when for level in self.pays)]
        kinds = {condition.evidence for condition in conditions if condition is not None}
        if kinds != {self.evidence}:
            raise ValueError(f"{self.id}: all conditions of a wager must look at one evidence")
        assert all(level.odds >= 0 for level in self.pays), "money only moves forward"

    @property
    def evidence(self) -> Evidence:
        return self.wins.evidence

    @cached_property
    def payable_in(self) -> int:
        """The unit of which an amount must be a multiple to come out whole at every one of its
        odds."""
        return lcm(*(level.odds.denominator for level in self.pays))

    def judge(self, evidence: Score | FirstTwo) -> WagerVerdict:
        """Return the verdict on this wager; the evidence must be of the wager's own kind."""
        if _holds(self.wins, evidence):
            for level in self.pays:
                if level.when is None or _holds(level.when, evidence):
                    return _verdict(WagerResult.WIN, level.odds, level.clause)
            raise ValueError(f"{self.id} wins but no pay level applies")
        if self.push is not None and _holds(self.push, evidence):
            return _verdict(WagerResult.PUSH, Fraction(0), self.push.clause)
        return _verdict(WagerResult.LOSE, Fraction(0), self.wins.clause)


def _holds(condition: Condition, evidence: Score | FirstTwo) -> bool:
    if isinstance(evidence, Score):
        assert isinstance(condition, ScoreCondition)
        return condition.holds(evidence)
    assert isinstance(condition, FirstTwoCondition)
    return condition.holds(evidence)


FIRST_TWO_OF: Final = {
    Side.PLAYER: Evidence.PLAYER_FIRST_TWO,
    Side.BANKER: Evidence.BANKER_FIRST_TWO,
}


class _Answers(Generic[_E]):
    """The verdicts on the wagers that depend on one kind of evidence.

    There are 400 scores and 2,704 pairs of first cards, but most lead to the same verdicts. Each
    distinct answer is stored once and has a number: a few dozen in the largest book.
    """

    def __init__(self, wagers: Iterable[Wager], kind: Evidence) -> None:
        self._wagers: Final = tuple(wager for wager in wagers if wager.evidence is kind)
        self._unused: Final = count()
        self._numbers: Final[dict[tuple[WagerVerdict, ...], int]] = {}
        self._answers: Final[dict[int, dict[str, WagerVerdict]]] = {}
        self._met: Final[dict[_E, int]] = {}

    def number(self, evidence: _E) -> int:
        """Return the number of the evidence's answer, computed on first use.

        Safe for concurrent threads: a number is never given to two answers, and is known before any
        evidence leads to it.
        """
        number = self._met.get(evidence)
        if number is None:
            answer = {wager.id: wager.judge(evidence) for wager in self._wagers}
            number = self._numbers.setdefault(tuple(answer.values()), next(self._unused))
            self._answers.setdefault(number, answer)
            self._met[evidence] = number
        return number

    def verdicts(self, evidence: _E) -> Mapping[str, WagerVerdict]:
        return self._answers[self.number(evidence)]


_ByCards: TypeAlias = dict[Card, dict[Card, int]]
_ByNumbers: TypeAlias = dict[int, dict[int, Mapping[str, WagerVerdict | None]]]


class Judge:
    """The verdicts on a book's wagers."""

    def __init__(self, wagers: Iterable[Wager]) -> None:
        every = tuple(wagers)
        self._scores: Final = _Answers[Score](every, Evidence.SCORE)
        self._players: Final = _Answers[FirstTwo](every, Evidence.PLAYER_FIRST_TWO)
        self._bankers: Final = _Answers[FirstTwo](every, Evidence.BANKER_FIRST_TWO)
        # The cache of `round`: the answer number of each hand's first two cards, and the answer by
        # score and those two numbers. Scores that lead to the same verdicts share one dict, so the
        # largest book has some 3,000 entries at most.
        self._players_two: Final[_ByCards] = {card: {} for card in DECK}
        self._bankers_two: Final[_ByCards] = {card: {} for card in DECK}
        self._rounds: Final[dict[Score, _ByNumbers]] = {}
        self._same_score: Final[dict[int, _ByNumbers]] = {}

    def score(self, score: Score) -> Mapping[str, WagerVerdict]:
        """The verdicts on the wagers that depend on the score."""
        return self._scores.verdicts(score)

    def first_two(self, side: Side, cards: FirstTwo) -> Mapping[str, WagerVerdict]:
        """The verdicts on the wagers that depend on one hand's first two cards."""
        return (self._players if side is Side.PLAYER else self._bankers).verdicts(cards)

    def round(self, dealt: DealtRound) -> Mapping[str, WagerVerdict | None]:
        """The verdict on every wager of the book that is won or pushed; None if it is lost."""
        cards = dealt.cards
        try:
            by_banker = self._rounds[dealt.score][self._players_two[cards[0]][cards[2]]]
            return by_banker[self._bankers_two[cards[1]][cards[3]]]
        except KeyError:
            return self._met_first(dealt)

    def _met_first(self, dealt: DealtRound) -> Mapping[str, WagerVerdict | None]:
        p1, b1, p2, b2 = dealt.cards[:4]
        player = self._players_two[p1][p2] = self._players.number((p1, p2))
        banker = self._bankers_two[b1][b2] = self._bankers.number((b1, b2))
        by_player = self._same_score.setdefault(self._scores.number(dealt.score), {})
        self._rounds[dealt.score] = by_player
        verdicts = {
            **self._scores.verdicts(dealt.score),
            **self._players.verdicts((p1, p2)),
            **self._bankers.verdicts((b1, b2)),
        }
        lose = WagerResult.LOSE
        found = {wager: None if v.result is lose else v for wager, v in verdicts.items()}
        return by_player.setdefault(player, {}).setdefault(banker, found)

"""A wager: what wins it, what it pays, and the verdict on it.

`Judge` is the one place where wagers meet cards. Settlement, odds and decided wagers all ask it, so
there is no second copy of a winning condition anywhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, TypeVar, final

from controller.game.conditions import (
    Condition,
    Evidence,
    FirstTwoCondition,
    ScoreCondition,
)
from controller.game.hands import DealtRound, FirstTwo, Score, Side

_E = TypeVar("_E", Score, FirstTwo)


class WagerResult(Enum):
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"


@final
class WagerVerdict:
    """What becomes of a wager: win, lose or push, at which odds, by which clause."""

    __slots__ = ("clause", "denominator", "numerator", "odds", "result")

    def __init__(self, result: WagerResult, odds: Fraction, clause: str) -> None:
        self.result: Final = result
        self.odds: Final = odds
        self.clause: Final = clause
        # Read out once: asking a Fraction costs a function call for every wager settled.
        self.numerator: Final = odds.numerator
        self.denominator: Final = odds.denominator


@dataclass(frozen=True)
class Pays:
    """Odds to one, and where there are several levels, when this one applies."""

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

    @property
    def evidence(self) -> Evidence:
        return self.wins.evidence

    def judge(self, evidence: Score | FirstTwo) -> WagerVerdict:
        """The verdict on this wager; the evidence must be of the wager's own kind."""
        if _holds(self.wins, evidence):
            for level in self.pays:
                if level.when is None or _holds(level.when, evidence):
                    return WagerVerdict(WagerResult.WIN, level.odds, level.clause)
            raise ValueError(f"{self.id} wins but no pay level applies")
        if self.push is not None and _holds(self.push, evidence):
            return WagerVerdict(WagerResult.PUSH, Fraction(0), self.push.clause)
        return WagerVerdict(WagerResult.LOSE, Fraction(0), self.wins.clause)


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


class _Answers(dict[_E, dict[str, WagerVerdict]]):
    """Verdicts by evidence, each worked out when first asked for and kept.

    There are 400 scores and 2,704 pairs of first cards, so it stays small.
    """

    def __init__(self, wagers: Iterable[Wager], kind: Evidence) -> None:
        super().__init__()
        self._wagers: Final = tuple(wager for wager in wagers if wager.evidence is kind)

    def __missing__(self, evidence: _E) -> dict[str, WagerVerdict]:
        answer = self[evidence] = {wager.id: wager.judge(evidence) for wager in self._wagers}
        return answer


class Judge:
    """The verdicts on a book's wagers."""

    def __init__(self, wagers: Iterable[Wager]) -> None:
        every = tuple(wagers)
        self._scores: Final = _Answers[Score](every, Evidence.SCORE)
        self._players: Final = _Answers[FirstTwo](every, Evidence.PLAYER_FIRST_TWO)
        self._bankers: Final = _Answers[FirstTwo](every, Evidence.BANKER_FIRST_TWO)

    def score(self, score: Score) -> Mapping[str, WagerVerdict]:
        """The verdicts on the wagers that turn on the score."""
        return self._scores[score]

    def first_two(self, side: Side, cards: FirstTwo) -> Mapping[str, WagerVerdict]:
        """The verdicts on the wagers that turn on one hand's first two cards."""
        return (self._players if side is Side.PLAYER else self._bankers)[cards]

    def round(self, dealt: DealtRound) -> Mapping[str, WagerVerdict]:
        """The verdicts on every wager of the book."""
        cards = dealt.cards
        return {
            **self._scores[dealt.score],
            **self._players[cards[0], cards[2]],
            **self._bankers[cards[1], cards[3]],
        }

"""Winning conditions of wagers, as data that can be read, settled, counted and enumerated.

A condition depends on one kind of evidence: the score of the round, or the first two cards of one
hand. So the same condition settles a wager, gives its exact odds and shows early that it is
decided.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from controller.game.hands import FirstTwo, Outcome, Score, Side
from drivers.cards import Colour, Rank, Suit


class Evidence(Enum):
    """The evidence a wager depends on."""

    SCORE = "score"
    PLAYER_FIRST_TWO = "player's first two cards"
    BANKER_FIRST_TWO = "banker's first two cards"


@dataclass(frozen=True)
class HandWins:
    """This side wins; if given, with this total, this many cards, over that losing total."""

    side: Side
    clause: str
    total: int | None = None
    cards: int | None = None
    over: int | None = None

    evidence = Evidence.SCORE

    def holds(self, score: Score) -> bool:
        return (
            score.outcome.value == self.side.value
            and self.total in (None, score.total(self.side))
            and self.cards in (None, score.cards(self.side))
            and self.over in (None, score.total(_other(self.side)))
        )


@dataclass(frozen=True)
class Tied:
    """Both hands have the same total; if given, this one."""

    clause: str
    total: int | None = None

    evidence = Evidence.SCORE

    def holds(self, score: Score) -> bool:
        return score.outcome is Outcome.TIE and self.total in (None, score.player_total)


@dataclass(frozen=True)
class HighTotalIs:
    """The winning hand, or both hands of a tie, have this total."""

    total: int
    clause: str

    evidence = Evidence.SCORE

    def holds(self, score: Score) -> bool:
        return max(score.player_total, score.banker_total) == self.total


@dataclass(frozen=True)
class CardsDealt:
    """Both hands together have this many cards."""

    count: int
    clause: str

    evidence = Evidence.SCORE

    def holds(self, score: Score) -> bool:
        return score.used == self.count


@dataclass(frozen=True)
class Pair:
    """A side's first two cards are of one rank; if given, of this rank, both of this suit."""

    side: Side
    clause: str
    rank: Rank | None = None
    suit: Suit | None = None

    @property
    def evidence(self) -> Evidence:
        return _first_two(self.side)

    def holds(self, cards: FirstTwo) -> bool:
        first, second = cards
        return (
            first.rank is second.rank
            and self.rank in (None, first.rank)
            and (self.suit is None or first.suit is second.suit is self.suit)
        )


@dataclass(frozen=True)
class BothOfColour:
    """A side's first two cards are both red, or both black."""

    side: Side
    colour: Colour
    clause: str

    @property
    def evidence(self) -> Evidence:
        return _first_two(self.side)

    def holds(self, cards: FirstTwo) -> bool:
        first, second = cards
        return first.suit.colour is self.colour is second.suit.colour


ScoreCondition: TypeAlias = HandWins | Tied | HighTotalIs | CardsDealt
FirstTwoCondition: TypeAlias = Pair | BothOfColour
Condition: TypeAlias = ScoreCondition | FirstTwoCondition


def _other(side: Side) -> Side:
    return Side.BANKER if side is Side.PLAYER else Side.PLAYER


def _first_two(side: Side) -> Evidence:
    return Evidence.PLAYER_FIRST_TWO if side is Side.PLAYER else Evidence.BANKER_FIRST_TWO

"""Two hands and their score.

Every wager depends on one of two things: the *score* at the end of the round (both totals, and how
many cards each hand has), or the first two cards of one hand. A round stores its cards in drawn
order and its score; the cards of each hand follow from those.
"""

from enum import Enum
from typing import Final, TypeAlias, final

from msgspec import Struct

from drivers.cards import Card


class Side(Enum):
    # Hashed by identity, as `Phase`: looked up for every card of a round.
    __hash__ = object.__hash__

    PLAYER = "player"
    BANKER = "banker"


class Outcome(Enum):
    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


def outcome_of(player_total: int, banker_total: int) -> Outcome:
    """Return the hand with the higher point total; equal totals tie."""
    if player_total > banker_total:
        return Outcome.PLAYER
    return Outcome.BANKER if banker_total > player_total else Outcome.TIE


@final
class Score:
    """The totals and card counts of both hands. There are 400 and each is created once
    (`SCORES`)."""

    __slots__ = (
        "banker_cards",
        "banker_total",
        "outcome",
        "player_cards",
        "player_total",
        "used",
    )

    def __init__(
        self, player_total: int, banker_total: int, player_cards: int, banker_cards: int
    ) -> None:
        self.player_total: Final = player_total
        self.banker_total: Final = banker_total
        self.player_cards: Final = player_cards
        self.banker_cards: Final = banker_cards
        self.outcome: Final = outcome_of(player_total, banker_total)
        self.used: Final = player_cards + banker_cards

    def total(self, side: Side) -> int:
        return self.player_total if side is Side.PLAYER else self.banker_total

    def cards(self, side: Side) -> int:
        return self.player_cards if side is Side.PLAYER else self.banker_cards

    def __repr__(self) -> str:
        return (
            f"Score(player {self.player_total} in {self.player_cards},"
            f" banker {self.banker_total} in {self.banker_cards})"
        )


SCORES: Final = {
    (player_cards, banker_cards): tuple(
        tuple(Score(p, b, player_cards, banker_cards) for b in range(10)) for p in range(10)
    )
    for player_cards in (2, 3)
    for banker_cards in (2, 3)
}
"""`SCORES[player cards, banker cards][player total][banker total]`."""

FirstTwo: TypeAlias = tuple[Card, Card]


# `gc=False`, here and for bets and settlements: they cannot be part of a reference cycle, so the
# garbage collector need not scan thousands of them.
class DealtRound(Struct, frozen=True, eq=False, gc=False):
    """A finished round: its cards in drawn order and the score. Compared by identity."""

    cards: tuple[Card, ...]
    score: Score

    @property
    def player(self) -> tuple[Card, ...]:
        """First, third, and the fifth when the Player drew."""
        cards = self.cards
        return (cards[0], cards[2], cards[4]) if self.score.player_cards == 3 else cards[0:3:2]

    @property
    def banker(self) -> tuple[Card, ...]:
        """Second, fourth, and the last one drawn when the Banker drew."""
        cards = self.cards
        return (cards[1], cards[3], cards[-1]) if self.score.banker_cards == 3 else cards[1:4:2]

    @property
    def player_total(self) -> int:
        return self.score.player_total

    @property
    def banker_total(self) -> int:
        return self.score.banker_total

    @property
    def outcome(self) -> Outcome:
        return self.score.outcome

    @property
    def used(self) -> int:
        return self.score.used

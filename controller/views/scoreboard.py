"""The public display of a shoe: its roads, its counts, and the marks of the next hand.

Everything is computed from the results alone, except the count of naturals, which a result does not
contain. A caller with the rounds supplies it.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from controller.game.hands import Outcome
from controller.game.table_of_play import TableOfPlay
from controller.views.roads import Hand, Mark, Roads, place, roads

Bead = tuple[int, int, str]
"""Column, row, and the mark."""
Ring = tuple[int, int, str, int]
"""The same, and the ties counted on it."""

_DERIVED: Final = ("big_eye_boy", "small_road", "cockroach_pig")


class DerivedMarks(msgspec.Struct, frozen=True):
    """The marks of one hand on the three derived roads: R, B, or null for no mark."""

    big_eye_boy: str | None
    small_road: str | None
    cockroach_pig: str | None


class AskRoads(msgspec.Struct, frozen=True):
    """The marks that the next hand would add, if Banker or Player wins it."""

    banker: DerivedMarks
    player: DerivedMarks


class ShoeCounts(msgspec.Struct, frozen=True):
    """Counts over the rounds of this shoe with a result; void rounds are excluded."""

    rounds: int
    banker: int
    player: int
    tie: int
    banker_pair: int
    player_pair: int
    naturals: int | None = None
    """Rounds with a natural on either hand; null if the rounds cannot be read."""


class Scoreboard(msgspec.Struct, frozen=True):
    """The five roads as cells, the counts and the ask roads."""

    results: list[str]
    bead_plate: list[Bead]
    big_road: list[Ring]
    big_eye_boy: list[Bead]
    small_road: list[Bead]
    cockroach_pig: list[Bead]
    counts: ShoeCounts
    ask: AskRoads


@lru_cache(maxsize=4)
def scoreboard(results: tuple[str, ...]) -> Scoreboard:
    hands = [Hand.parse(token) for token in results]
    found = roads(hands)
    return Scoreboard(
        results=list(results),
        bead_plate=[(*cell, hand.token) for cell, hand in found.bead_plate],
        big_road=[(*cell, hand.token, ties) for cell, hand, ties in found.big_road],
        big_eye_boy=_cells(found.big_eye_boy),
        small_road=_cells(found.small_road),
        cockroach_pig=_cells(found.cockroach_pig),
        counts=_counts(hands),
        ask=AskRoads(
            banker=_asked(hands, found, Outcome.BANKER), player=_asked(hands, found, Outcome.PLAYER)
        ),
    )


def _cells(marks: tuple[Mark, ...]) -> list[Bead]:
    return [(*cell, mark.value) for cell, mark in zip(place(marks), marks, strict=True)]


def _counts(hands: list[Hand]) -> ShoeCounts:
    won = Counter(hand.outcome for hand in hands)
    return ShoeCounts(
        rounds=len(hands),
        banker=won[Outcome.BANKER],
        player=won[Outcome.PLAYER],
        tie=won[Outcome.TIE],
        banker_pair=sum(hand.banker_pair for hand in hands),
        player_pair=sum(hand.player_pair for hand in hands),
    )


def _asked(hands: list[Hand], now: Roads, winner: Outcome) -> DerivedMarks:
    """The difference between the roads with the hand and without it, so that the same rules
    apply."""
    then = roads([*hands, Hand(winner)])
    return DerivedMarks(*(_added(getattr(now, road), getattr(then, road)) for road in _DERIVED))


def _added(before: tuple[Mark, ...], after: tuple[Mark, ...]) -> str | None:
    return after[-1].value if len(after) > len(before) else None


def is_natural(play: TableOfPlay, hands: Iterable[list[str | None]]) -> bool:
    """Whether the first two cards of any of these hands make a natural."""
    return any(_natural(play, cards[:2]) for cards in hands)


def _natural(play: TableOfPlay, cards: list[str | None]) -> bool:
    points = [play.points_by_code[card] for card in cards if card is not None]
    return len(points) == 2 and play.is_natural(sum(points) % 10)

"""Cards, totals, the table of play, and where cards lie by the order they were drawn in.

All five books have the same table (MBS, DT 3.14; RWS 3.11-3.12; Sands Super, Tournament 3.9).
"""

from collections.abc import Sequence
from dataclasses import dataclass

PLAYER, BANKER = "player", "banker"
RED = "HD"

# What the Player's third card may count for the Banker to draw, by the Banker's total of two.
BANKER_DRAWS = {
    0: range(10),
    1: range(10),
    2: range(10),
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: range(2, 8),
    5: range(4, 8),
    6: range(6, 8),
    7: (),
}


def points(card: str) -> int:
    """Ace 1, two to nine as they are, ten and pictures 0 (RWS counts a ten as ten: the same)."""
    return 1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 0


def total(hand: Sequence[str]) -> int:
    return sum(map(points, hand)) % 10


def player_draws(player: int, banker: int) -> bool:
    """By the totals of two cards each."""
    return max(player, banker) < 8 and player <= 5


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """By the totals of two cards each and the points of the Player's third card, if drawn."""
    if max(player, banker) >= 8:
        return False
    return banker <= 5 if third is None else third in BANKER_DRAWS[banker]


@dataclass(frozen=True)
class Card:
    """One card of the round, as whoever saw everything knows it."""

    n: int
    face: str
    exposed: bool
    kept_out: bool = False
    """It is not played in this round, whatever the table of play asks (RWS 5.7)."""
    out_since: str = "call"
    """Drawn since the call, while bets were open, or in an earlier round."""


@dataclass(frozen=True)
class Layout:
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()

    def hand(self, side: str) -> tuple[Card, ...]:
        return self.player if side == PLAYER else self.banker

    def faces(self, side: str) -> list[str]:
        return [card.face for card in self.hand(side)]

    def shown(self, side: str) -> list[str | None]:
        """As everybody sees it."""
        return [card.face if card.exposed else None for card in self.hand(side)]

    def numbers(self, side: str) -> list[int]:
        return [card.n for card in self.hand(side)]

    @property
    def due(self) -> str | None:
        """The side the next card is for, "reveal" where hidden cards come first, None: complete."""
        return due(self.player, self.banker)

    @property
    def complete(self) -> bool:
        return self.due is None


def due(player: Sequence[Card], banker: Sequence[Card]) -> str | None:
    """P1, B1, P2, B2, then the table of play by what lies exposed (section 2.1)."""
    if min(len(player), len(banker)) < 2:
        first = len(player) < 2 and (len(player) <= len(banker) or len(banker) >= 2)
        return PLAYER if first else BANKER
    if not all(card.exposed for card in (*player, *banker)):
        return "reveal"
    of_player, of_banker = (total([card.face for card in hand[:2]]) for hand in (player, banker))
    # Also where a Banker's third lies already (5.12.1).
    if len(player) == 2 and player_draws(of_player, of_banker):
        return PLAYER
    third = points(player[2].face) if len(player) > 2 else None
    if len(banker) == 2 and banker_draws(of_player, of_banker, third):
        return BANKER
    return None


def lay(cards: Sequence[Card], lies: Layout | None = None) -> Layout:
    """Where every card lies by drawn order. `lies`: cards that stay as they were laid, wrongly (RWS
    5.12.1); what follows goes on from there."""
    hands: dict[str, list[Card]] = {PLAYER: [], BANKER: []}
    if lies is not None:
        known = {card.n: card for card in cards}
        hands = {side: [known[card.n] for card in lies.hand(side)] for side in hands}
    placed = {card.n for hand in hands.values() for card in hand}
    aside: list[Card] = []
    waits = False
    for card in cards:
        if card.n in placed:
            continue
        side = None if card.kept_out or waits else due(hands[PLAYER], hands[BANKER])
        if side in hands:
            hands[side].append(card)
        else:
            aside.append(card)
            waits |= not card.kept_out
    return Layout(tuple(hands[PLAYER]), tuple(hands[BANKER]), tuple(aside))

"""The shoe's own model of a baccarat round: the place of the next card, and the winner."""

from simulators.kit.cards import points, total

BANKER_DRAWS = {
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
}
"""Banker's total: the points of the player's third card on which banker draws."""

Place = tuple[str, int]
ORDER: tuple[Place, ...] = (("player", 1), ("banker", 1), ("player", 2), ("banker", 2))


class Round:
    """Cards in order of arrival. The shoe assumes that they are dealt correctly."""

    def __init__(self) -> None:
        self.player: list[str] = []
        self.banker: list[str] = []

    def next_place(self) -> Place | None:
        """Return the next card's place; None when the round is complete."""
        dealt = len(self.player) + len(self.banker)
        if dealt < len(ORDER):
            return ORDER[dealt]
        if max(total(self.player), total(self.banker)) >= 8 and dealt == len(ORDER):
            return None
        if len(self.player) == 2 and total(self.player) <= 5 and len(self.banker) == 2:
            return ("player", 3)
        if len(self.banker) == 2 and self._banker_draws():
            return ("banker", 3)
        return None

    def add(self, card: str) -> Place:
        place = self.next_place()
        assert place is not None, "the round is complete"
        (self.player if place[0] == "player" else self.banker).append(card)
        return place

    @property
    def winner(self) -> str:
        player, banker = total(self.player), total(self.banker)
        if player == banker:
            return "tie"
        return "player" if player > banker else "banker"

    @property
    def player_pair(self) -> bool:
        return self.player[0][0] == self.player[1][0]

    @property
    def banker_pair(self) -> bool:
        return self.banker[0][0] == self.banker[1][0]

    def _banker_draws(self) -> bool:
        own = total(self.banker)
        if len(self.player) == 2:
            return own <= 5
        return own <= 2 or points(self.player[2]) in BANKER_DRAWS.get(own, set())

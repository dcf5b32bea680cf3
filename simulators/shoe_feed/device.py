"""A plain shoe and a camera over the table, as a machine. `seen` lists the camera's texts: the word
and its fields as in the protocol, without a number."""

from typing import Any, Final

from simulators.kit.cards import CUTTING_CARD
from simulators.kit.pile import Pile
from simulators.kit.shoe_exit import Mouth

SURE: Final = "0.999"
FOREIGN: Final = 6


class CameraShoe:
    """The machine; it has no timed actions."""

    def __init__(self, pile: Pile) -> None:
        self.mouth = Mouth(pile)
        self.seen: list[str] = []

    def load(self, pile: Pile) -> None:
        self.mouth.reload(pile)

    def draw(self, card: str | None = None, extra: bool = False) -> str:
        taken = self.mouth.take(card, extra)
        self.seen.append("CUT" if taken == CUTTING_CARD else f"CARD {taken} {SURE}")
        return taken

    def draw_two(self, read: str) -> list[str]:
        """Draw two cards at once: the camera sees the upper one, both, or cannot tell."""
        self.mouth.must_hold_two()
        two = [self._take_card(), self._take_card()]
        reported = {"none": 0, "first": 1, "both": 2}[read]
        self.seen += [f"CARD {card} {SURE}" for card in two[:reported]]
        self.seen += ["UNREAD"] * (2 - reported)
        return two

    def draw_unread(self, card: str | None = None) -> str:
        taken = self._take_card() if card is None else self.mouth.take(card)
        self.seen.append("UNREAD")
        return taken

    def draw_unsure(self, confidence: str) -> str:
        """Report a card with the camera's confidence in its reading."""
        taken = self._take_card()
        self.seen.append(f"CARD {taken} {confidence}")
        return taken

    def draw_foreign(self) -> None:
        self.mouth.must_be_free()
        self.seen += [f"ERROR {FOREIGN} does_not_belong", "UNREAD"]

    def draw_cutting_card(self) -> None:
        self.mouth.must_be_free()
        self.mouth.pile.take_cutting_card()
        self.seen.append("CUT")

    def draw_half(self) -> None:
        self.mouth.take_half()

    def push_back(self, where: str) -> None:
        """Push a card back; a camera over the layout does not report a card that is taken away."""
        if where == "midway":
            self.mouth.clear_jam()
        else:
            self.mouth.put_back_last()

    def shown(self) -> dict[str, Any]:
        return self.mouth.shown()

    def _take_card(self) -> str:
        taken = self.mouth.take()
        return self.mouth.take() if taken == CUTTING_CARD else taken

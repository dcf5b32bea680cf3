"""The shoe as a machine: its cards and its reactions to a person's actions. It handles no bytes."""

from typing import Any

from simulators.kit.cards import CUTTING_CARD
from simulators.kit.contract import Refused
from simulators.kit.pile import Pile
from simulators.kit.shoe_exit import Mouth


class Machine:
    """The shoe. It appends the texts to send to `said`; the line removes them."""

    def __init__(self, pile: Pile) -> None:
        self.mouth = Mouth(pile)
        self.said: list[str] = []
        self.error: int | None = None

    def load(self, pile: Pile) -> None:
        self.mouth.reload(pile)

    def draw(self, card: str | None = None, extra: bool = False) -> str:
        taken = self.mouth.take(card, extra)
        self.said.append("CUT" if taken == CUTTING_CARD else f"CARD {taken}")
        return taken

    def draw_two(self, read: str) -> list[str]:
        self.mouth.must_hold_two()
        two = [self._card(), self._card()]
        if read == "none":
            self.said.append("UNREAD")
        else:
            self.said += [f"CARD {card}" for card in two[: 1 if read == "first" else 2]]
        return two

    def draw_unread(self, card: str | None = None) -> str:
        taken = self._card() if card is None else self.mouth.take(card)
        self.said.append("UNREAD")
        return taken

    def draw_foreign(self) -> None:
        self.mouth.must_be_free()
        self.said.append("UNREAD")

    def draw_cutting_card(self) -> None:
        self.mouth.must_be_free()
        self.mouth.pile.take_cutting_card()
        self.said.append("CUT")

    def draw_half(self) -> None:
        self.mouth.take_half()

    def push_back(self, where: str) -> None:
        if where == "midway":
            self.mouth.clear_jam()
        else:
            self.mouth.put_back_last()

    def fail(self, number: int) -> None:
        self.error = number
        self.said.append(f"ERROR {number}")

    def clear(self) -> None:
        if self.error is None:
            raise Refused("the shoe shows no error")
        self.said.append(f"OVER {self.error}")
        self.error = None

    def shown(self) -> dict[str, Any]:
        return {**self.mouth.shown(), "error": self.error}

    def _card(self) -> str:
        taken = self.mouth.take()
        return self.mouth.take() if taken == CUTTING_CARD else taken

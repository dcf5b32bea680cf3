"""The Bee-Tek electronic shoe as a machine: it reads drawn cards and implements no game.

It has a key for diagnosis and two buttons, Mode and Enter: Mode offers the other mode, Enter
selects it. `said` lists its events until its line sends them. No public source has a message for
the cutting card, a card pushed back, a jam or the lid, so it reports none of them.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from simulators.kit.cards import CUTTING_CARD
from simulators.kit.contract import Refused
from simulators.kit.pile import Pile
from simulators.kit.shoe_exit import Mouth

GAME, BURN = "game", "burn"
NOT_READ: Final = (3, "Card Not Read")
"""The only alarm whose number is public."""


@dataclass(frozen=True, slots=True)
class CardRead:
    mode: str
    card: str


@dataclass(frozen=True, slots=True)
class CardNotRead:
    mode: str


@dataclass(frozen=True, slots=True)
class Alarm:
    mode: str
    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    number: int


@dataclass(frozen=True, slots=True)
class ModeTaken:
    mode: str


Event: TypeAlias = CardRead | CardNotRead | Alarm | Warned | ModeTaken


class BeeTek:
    """The machine; it has no timed actions."""

    def __init__(self, pile: Pile) -> None:
        self.mouth = Mouth(pile)
        self.said: list[Event] = []
        self.mode = self.offered = GAME
        self.diagnosing = False

    def start(self) -> None:
        """Switch the power on; the shoe sends nothing by itself."""
        self.said.clear()
        self.mode = self.offered = GAME
        self.mouth.clear_jam()

    def load(self, pile: Pile) -> None:
        self.mouth.reload(pile)

    # --- cards --------------------------------------------------------------------------------

    def draw(self, card: str | None = None, extra: bool = False) -> str:
        taken = self.mouth.take(card, extra)
        if taken != CUTTING_CARD:
            self._say(CardRead(self.mode, taken))
        return taken

    def draw_two(self, read: str) -> list[str]:
        self.mouth.must_hold_two()
        two = [self._take_card(), self._take_card()]
        if read == "none":
            self._say(CardNotRead(self.mode))
        else:
            for card in two[: 1 if read == "first" else 2]:
                self._say(CardRead(self.mode, card))
        return two

    def draw_unread(self, card: str | None = None) -> str:
        taken = self._take_card() if card is None else self.mouth.take(card)
        self._say(CardNotRead(self.mode))
        return taken

    def draw_foreign(self) -> None:
        self.mouth.must_be_free()
        self._say(CardNotRead(self.mode))

    def draw_cutting_card(self) -> None:
        self.mouth.must_be_free()
        self.mouth.pile.take_cutting_card()

    def draw_half(self) -> None:
        self.mouth.take_half()

    def push_back(self, where: str) -> None:
        if where == "midway":
            self.mouth.clear_jam()
        else:
            self.mouth.put_back_last()

    def _take_card(self) -> str:
        taken = self.mouth.take()
        return self.mouth.take() if taken == CUTTING_CARD else taken

    # --- key, buttons, alarms -----------------------------------------------------------------

    def press(self, button: str) -> None:
        if button == "mode":
            self.offered = BURN if self.offered == GAME else GAME
            return
        if self.offered == self.mode:
            raise Refused("the Mode button has offered nothing to confirm")
        self.mode = self.offered
        self._say(ModeTaken(self.mode))

    def alarm(self, code: int, text: str) -> None:
        self._say(Alarm(self.mode, code, text))

    def warn(self, number: int) -> None:
        self._say(Warned(number))

    def _say(self, event: Event) -> None:
        """Queue an event. In diagnosis the line is silent, so cards are not reported."""
        if not self.diagnosing:
            self.said.append(event)

    def shown(self) -> dict[str, Any]:
        return {
            **self.mouth.shown(),
            "mode": self.mode,
            "offered": self.offered,
            "diagnosing": self.diagnosing,
        }

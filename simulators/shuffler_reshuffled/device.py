"""The machine: a tray, a stepper, two lifting magnets, and a stack of shuffled cards.

Cards are texts such as `9H`. Its sensors count the cards that pass and never identify them. The
meaning of its error numbers is not public; 1, 2 and 3 are chosen here.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Final

from simulators.kit import fields
from simulators.kit.cards import NEW_DECK
from simulators.kit.contract import Refused

NO_CARDS, JAMMED, NOT_NOW = 1, 2, 3
CAPACITY: Final = 108
HANDS: Final = 4


class Trouble(Exception):
    """The machine cannot execute a request; `code` is the board's error number."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Machine:
    """`step` advances time; `ended` reports each finished motion once."""

    random: Random
    card_s: float
    tray: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    dealt: list[str] = field(default_factory=list)
    doing: str = ""
    """shuffle, deal or home while something moves."""
    on: bool = True
    initialised: bool = False
    jammed: bool = False
    left_s: float = 0.0
    _to_move: int = 0
    _ended: list[int] = field(default_factory=list)

    # --- what the host asks --------------------------------------------------------------

    def initialise(self) -> None:
        if self.doing:
            raise Trouble(NOT_NOW)
        if self.jammed:
            raise Trouble(JAMMED)
        self._begin("home", 0, 1.0)

    def shuffle(self) -> None:
        self._ready_for(len(self.tray) + len(self.stack))
        self.tray, self.stack = [*self.tray, *self.stack], []
        self._begin("shuffle", len(self.tray), self.card_s * len(self.tray))

    def deal(self, cards: int) -> None:
        self._ready_for(len(self.stack) if cards <= len(self.stack) else 0)
        self._begin("deal", cards, self.card_s * cards)

    def shut_down(self) -> None:
        if self.doing:
            raise Trouble(NOT_NOW)
        self.on = False

    def _ready_for(self, cards: int) -> None:
        if self.doing or not self.initialised:
            raise Trouble(NOT_NOW)
        if self.jammed:
            raise Trouble(JAMMED)
        if cards == 0:
            raise Trouble(NO_CARDS)

    def _begin(self, doing: str, cards: int, seconds: float) -> None:
        self.doing, self._to_move, self.left_s = doing, cards, seconds

    # --- time ----------------------------------------------------------------------------

    def step(self, dt: float) -> None:
        if not self.on or not self.doing or self.jammed:
            return
        self.left_s -= dt
        if self.left_s <= 0:
            self._finish()

    @property
    def at_rest(self) -> bool:
        moves = self.on and self.doing and not self.jammed
        return not self._ended and not moves

    def _finish(self) -> None:
        if self.doing == "shuffle":
            self.random.shuffle(self.tray)
            self.stack, self.tray = self.tray, []
        elif self.doing == "deal":
            self.dealt += self.stack[: self._to_move]
            del self.stack[: self._to_move]
        else:
            self.initialised = True
        self._stop(0)

    def _stop(self, code: int) -> None:
        self.doing, self.left_s, self._to_move = "", 0.0, 0
        self._ended.append(code)

    def ended(self) -> list[int]:
        """Return the results of motions since the last call: 0 for success, otherwise an error
        number."""
        ended, self._ended = self._ended, []
        return ended

    # --- what a hand does ----------------------------------------------------------------

    def load(self, decks: object = 1) -> int:
        """Put decks into the tray and return the number of cards in it."""
        cards = list(NEW_DECK) * fields.whole(decks, "decks", 1, 2)
        if self.doing:
            raise Refused("cards are moving: wait until the machine stands still")
        if len(self.tray) + len(self.stack) + len(cards) > CAPACITY:
            raise Refused(f"the machine holds {CAPACITY} cards")
        self.tray += cards
        return len(self.tray)

    def take(self) -> list[str]:
        if self.doing:
            raise Refused("cards are moving: wait until the machine stands still")
        taken, self.stack = self.stack, []
        return taken

    def take_dealt(self) -> list[str]:
        taken, self.dealt = self.dealt, []
        return taken

    def jam(self) -> None:
        self.jammed = True
        if self.doing:
            self._stop(JAMMED)

    def clear_jam(self) -> None:
        if not self.jammed:
            raise Refused("nothing is jammed")
        self.jammed = False

    def power_cut(self) -> None:
        """Cut the power in the middle of a motion; cards stay where they are."""
        self.on = self.initialised = False
        self.doing, self.left_s, self._to_move, self._ended = "", 0.0, 0, []

    def power_on(self) -> None:
        if self.on:
            raise Refused("it is on")
        self.on = True

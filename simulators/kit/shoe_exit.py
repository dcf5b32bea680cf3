"""The exit of a shoe, and the back-door commands that every shoe has for it."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, Protocol

from simulators.kit import cards, fields
from simulators.kit.contract import Action, Refused
from simulators.kit.pile import Pile

MAX_SEED: Final = 2**63
MAX_EVENTS_WAITING: Final = 200
"""Maximum number of events a shoe stores while its line is slow or hangs."""


class Mouth:
    """The cards in the shoe and at its exit."""

    def __init__(self, pile: Pile) -> None:
        self.pile = pile
        self.lid_open = self.jammed = self.half_drawn = False
        self.last: str | None = None
        """The card drawn last, while it can be pushed back."""

    def take(self, card: str | None = None, extra: bool = False) -> str:
        """Draw the next card, which may be the cutting card, or the given card, completely."""
        self.must_be_free()
        taken = self.pile.take() if card is None else self.pile.take_named(card, extra)
        self.half_drawn = False
        if taken != cards.CUTTING_CARD:
            self.last = taken
        return taken

    def must_hold_two(self) -> None:
        if self.pile.left < 2:
            raise Refused("fewer than two cards are left in the shoe")

    def must_be_free(self) -> None:
        if self.jammed:
            raise Refused("a card is jammed in the exit; clear the jam first")
        if self.lid_open:
            raise Refused("the lid is open: the exit is barred")

    def take_half(self) -> None:
        """Pull the next card half-way; it stays in the slot."""
        self.must_be_free()
        if self.half_drawn:
            raise Refused("a card is in the slot already")
        if not self.pile.next_ten:
            raise Refused("the shoe is empty; load a new one")
        self.half_drawn = True

    def put_back_last(self) -> None:
        if self.last is None:
            raise Refused("no card has been drawn that could be pushed back")
        self.pile.put_back(self.last)
        self.last = None

    def clear_jam(self) -> None:
        """Return the half-drawn card to its place."""
        self.jammed = self.half_drawn = False

    def reload(self, pile: Pile) -> None:
        self.pile, self.last = pile, None
        self.clear_jam()

    def shown(self) -> dict[str, Any]:
        return {
            "cards_left": self.pile.left,
            "next_cards": self.pile.next_ten,
            "counts": self.pile.counts,
            "cutting_card_at": self.pile.cutting_card_at,
            "last_card": self.last,
            "lid_open": self.lid_open,
            "jammed": self.jammed,
            "half_drawn": self.half_drawn,
        }


class Handled(Protocol):
    """A shoe that can be operated by hand."""

    mouth: Mouth

    def draw(self, card: str | None = None, extra: bool = False) -> str:
        """Draw the next card or the given one; return it, or the cutting card."""

    def draw_two(self, read: str) -> list[str]:
        """Draw two cards at once. The reader sees no gap (`none`), only the upper card (`first`),
        or both (`both`)."""

    def draw_unread(self, card: str | None = None) -> str:
        """Draw a card whose face cannot be read."""

    def draw_foreign(self) -> None:
        """Draw a card of another set that was on top."""

    def draw_cutting_card(self) -> None:
        """Draw the cutting card now, from any position."""

    def draw_half(self) -> None:
        """Pull the next card half-way; it stays in the slot."""

    def push_back(self, where: str) -> None:
        """Push a card back: the last one at the exit, or the half-drawn one midway."""

    def load(self, pile: Pile) -> None:
        """Load a new shoe of cards."""


WHICH_CARD: Final = {"card": "like 9S; the next one if left out"}
YES_OR_NO: Final = "yes (default); no"


class Hands:
    """The back-door commands of a shoe's exit."""

    def __init__(self, shoe: Handled, settings: Mapping[str, Any], seed: int) -> None:
        self._shoe = shoe
        self._settings = settings
        self._seed = seed

    def words(self) -> dict[str, Action]:
        shoe = self._shoe
        extra = {"extra": "no (default); yes: slip one in that is not in the shoe"}
        read = {"read": "none (default): no gap is seen; first: the upper only; both"}
        where = {"where": "exit (default): the last card goes back; midway: a half-drawn one"}
        deck = {"seed": "of the order, the next one if left out", "deck": "the cards in order"}
        return {
            "draw": Action("draw a card", self._draw, {**WHICH_CARD, **extra}),
            "draw_two": Action("draw two cards at once", self._draw_two, read),
            "unreadable": Action("draw a card that cannot be read", self._unreadable, WHICH_CARD),
            "foreign": Action("draw a card of another set", shoe.draw_foreign),
            "cutting_card": Action("draw the cutting card", shoe.draw_cutting_card),
            "half_draw": Action("pull the next card part-way and hold it", shoe.draw_half),
            "push_back": Action("push a card back in", self._push_back, where),
            "jam": Action("jam a card in the exit, or clear it", self._jam, {"on": YES_OR_NO}),
            "lid": Action("open or close the lid", self._lid, {"open": YES_OR_NO}),
            "load": Action("put in a new shoe of cards", self._load, deck),
        }

    def _draw(self, card: object = None, extra: object = False) -> str:
        return self._shoe.draw(fields.maybe_card(card), fields.yes(extra, "extra"))

    def _draw_two(self, read: object = "none") -> list[str]:
        return self._shoe.draw_two(fields.one_of(read, "read", ("none", "first", "both")))

    def _unreadable(self, card: object = None) -> str:
        return self._shoe.draw_unread(fields.maybe_card(card))

    def _push_back(self, where: object = "exit") -> None:
        self._shoe.push_back(fields.one_of(where, "where", ("exit", "midway")))

    def _jam(self, on: object = True) -> None:
        if fields.yes(on, "on"):
            self._shoe.draw_half()
            self._shoe.mouth.jammed = True
        else:
            self._shoe.mouth.clear_jam()

    def _lid(self, open: object = True) -> None:  # noqa: A002
        self._shoe.mouth.lid_open = fields.yes(open, "open")

    def _load(self, seed: object = None, deck: object = "") -> None:
        self._seed += 1
        chosen = self._seed if seed is None else fields.whole(seed, "seed", 0, MAX_SEED)
        try:
            self._shoe.load(Pile.made({**self._settings, "deck": deck}, chosen))
        except cards.NotACard as error:
            raise fields.not_a_card(error) from None


def if_room(words: Mapping[str, Action], waiting: Callable[[], int]) -> dict[str, Action]:
    """Wrap the commands so that they are refused while the shoe's event store is full."""

    def guarded(do: Callable[..., object]) -> Callable[..., object]:
        @wraps(do)
        def with_room(**given: object) -> object:
            if waiting() >= MAX_EVENTS_WAITING:
                raise Refused("{n} events wait for the line; let time pass", n=MAX_EVENTS_WAITING)
            return do(**given)

        return with_room

    return {
        name: Action(word.description, guarded(word.do), word.fields)
        for name, word in words.items()
    }

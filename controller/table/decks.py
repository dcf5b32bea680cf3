"""A deck set and its life: who did what with it, and what the last count of its cards found."""

from enum import Enum

import msgspec

from drivers.cards import DECK, Card


class DeckStage(Enum):
    """The stage of a set between the maker's box and the shredder."""

    RECEIVED = "received"
    INSPECTED = "inspected"
    """One person has looked at every card of it, and another was there."""
    IN_USE = "in_use"
    RETIRED = "retired"
    DESTROYED = "destroyed"


class DeckStep(msgspec.Struct, frozen=True):
    """One step of its life."""

    stage: DeckStage
    at: float
    by: str
    approved_by: str | None = None
    reason: str = ""


class ShoeLedger(msgspec.Struct, frozen=True):
    """What came out of a shoe that is over."""

    shoe: int
    decks: int
    seen: bytes
    """How many of each card (`Card.number`) were seen by all."""
    drawn: int
    """How many left it in all, with burned ones and those that were not turned."""


class DeckCount(msgspec.Struct, frozen=True):
    """What a count of the whole set found, after one shoe."""

    shoe: int
    at: float
    by: str
    """The shuffler, the shoe that the rest was passed through, or the person who counted."""
    cards: int | None
    """How many there were in all; None where the shuffler did not report it."""
    full: int
    missing: tuple[Card, ...] = ()
    """Missing cards, by name where readings show it."""
    among: tuple[Card, ...] = ()
    """Where some cards were never seen: the missing ones are among these."""
    extra: tuple[Card, ...] = ()
    """More of them than the decks hold."""
    foreign: int = 0
    """The number of cards of another set among them."""
    approved_by: str | None = None

    @property
    def short(self) -> int:
        """The number missing; negative: the number too many."""
        return len(self.missing) if self.cards is None else self.full - self.cards

    @property
    def whole(self) -> bool:
        return not (self.short or self.missing or self.extra or self.foreign)


class DeckSet(msgspec.Struct, frozen=True):
    """A set of decks that is kept, shuffled and played together."""

    decks: int
    stage: DeckStage
    steps: tuple[DeckStep, ...] = ()
    shoes: int = 0
    """The number of shoes dealt from it."""
    uncounted: ShoeLedger | None = None
    """The last shoe it was in, where its cards have not been counted since."""
    count: DeckCount | None = None
    """What the last count found."""

    @property
    def cards(self) -> int:
        return self.decks * len(DECK)


class PassedRest(msgspec.Struct, frozen=True):
    """Cards that are left in a shoe pass through it once more, so that it reads them."""

    deck_set: str
    seen: bytes = bytes(len(DECK))
    cards: int = 0
    """The number that have passed, read or not."""
    foreign: int = 0


class PackFound(msgspec.Struct, frozen=True, tag="wrong"):
    """What a verifying shuffler found wrong with the cards it holds."""

    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()
    cards: int | None = None


def card_codes(counts: bytes | bytearray) -> tuple[Card, ...]:
    """The cards that were counted, one name for each."""
    return tuple(card for card in DECK for _ in range(counts[card.number]))

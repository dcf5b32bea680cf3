"""The cards in a shoe in their order of draw, with the cutting card among them."""

from collections.abc import Mapping
from typing import Final

from simulators.kit import cards
from simulators.kit.cards import CUTTING_CARD
from simulators.kit.contract import Refused
from simulators.kit.settings import Choice, WrongSetting

MAX_DECKS: Final = 10
MAX_CARDS: Final = 1_000

PILE_SETTINGS: Final[Mapping[str, Choice]] = {
    "deck": Choice("", "the cards in order, `CUT` where the cutting card lies; empty: by the seed"),
    "decks": Choice(8, "packs in the shoe when the seed decides"),
    "cut_from_end": Choice(16, "cards behind the cutting card; 0: there is no cutting card"),
}


class Pile:
    """The remaining cards of a shoe."""

    def __init__(self, cards_in_order: list[str]) -> None:
        self._cards = cards_in_order

    @classmethod
    def at_first(cls, device: str, settings: Mapping[str, object], seed: int) -> "Pile":
        """Return the pile of a device at power-on; raises `WrongSetting`."""
        try:
            return cls.made(settings, seed)
        except (cards.NotACard, Refused) as error:
            raise WrongSetting(f"{device}: {error}") from None

    @classmethod
    def made(cls, settings: Mapping[str, object], seed: int) -> "Pile":
        """Make a pile from `PILE_SETTINGS`; raises `NotACard` or `Refused`."""
        text = str(settings["deck"])
        if text:
            return cls(_not_too_many(cards.shoe(text)))
        decks = int(str(settings["decks"]))
        if not 1 <= decks <= MAX_DECKS:
            raise Refused("a shoe holds 1 to {most} decks, not {n}", most=MAX_DECKS, n=decks)
        in_order = cards.shuffled(decks, seed)
        behind = int(str(settings["cut_from_end"]))
        if behind > 0:
            in_order.insert(max(0, len(in_order) - behind), CUTTING_CARD)
        return cls(in_order)

    @property
    def left(self) -> int:
        """Number of cards, without the cutting card."""
        return len(self._cards) - self._cards.count(CUTTING_CARD)

    @property
    def next_ten(self) -> list[str]:
        return self._cards[:10]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many of each card are left."""
        return {each: self._cards.count(each) for each in cards.NEW_DECK}

    @property
    def cutting_card_at(self) -> int | None:
        """Number of cards before the cutting card."""
        return self._cards.index(CUTTING_CARD) if CUTTING_CARD in self._cards else None

    def take(self) -> str:
        """Take the next card, which may be the cutting card."""
        if not self._cards:
            raise Refused("the shoe is empty; load a new one")
        return self._cards.pop(0)

    def take_named(self, card: str, extra: bool) -> str:
        """Take this card from its position; with `extra`, a card from outside the shoe."""
        if extra:
            return card
        if card not in self._cards:
            raise Refused("no {card} is left in the shoe; say extra=yes to slip one in", card=card)
        self._cards.remove(card)
        return card

    def take_cutting_card(self) -> None:
        """Take the cutting card now, from any position."""
        if CUTTING_CARD in self._cards:
            self._cards.remove(CUTTING_CARD)

    def put_back(self, card: str) -> None:
        self._cards.insert(0, card)
        _not_too_many(self._cards)


def _not_too_many(in_order: list[str]) -> list[str]:
    if len(in_order) > MAX_CARDS:
        raise Refused("a shoe holds at most {most} cards, not {n}", most=MAX_CARDS, n=len(in_order))
    return in_order

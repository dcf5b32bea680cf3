"""Cards as two letters of text, such as `9S`."""

from collections.abc import Iterable
from random import Random
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
NEW_DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CUTTING_CARD: Final = "CUT"


HOW_WRITTEN: Final = "is not a card: write rank (A 2-9 T J Q K) and suit (S H D C)"


class NotACard(ValueError):
    """Text that names none of the 52 cards."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} {HOW_WRITTEN}")
        self.text = text


def card(text: str) -> str:
    """Return the card in two letters, from `9s`, `10D` or `TD`; raises `NotACard`."""
    code = text.strip().upper().replace("10", "T")
    if code not in NEW_DECK:
        raise NotACard(text)
    return code


def number_of(code: str) -> int:
    """Return the rank's number: ace 1, two to ten as they are, jack 11, queen 12, king 13."""
    return RANKS.index(code[0]) + 1


def points(code: str) -> int:
    """Return the card's points at baccarat."""
    number = number_of(code)
    return number if number < 10 else 0


def total(hand: Iterable[str]) -> int:
    return sum(map(points, hand)) % 10


def shuffled(decks: int, seed: int) -> list[str]:
    """Return this number of decks in an order determined by the seed."""
    cards = list(NEW_DECK) * decks
    Random(seed).shuffle(cards)
    return cards


def shoe(text: str) -> list[str]:
    """Parse cards in their order of draw, separated by blanks or commas; `CUT` is the cutting card
    and `#` begins a comment. Raises `NotACard`."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    words = " ".join(lines).replace(",", " ").split()
    return [word.upper() if word.upper() == CUTTING_CARD else card(word) for word in words]

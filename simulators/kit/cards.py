"""Cards as two letters of text, `9S`: all that a machine needs to know of them."""

from collections.abc import Iterable
from random import Random
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
NEW_DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CUTTING_CARD: Final = "CUT"


HOW_WRITTEN: Final = "is not a card: write rank (A 2-9 T J Q K) and suit (S H D C)"


class NotACard(ValueError):
    """Text that names none of the 52."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} {HOW_WRITTEN}")
        self.text = text


def card(text: str) -> str:
    """The card in two letters, from `9s`, `10D` or `TD`; raises `NotACard`."""
    code = text.strip().upper().replace("10", "T")
    if code not in NEW_DECK:
        raise NotACard(text)
    return code


def number_of(code: str) -> int:
    """Ace 1, two to ten as they are, jack 11, queen 12, king 13."""
    return RANKS.index(code[0]) + 1


def points(code: str) -> int:
    """What it counts at baccarat."""
    number = number_of(code)
    return number if number < 10 else 0


def total(hand: Iterable[str]) -> int:
    return sum(map(points, hand)) % 10


def shuffled(decks: int, seed: int) -> list[str]:
    """So many packs in an order that the seed decides."""
    cards = list(NEW_DECK) * decks
    Random(seed).shuffle(cards)
    return cards


def shoe(text: str) -> list[str]:
    """Cards in the order they come out, from text parted by blanks or commas; `CUT` is the cutting
    card and `#` begins a remark. Raises `NotACard`."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    words = " ".join(lines).replace(",", " ").split()
    return [word.upper() if word.upper() == CUTTING_CARD else card(word) for word in words]

"""Card, Rank, Suit: parse and print.

`Card` has 52 members, so two equal cards are the same object. Each is also its code as text: it is
written to records, lines and views unchanged, and msgspec reads it back. Copies (an eight-deck shoe
has eight of each) are counted where the cards are stored. The value of a card is defined by the
rule documents, not by the card.
"""

from enum import Enum, StrEnum
from typing import Final


class Colour(Enum):
    RED = "red"
    BLACK = "black"


class Suit(Enum):
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def colour(self) -> Colour:
        return Colour.RED if self in (Suit.HEARTS, Suit.DIAMONDS) else Colour.BLACK


class Rank(Enum):
    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class NotACard(ValueError):
    """Text that names no card of the 52, such as a joker, a blank or a misprint."""


class Card(StrEnum):
    """One of the 52, by its code: rank and suit, like `9H`."""

    _ignore_ = "each"

    for each in (rank.value + suit.value for suit in Suit for rank in Rank):
        vars()[each] = each

    number: int
    """0-51 in new-deck order: spades ace to king, then H, D, C."""
    rank: Rank
    suit: Suit

    def __init__(self, code: str) -> None:
        self.rank, self.suit = Rank(code[0]), Suit(code[1])
        self.number = list(Suit).index(self.suit) * len(Rank) + list(Rank).index(self.rank)

    def __setattr__(self, name: str, value: object) -> None:
        if name in vars(self):
            raise AttributeError(f"a card cannot be changed (tried to set {name})")
        super().__setattr__(name, value)

    # The hash of its text: `Enum`'s own is written in Python, and tables look cards up often.
    __hash__ = str.__hash__

    @classmethod
    def _missing_(cls, value: object) -> "Card":
        """Return the card of another notation: `10D`, `td`, ` TD `; raises `NotACard`."""
        text = value.strip().upper() if isinstance(value, str) else ""
        for card in cls:
            if text in (card, card.replace("T", "10")):
                return card
        raise NotACard(
            f"{value!r} is not a card: write rank (A 2-9 T J Q K) and suit (S H D C), like 9H"
        )

    @staticmethod
    def parse(text: str) -> "Card":
        """Parse `AS TD 9H KC`; a ten may also be written `10D`. Lower case is accepted."""
        return Card(text)

    @property
    def code(self) -> str:
        """Return its two letters as plain text."""
        return self.value

    def __repr__(self) -> str:
        return f"Card({self.value})"


DECK: Final = tuple(Card)
"""The 52 cards in new-deck order; `DECK[card.number] is card`."""

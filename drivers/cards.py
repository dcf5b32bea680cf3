"""Card, Rank, Suit: parse and print.

A card is one of 52 objects made once when this module loads, so two equal cards are the same
object and comparing them costs nothing. Copies (an eight-deck shoe holds eight of each) are counted
by whoever holds the cards, never by making a second object. What a card is worth is a matter for
the rule documents, not for the card.
"""

from enum import Enum
from typing import Final, final


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
    """Text that names no card of the 52. Jokers, blanks and misprints end here."""


@final
class Card:
    """One of the 52. `number` runs 0-51 in new-deck order: spades ace to king, then H, D, C."""

    __slots__ = ("code", "number", "rank", "suit")

    code: str
    number: int
    rank: Rank
    suit: Suit

    def __new__(cls, rank: Rank, suit: Suit) -> "Card":
        return _BY_CODE[rank.value + suit.value]

    @staticmethod
    def parse(text: str) -> "Card":
        """`AS TD 9H KC`; a ten may also be written `10D`. Lower case is accepted."""
        code = text.strip().upper()
        if code.startswith("10"):
            code = "T" + code[2:]
        try:
            return _BY_CODE[code]
        except KeyError:
            raise NotACard(
                f"{text!r} is not a card: write rank (A 2-9 T J Q K) and suit (S H D C), like 9H"
            ) from None

    @staticmethod
    def coded(code: str) -> "Card":
        """The card with this very code, as `Card.code` gives it; nothing else is understood."""
        return _BY_CODE[code]

    @staticmethod
    def code_of(text: str) -> str:
        """The code of the card that the text names; a code is its own."""
        return text if text in _BY_CODE else Card.parse(text).code

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card cannot be changed (tried to set {name})")

    def __repr__(self) -> str:
        return f"Card({self.code})"

    def __str__(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[object, tuple[Rank, Suit]]:
        return (Card, (self.rank, self.suit))


def _new_deck() -> tuple[Card, ...]:
    cards = []
    for number, (suit, rank) in enumerate((suit, rank) for suit in Suit for rank in Rank):
        card = object.__new__(Card)
        for name, value in (
            ("code", rank.value + suit.value),
            ("number", number),
            ("rank", rank),
            ("suit", suit),
        ):
            object.__setattr__(card, name, value)
        cards.append(card)
    return tuple(cards)


DECK: Final = _new_deck()
"""The 52 cards in new-deck order; `DECK[card.number] is card`."""

_BY_CODE: Final = {card.code: card for card in DECK}

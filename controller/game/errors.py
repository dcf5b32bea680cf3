"""Errors of the game's rules.

GameError                a request the rules cannot answer; the message states what to correct
├── UnknownRulebook      no such rulebook id
├── UnknownWager         the book has no playing area for that wager
├── NotEnoughCards       the cards end before the round does
├── DecksNotAllowed      more or fewer decks than the document permits
├── BadAmount            a wager or limit that is not a sensible amount of money
├── NotWhole             a payment that does not come out in whole minor units
└── NotAnOutcome         text that names no outcome of a hand
"""

from collections.abc import Iterable
from difflib import get_close_matches


class GameError(ValueError):
    """A request the rules cannot answer; the message states what to correct."""


class UnknownRulebook(GameError):
    """No such rulebook id."""


class UnknownWager(GameError):
    """The book has no playing area for that wager."""


class NotEnoughCards(GameError):
    """The cards end before the round does."""


class DecksNotAllowed(GameError):
    """More or fewer decks than the document permits."""


class BadAmount(GameError):
    """A wager or limit that is not a sensible amount of money."""


class NotWhole(GameError):
    """A payment that does not come out in whole minor units under the `exact` rule."""


class NotAnOutcome(GameError):
    """Text that names no outcome of a hand."""


def nearest(given: str, known: Iterable[str]) -> str:
    """The end of an "unknown name" message: the likeliest name, or all of them."""
    names = list(known)
    close = get_close_matches(given, names, n=1)
    return f"did you mean {close[0]!r}?" if close else "there are: " + ", ".join(names)

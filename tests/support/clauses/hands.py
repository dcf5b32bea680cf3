"""Short ways to put a hand in front of a rulebook, for tests."""

from controller.game.hands import DealtRound
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, Settlement, settle
from controller.rulebooks import rulebook
from drivers.cards import Card


def cards(text: str) -> list[Card]:
    """`cards("9H 2C KD 3S")`, in drawn order."""
    return [Card.parse(word) for word in text.split()]


def deal(book_id: str, text: str) -> DealtRound:
    return rulebook(book_id).play.deal(cards(text))


def settle_one(book_id: str, text: str, wager: str, amount: int = 2000) -> Settlement:
    """One wager on a hand. 2000 divides by every pay table there is."""
    bet = Bet("a", wager, amount)
    return settle(rulebook(book_id), deal(book_id, text), [bet], Rounding.EXACT)[0]


def result(book_id: str, text: str, wager: str) -> tuple[str, str]:
    """Win, lose or push, and the odds."""
    settled = settle_one(book_id, text, wager)
    return settled.result.value, str(settled.odds)

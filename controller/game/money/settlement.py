"""Settles wagers: what each is paid and gets back.

A settlement describes one stake, without its owner: settlements are in the order of the bets.
`pays` is the win, `returned` the part of the stake given back, both in whole minor units. The house
keeps the stake less `returned` of a lost stake.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.game.errors import BadAmount, NotWhole
from controller.game.hands import DealtRound
from controller.game.money.rounding import Rounding
from controller.game.rulebook import Rulebook
from controller.game.wagers import WagerResult, WagerVerdict

MAX_AMOUNT: Final = 10**18
"""Maximum plausible amount: a larger one is a broken line, not a wager."""


class Bet(Struct, frozen=True, gc=False):
    """A stake on one wager. `player`, `box` and `seated` matter to the limits only."""

    id: str | int
    wager: str
    amount: int
    player: str | None = None
    box: str | int | None = None
    seated: bool = True

    def __post_init__(self) -> None:
        if self.amount < 1:
            raise BadAmount(
                f"wager {self.id}: the amount is {self.amount}; it must be at least 1 minor unit"
            )
        if self.amount > MAX_AMOUNT:
            raise BadAmount(f"wager {self.id}: nobody stakes more than {MAX_AMOUNT} minor units")


class Settlement(Struct, frozen=True, gc=False):
    """The result for one stake. `clause` is set where a limit or a void changed the settlement."""

    result: WagerResult
    odds: Fraction
    pays: int
    returned: int
    clause: str | None = None


_NOTHING: Final = Fraction(0)
LOST: Final = Settlement(WagerResult.LOSE, _NOTHING, 0, 0)
"""The settlement of a stake lost whole, shared by all such bets."""


def settle(
    book: Rulebook, dealt: DealtRound, bets: Sequence[Bet], rounding: Rounding = Rounding.EXACT
) -> list[Settlement]:
    """Settle every bet in full, ignoring limits (`limits.settle_within` applies those)."""
    verdicts = book.judge.round(dealt)
    lost = LOST
    settled = []
    try:
        for bet in bets:
            verdict = verdicts[bet.wager]
            if verdict is None:
                settled.append(lost)
                continue
            # A push is a win at odds of nothing.
            amount = bet.amount
            pays = amount * verdict.numerator
            if verdict.denominator != 1:
                pays, rest = divmod(pays, verdict.denominator)
                if rest:
                    pays = payment(verdict, bet, Fraction(amount), rounding)
            settled.append(Settlement(verdict.result, verdict.odds, pays, amount))
    except KeyError:
        book.wager(bet.wager)  # raises UnknownWager with the nearest name
        raise
    return settled


def payment(verdict: WagerVerdict, bet: Bet, counts: Fraction, rounding: Rounding) -> int:
    """The payment of a winning bet on the stake it counts for."""
    what = f"wager {bet.id} ({bet.wager} at {verdict.odds})"
    return to_minor_units(counts * verdict.odds, what, rounding)


def to_minor_units(exact: Fraction, what: str, rounding: Rounding) -> int:
    """Round by the table's rule; an error names the payment that would not come out whole."""
    try:
        return rounding.apply(exact)
    except NotWhole as error:
        raise NotWhole(f"{what}: {error}") from None


def returned_whole(bet: Bet, clause: str | None) -> Settlement:
    """Return a stake as if it had never been placed."""
    return Settlement(WagerResult.PUSH, _NOTHING, 0, bet.amount, clause)

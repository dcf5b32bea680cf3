"""Money is whole minor units (cents): worked out exactly, then rounded by a named rule."""

from enum import Enum
from fractions import Fraction
from math import floor, lcm

from controller.game.errors import BadAmount, NotWhole
from controller.game.rulebook import Rulebook
from controller.game.wagers import Pays, Wager


class Rounding(Enum):
    """How a payment is rounded to whole minor units."""

    EXACT = "exact"
    """Never: a fractional payment is an error."""
    DOWN = "down"
    HALF_UP = "half_up"

    def apply(self, exact: Fraction) -> int:
        """Round to whole minor units; raises `NotWhole` under `exact` if there is a remainder."""
        if exact.denominator == 1:
            return exact.numerator
        if self is Rounding.DOWN:
            return floor(exact)
        if self is Rounding.HALF_UP:
            return floor(exact + Fraction(1, 2))
        raise NotWhole(
            f"{exact} minor units do not come out whole; choose a rounding rule (down, half_up)"
            " or a wager that divides"
        )


def not_payable(wager: Wager, amount: int) -> Pays | None:
    """The first of its odds at which a wager of this amount does not come out whole; None: all do.

    Checked before the wager is taken where payments are exact: one wager that cannot be paid would
    delay everyone's settlement.
    """
    if amount % wager.payable_in == 0:
        return None
    return next((each for each in wager.pays if amount % each.odds.denominator), None)


def check_chip_unit(book: Rulebook, chip_unit: int, rounding: Rounding) -> None:
    """At start-up: under `exact`, every payment on whole chips must come out whole."""
    if chip_unit < 1:
        raise BadAmount(f"a chip unit of {chip_unit} minor units is not an amount of money")
    if rounding is not Rounding.EXACT:
        return
    odds = [level.odds for wager in book.wagers for level in wager.pays]
    if all((chip_unit * each).denominator == 1 for each in odds):
        return
    smallest = lcm(*(each.denominator for each in odds))
    worst = max(odds, key=lambda each: each.denominator)
    raise NotWhole(
        f"a chip unit of {chip_unit} minor units cannot express odds of {worst} ({book.id}):"
        f" use a chip unit that is a multiple of {smallest}, or name a rounding rule"
    )

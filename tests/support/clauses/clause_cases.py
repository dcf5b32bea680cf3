"""Cases for tests of clauses: books by short names, what a case proves, settled and found."""

from collections.abc import Sequence
from typing import TypeAlias

import pytest

from controller.game.money.limits import TableLimits, before_closing, settle_within
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, Settlement
from controller.rulebooks import rulebook
from support.clauses.hands import deal

MBS = "mbs-baccarat-8"
RWS = "rws-commission-baccarat-4"
DT = "mbs-dragon-tiger-baccarat"
SANDS = "mbs-sands-super-baccarat"
TOURNAMENT = "mbs-baccarat-tournament-5"

Money: TypeAlias = tuple[str, int, int, str | None]


def case(
    book_id: str, *values: object, proves: str, shows: str | None = None
) -> pytest.ParameterSet:
    """A parameter whose first value is the book; `proves` holds clause numbers, spaced."""
    given = {} if shows is None else {"shows": shows}
    marks = [pytest.mark.clause(book_id, number, **given) for number in proves.split()]
    return pytest.param(book_id, *values, marks=marks)


def ending(player: int, banker: int) -> str:
    """A round that ends on these totals: both hands begin with nothing and take a third card."""
    worth = "TA23456789"
    return f"KH KC QD QS {worth[player]}H {worth[banker]}C"


def money(settled: Settlement) -> Money:
    """Result, pays, returned, and the clause where a limit or a void had a say."""
    return settled.result.value, settled.pays, settled.returned, settled.clause


def found(
    book_id: str, bets: Sequence[Bet], limits: TableLimits
) -> list[tuple[str, list[str | int], int | None]]:
    """What is to be put right before "No more bets": the clause, whose wagers, by how much."""
    findings = before_closing(rulebook(book_id), bets, limits)
    return [(one.rule.clause, [bet.id for bet in one.bets], one.amount) for one in findings]


def settled(
    book_id: str,
    hand: str,
    bets: Sequence[Bet],
    limits: TableLimits,
    rounding: Rounding = Rounding.EXACT,
    under_minimum_before: frozenset[str] = frozenset(),
) -> list[Money]:
    """The money of bets that may lie outside the limits."""
    dealt = deal(book_id, hand)
    each = settle_within(rulebook(book_id), dealt, bets, limits, rounding, under_minimum_before)
    return [money(one) for one in each]

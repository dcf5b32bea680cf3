"""Cases for tests of clauses: short names of the books, parameters that name what they prove."""

import pytest
from _pytest.mark import ParameterSet

from controller.game.settlement import Settlement

MBS = "mbs-baccarat-8"
RWS = "rws-commission-baccarat-4"
DT = "mbs-dragon-tiger-baccarat"
SANDS = "mbs-sands-super-baccarat"
TOURNAMENT = "mbs-baccarat-tournament-5"


def case(book_id: str, *values: object, proves: str) -> ParameterSet:
    """A parameter whose first value is the book; `proves` holds clause numbers, spaced."""
    marks = [pytest.mark.clause(book_id, number) for number in proves.split()]
    return pytest.param(book_id, *values, marks=marks)


def ending(player: int, banker: int) -> str:
    """A round that ends on these totals: both hands begin with nothing and take a third card."""
    worth = "TA23456789"
    return f"KH KC QD QS {worth[player]}H {worth[banker]}C"


def money(settled: Settlement) -> tuple[str, int, int, str | None]:
    """Result, pays, returned, and the clause where a limit or a void had a say."""
    return settled.result.value, settled.pays, settled.returned, settled.clause

"""A void round gives every wager back, whole, by the clause of the book that says so."""

import pytest

from controller.round import round_end
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.table.state import (
    DayStage,
    DealingStage,
    GamingDay,
    PlacedWager,
    PlayHistory,
    Round,
    Table,
)
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT
from support.rows import each_row

WAGERS = (
    PlacedWager("a", "ann", 1, "player", 1_999),
    PlacedWager("b", "bob", 2, "banker", 90_000, seated=False),
    PlacedWager("c", "cem", 3, "tie", 1),
)


def voided(book_id: str, clause: str) -> list[tuple[str, int, int, str | None]]:
    rules = Rules(rulebook(book_id), HouseRules(book_id))
    playing = Round(1, rules.default_method(), face_down=False, stage=DealingStage(), wagers=WAGERS)
    after = round_end.void_round(
        Table(day=GamingDay(DayStage.OPEN), history=PlayHistory(1), round=playing), clause, rules
    ).round
    assert after is not None
    assert after.over
    return [(paid.result, paid.pays, paid.returned, paid.clause) for paid in after.paid]


@pytest.mark.clause(RWS, "5.15")
def test_void_returns_every_bet_of_the_round() -> None:
    assert voided(RWS, "5.5.1") == [("push", 0, wager.amount, "5.15") for wager in WAGERS]


@each_row("book_id", [MBS, DT, SANDS, TOURNAMENT])
def test_void_returns_every_wager_also_where_no_clause_says_so(book_id: str) -> None:
    assert voided(book_id, "5.1") == [("push", 0, wager.amount, "5.1") for wager in WAGERS]

"""Where a document says nothing of limits or of a void, nothing is adjusted and no clause named."""

import pytest

from controller.game.money.limits import Range, TableLimits
from controller.game.money.settlement import Bet
from support.clauses.clause_cases import RWS, SANDS, TOURNAMENT, found, settled
from support.clauses.named_hands import BANKER_NINE, PLAYER_NINE

TIGHT = TableLimits(Range(minimum=1_000, maximum=2_000), differential=100)
# Four on one area, under the minimum, over the maximum, and far apart.
BETS = [Bet(amount, "player", amount, box=1) for amount in (400, 1_000, 3_000, 9_000)]

each_silent_book = pytest.mark.parametrize("book_id", [SANDS, TOURNAMENT])


@each_silent_book
def test_silent_book_finds_nothing_before_closing(book_id: str) -> None:
    assert found(book_id, BETS, TIGHT) == []


@each_silent_book
def test_silent_book_settles_every_wager_as_it_lies(book_id: str) -> None:
    won = settled(book_id, PLAYER_NINE, BETS, TIGHT)
    lost = settled(book_id, BANKER_NINE, BETS, TIGHT)
    assert won == [("win", bet.amount, bet.amount, None) for bet in BETS]
    assert lost == [("lose", 0, 0, None) for _ in BETS]


def test_rws_settles_a_bet_over_the_maximum_as_it_lies() -> None:
    """Its maximum binds the player (3.5); after closing only the differential has a remedy."""
    limits = TableLimits(Range(maximum=2_000))
    bets = [Bet("a", "player", 3_000)]
    assert settled(RWS, PLAYER_NINE, bets, limits) == [("win", 3_000, 3_000, None)]

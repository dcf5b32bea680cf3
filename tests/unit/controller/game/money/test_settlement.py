"""Settling bets as they lie: who gets what, that money is conserved, what is refused."""

import pytest

from controller.game.errors import BadAmount, NotWhole
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, settle
from controller.rulebooks import RULEBOOKS, rulebook
from support.clauses.clause_cases import MBS, ending, money
from support.clauses.hands import deal, settle_one
from support.clauses.named_hands import BANKER_NINE, PLAYER_NINE, TIE_ON_NINE
from support.rows import each_row

HANDS = [PLAYER_NINE, BANKER_NINE, TIE_ON_NINE, "4D 4H 4D 4C", ending(7, 6), ending(5, 6)]


def test_settlements_stand_in_the_order_of_the_bets() -> None:
    bets = [Bet(1, "banker", 2_000), Bet(2, "player", 700), Bet(3, "banker", 2_000)]
    settled = settle(rulebook(MBS), deal(MBS, PLAYER_NINE), bets)
    assert [one.result.value for one in settled] == ["lose", "win", "lose"]


def test_no_bets_give_no_settlements() -> None:
    assert settle(rulebook(MBS), deal(MBS, PLAYER_NINE), []) == []


def test_same_wager_laid_twice_is_settled_twice() -> None:
    bet = Bet("a", "player", 700)
    settled = settle(rulebook(MBS), deal(MBS, PLAYER_NINE), [bet, bet])
    assert [money(one) for one in settled] == 2 * [("win", 700, 700, None)]


# -- Money is conserved ----------------------------------------------------------------------------


@each_row(
    "hand, house_keeps",
    [
        pytest.param(PLAYER_NINE, 2_000, id="a lost stake"),
        pytest.param(BANKER_NINE, -1_900, id="what is won"),
        pytest.param(TIE_ON_NINE, 0, id="nothing of a push"),
    ],
)
def test_house_keeps_what_the_bettor_does_not_get(hand: str, house_keeps: int) -> None:
    settled = settle_one(MBS, hand, "banker", 2_000)
    assert 2_000 - settled.returned - settled.pays == house_keeps


@each_row("book_id", RULEBOOKS)
@each_row("hand", HANDS)
def test_what_wins_is_paid_by_its_odds_and_what_does_not_lose_comes_back(
    book_id: str, hand: str
) -> None:
    book = rulebook(book_id)
    bets = [Bet(wager.id, wager.id, 2_000) for wager in book.wagers]
    settled = settle(book, deal(book_id, hand), bets)
    for one in settled:
        assert one.pays == (2_000 * one.odds if one.result.value == "win" else 0)
        assert one.returned == (0 if one.result.value == "lose" else 2_000)


# -- Amounts ---------------------------------------------------------------------------------------


@each_row("amount", [0, -1, -2_000])
def test_amount_under_one_minor_unit_is_refused_by_name(amount: int) -> None:
    with pytest.raises(BadAmount, match=rf"wager 17: the amount is {amount}; it must be at least"):
        Bet(17, "player", amount)


def test_one_minor_unit_is_a_wager() -> None:
    assert money(settle_one(MBS, PLAYER_NINE, "player", 1)) == ("win", 1, 1, None)


def test_odd_amount_less_commission_is_not_whole_under_exact() -> None:
    with pytest.raises(NotWhole, match=r"wager a \(banker at 19/20\): 38019/20 minor units"):
        settle_one(MBS, BANKER_NINE, "banker", 2_001)


@pytest.mark.parametrize(("rounding", "pays"), [(Rounding.DOWN, 1_900), (Rounding.HALF_UP, 1_901)])
def test_odd_amount_less_commission_is_rounded_by_the_rule(rounding: Rounding, pays: int) -> None:
    bets = [Bet("a", "banker", 2_001)]
    (settled,) = settle(rulebook(MBS), deal(MBS, BANKER_NINE), bets, rounding)
    assert money(settled) == ("win", pays, 2_001, None)


def test_odd_amount_that_loses_or_is_returned_needs_no_rule() -> None:
    assert money(settle_one(MBS, PLAYER_NINE, "banker", 2_001)) == ("lose", 0, 0, None)
    assert money(settle_one(MBS, TIE_ON_NINE, "banker", 2_001)) == ("push", 0, 2_001, None)

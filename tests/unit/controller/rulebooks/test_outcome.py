"""Which hand wins, and what a tie does to the wagers on Player, Banker and Tie."""

from itertools import permutations, product

from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, ending
from support.clauses.hands import deal, result, settle_one

UNEQUAL_TOTALS = list(permutations(range(10), 2))

on_the_winner = by_book({MBS: "3.15", RWS: "3.13", DT: "3.15", SANDS: "3.10", TOURNAMENT: "3.10"})
on_a_tie = by_book({MBS: "3.15.1", RWS: "3.14", DT: "3.15.1", SANDS: "3.11", TOURNAMENT: "3.10.1"})


@on_the_winner
def test_hand_with_the_higher_point_total_wins_the_round(book_id: str) -> None:
    for player, banker in UNEQUAL_TOTALS:
        winner = "player" if player > banker else "banker"
        dealt = deal(book_id, ending(player, banker))
        assert dealt.outcome.value == winner, (player, banker)


@on_the_winner
def test_wager_on_the_winning_hand_wins_and_on_the_other_loses(book_id: str) -> None:
    for player, banker in UNEQUAL_TOTALS:
        winner, loser = ("player", "banker") if player > banker else ("banker", "player")
        text = ending(player, banker)
        assert result(book_id, text, winner)[0] == "win", (player, banker)
        assert result(book_id, text, loser)[0] == "lose", (player, banker)


@on_a_tie
def test_equal_point_totals_are_a_tie(book_id: str) -> None:
    for total in range(10):
        assert deal(book_id, ending(total, total)).outcome.value == "tie", total


@on_a_tie
def test_tie_gives_wagers_on_player_and_banker_back(book_id: str) -> None:
    for total, wager in product(range(10), ("player", "banker")):
        settled = settle_one(book_id, ending(total, total), wager, amount=2000)
        given = (settled.result.value, settled.pays, settled.returned)
        assert given == ("push", 0, 2000), (total, wager)


# RWS 3.14 is silent on the wager itself; 1.19 says what it is a bet on.
@by_book({MBS: "3.15.1", RWS: "1.19", DT: "3.15.1", SANDS: "3.11", TOURNAMENT: "3.10.1"})
def test_tie_wager_wins_on_every_tied_total(book_id: str) -> None:
    for total in range(10):
        assert result(book_id, ending(total, total), "tie")[0] == "win", total

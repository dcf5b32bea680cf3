"""Settling with what a book has prepared and kept, against its rows asked anew for every bet."""

import random
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from controller.game.conditions import Evidence
from controller.game.errors import NotWhole
from controller.game.hands import SCORES, DealtRound, FirstTwo, Score, Side
from controller.game.money.limits import Range, TableLimits, settle_within
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, Settlement, settle
from controller.game.rulebook import Rulebook
from controller.game.table_of_play import TableOfPlay
from controller.game.wagers import WagerResult
from controller.rulebooks import RULEBOOKS, rulebook
from drivers.cards import DECK, Card
from support.rows import each_row

ROUNDS = 1500
MOST_ROUNDS_KEPT = 4000
NOTHING = Fraction(0)

each_book = each_row("book_id", RULEBOOKS)


def dealt_by_the_rows(play: TableOfPlay, cards: Sequence[Card]) -> tuple[list[Card], list[Card]]:
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    totals, third, rest = (play.total(player), play.total(banker)), None, iter(cards[4:])
    if play.player_takes_third(*totals):
        player.append(next(rest))
        third = play.points[player[2].number]
    if play.banker_takes_third(*totals, third):
        banker.append(next(rest))
    return player, banker


def settled_by_the_rows(
    book: Rulebook, cards: Sequence[Card], bet: Bet, rounding: Rounding
) -> Settlement:
    player, banker = dealt_by_the_rows(book.play, cards)
    by_totals = SCORES[len(player), len(banker)]
    evidence: dict[Evidence, Score | FirstTwo] = {
        Evidence.SCORE: by_totals[book.play.total(player)][book.play.total(banker)],
        Evidence.PLAYER_FIRST_TWO: (player[0], player[1]),
        Evidence.BANKER_FIRST_TWO: (banker[0], banker[1]),
    }
    wager = book.wager(bet.wager)
    verdict = wager.judge(evidence[wager.evidence])
    if verdict.result is WagerResult.LOSE:
        return Settlement(WagerResult.LOSE, NOTHING, 0, 0)
    if verdict.result is WagerResult.PUSH:
        return Settlement(WagerResult.PUSH, NOTHING, 0, bet.amount)
    pays = rounding.apply(Fraction(bet.amount) * verdict.odds)
    return Settlement(WagerResult.WIN, verdict.odds, pays, bet.amount)


def random_rounds(book: Rulebook) -> list[tuple[DealtRound, tuple[Card, ...], list[Bet]]]:
    """Rounds of any six cards, each with a bet of any stake on every wager, in any order."""
    rng = random.Random(book.id)
    found = []
    for _ in range(ROUNDS):
        cards = tuple(rng.choices(DECK, k=6))
        wagers = rng.sample(book.wagers, len(book.wagers))
        stakes = [rng.choice([1, 7, 2_001, rng.randint(1, 10**12)]) for _ in wagers]
        bets = [Bet(i, w.id, s) for i, (w, s) in enumerate(zip(wagers, stakes, strict=True))]
        found.append((book.play.deal(cards), cards, bets))
    return found


@each_book
@pytest.mark.parametrize("rounding", [Rounding.DOWN, Rounding.HALF_UP])
def test_any_stake_on_any_wager_gets_what_its_rows_say(book_id: str, rounding: Rounding) -> None:
    book = rulebook(book_id)
    for dealt, cards, bets in random_rounds(book):
        want = [settled_by_the_rows(book, cards, bet, rounding) for bet in bets]
        assert settle(book, dealt, bets, rounding) == want, cards
        assert settle_within(book, dealt, bets, TableLimits(), rounding) == want, cards


@each_book
def test_bets_within_the_limits_and_outside_them_keep_their_order(book_id: str) -> None:
    book, limits = rulebook(book_id), TableLimits(Range(100, 10**6))
    for dealt, cards, bets in random_rounds(book)[:200]:
        alone = [settle_within(book, dealt, [bet], limits, Rounding.DOWN)[0] for bet in bets]
        assert settle_within(book, dealt, bets, limits, Rounding.DOWN) == alone, cards


@each_book
def test_what_does_not_come_out_whole_is_refused_and_the_rest_is_settled(book_id: str) -> None:
    book = rulebook(book_id)
    for dealt, cards, bets in random_rounds(book):
        whole, want = [], []
        for bet in bets:
            try:
                want.append(settled_by_the_rows(book, cards, bet, Rounding.EXACT))
                whole.append(bet)
            except NotWhole as error:
                sentence = rf"^wager {bet.id} \({bet.wager} at .*{re.escape(str(error))}$"
                with pytest.raises(NotWhole, match=sentence):
                    settle(book, dealt, [*whole, bet], Rounding.EXACT)
        assert settle(book, dealt, whole, Rounding.EXACT) == want, cards


@each_book
def test_round_is_dealt_as_its_rows_say(book_id: str) -> None:
    book = rulebook(book_id)
    shoe = random.Random(book_id).sample(list(DECK) * 8, 416)
    place = 0
    for dealt in book.play.rounds(shoe):
        player, banker = dealt_by_the_rows(book.play, shoe[place : place + 6])
        assert (list(dealt.player), list(dealt.banker)) == (player, banker)
        assert (dealt.player_total, dealt.banker_total) == (
            book.play.total(player),
            book.play.total(banker),
        )
        place += dealt.used


@each_book
def test_what_a_book_keeps_of_its_rounds_stays_small(book_id: str) -> None:
    """However long a table runs: evidence that leads to the same verdicts shares one answer."""
    judge = rulebook(book_id).judge
    scores = [score for table in SCORES.values() for row in table for score in row]
    kept = len({id(judge.score(score)) for score in scores})
    for side in Side:
        kept *= len({id(judge.first_two(side, (a, b))) for a, b in product(DECK, repeat=2)})
    assert kept <= MOST_ROUNDS_KEPT

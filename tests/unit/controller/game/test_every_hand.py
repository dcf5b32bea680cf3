"""Every hand there is, dealt and settled by the product and by the documents read a second time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import cycle, islice, product
from operator import attrgetter
from random import Random

import pytest

from controller.game.hands import DealtRound
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, Settlement, settle
from controller.rulebooks import rulebook
from drivers.cards import Card
from support.clauses.from_the_documents import (
    BOOKS,
    DECK,
    DOCUMENTS,
    TEN_IS_NOTHING,
    Dealt,
    Ending,
    Hand,
    Settled,
    deal,
    every_round,
    first_two_wagers,
    judge_first_two,
    judge_result,
    result_wagers,
    settled,
)

# 2000 is whole under every pay table, so no rounding rule has a say here.
AMOUNT = 2000

CARDS = {code: Card.parse(code) for code in DECK}
what_was_dealt = attrgetter(
    "player", "banker", "player_total", "banker_total", "outcome.value", "used"
)
what_was_settled = attrgetter("result.value", "odds", "pays", "returned")

# Orderings of six cards out of eight decks, as published for this game.
ALL_ORDERINGS = 4_998_398_275_503_360
ORDERINGS = {
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
}

FIVE_WITH_PAIRS = ("player", "banker", "tie", "player_pair", "banker_pair")
WAGERS = {
    "mbs-baccarat-8": FIVE_WITH_PAIRS,
    "rws-commission-baccarat-4": FIVE_WITH_PAIRS,
    "mbs-dragon-tiger-baccarat": (
        *("player", "banker", "tie", "dragon_tiger"),
        *("big_dragon", "small_dragon", "big_tiger", "small_tiger"),
    ),
    "mbs-sands-super-baccarat": (
        *("player", "banker", "tie", "sands_six"),
        *("player_red", "player_black", "banker_red", "banker_black"),
        *("player_precious_pair", "banker_precious_pair"),
        *(f"player_wins_on_{n}" for n in range(1, 10)),
        *(f"banker_wins_on_{n}" for n in range(1, 10)),
        *(f"tie_wins_on_{n}" for n in range(10)),
    ),
    "mbs-baccarat-tournament-5": FIVE_WITH_PAIRS,
}

each_book = pytest.mark.parametrize("book_id", BOOKS)


# -- The reference is right ------------------------------------------------------------------------


def orderings(cards: Sequence[str]) -> int:
    """How many orderings of six out of eight decks begin with cards of these point values."""
    left = {**dict.fromkeys(range(1, 10), 32), 0: 128}
    ways = 1
    for card in cards:
        points = TEN_IS_NOTHING[card[0]]
        ways *= left[points]
        left[points] -= 1
    for gone in range(len(cards), 6):
        ways *= 416 - gone
    return ways


def test_reference_has_one_table_of_play_in_five_documents() -> None:
    # RULINGS.md says so in section 3, and it lets the count below stand for all five.
    tables = [replace(DOCUMENTS[book_id].table, points=TEN_IS_NOTHING) for book_id in BOOKS]
    assert all(table == tables[0] for table in tables)


def test_reference_deals_every_card_in_every_place() -> None:
    # Without this the suits, which go round, could quietly fall in step with the point values.
    seen = {(place, card) for cards in every_round(BOOKS[0]) for place, card in enumerate(cards)}
    assert seen == set(product(range(6), DECK))


# -- What is on offer ------------------------------------------------------------------------------


@each_book
def test_book_offers_exactly_the_wagers_of_its_document(book_id: str) -> None:
    offered = sorted(wager.id for wager in rulebook(book_id).wagers)
    assert offered == sorted(WAGERS[book_id])
    assert offered == sorted(all_wagers(book_id)), "the reference must judge every wager on offer"


def test_books_offer_5_5_8_38_and_5_wagers() -> None:
    assert [len(list(rulebook(book_id).wagers)) for book_id in BOOKS] == [5, 5, 8, 38, 5]


# -- Every hand ------------------------------------------------------------------------------------


def all_wagers(book_id: str) -> list[str]:
    return [
        *result_wagers(book_id),
        *first_two_wagers(book_id, "player"),
        *first_two_wagers(book_id, "banker"),
    ]


def bets_on(wagers: Sequence[str]) -> list[Bet]:
    return [Bet(id=wager, wager=wager, amount=AMOUNT) for wager in wagers]


def as_cards(codes: Sequence[str]) -> tuple[Card, ...]:
    return tuple([CARDS[code] for code in codes])


def expected_round(dealt: Dealt) -> tuple[object, ...]:
    used = len(dealt.player) + len(dealt.banker)
    hands = (as_cards(dealt.player), as_cards(dealt.banker))
    return (*hands, dealt.end.player, dealt.end.banker, dealt.outcome, used)


@cache
def expected_by_result(book_id: str, end: Ending) -> list[Settled]:
    return [settled(judge_result(book_id, w, end), AMOUNT) for w in result_wagers(book_id)]


@cache
def expected_by_first_two(book_id: str, hand: Hand, first: str, second: str) -> list[Settled]:
    wagers = first_two_wagers(book_id, hand)
    return [settled(judge_first_two(book_id, w, first, second), AMOUNT) for w in wagers]


def differing(bets: list[Bet], got: Sequence[object], want: list[Settled]) -> list[object]:
    """Only the wagers that differ: 38 of them in a failure would hide the one that matters."""
    rows = zip([bet.wager for bet in bets], got, want, strict=True)
    return [row for row in rows if row[1] != row[2]]


class Tried:
    """A book at work on every hand. What it settled is compared with the document once for each
    way a round can end; whatever ends the same way must then be settled as that was."""

    def __init__(self, book_id: str) -> None:
        self.id, self.book = book_id, rulebook(book_id)
        self._bets = bets_on(result_wagers(book_id))
        self._right: dict[Ending, list[Settlement]] = {}

    def settles(self, round_: DealtRound, dealt: Dealt) -> None:
        got = settle(self.book, round_, self._bets, Rounding.EXACT)
        if got == self._right.get(dealt.end):
            return
        want = expected_by_result(self.id, dealt.end)
        told = [what_was_settled(one) for one in got]
        assert told == want, (self.id, round_, differing(self._bets, told, want))
        assert dealt.end not in self._right, "equal in all that was compared, and yet another"
        self._right[dealt.end] = got


def same_tables() -> list[list[str]]:
    """Books whose documents have one table of play: the reference deals for all of them at once.
    In the one a ten counts nothing, in the other ten."""
    tables = {book_id: DOCUMENTS[book_id].table for book_id in BOOKS}
    groups = [[each for each in BOOKS if tables[each] == tables[one]] for one in BOOKS]
    return [group for place, group in enumerate(groups) if group not in groups[:place]]


in_groups = pytest.mark.parametrize("book_ids", same_tables(), ids=" ".join)


@in_groups
def test_hands_are_dealt_and_settled_as_the_document_says(book_ids: list[str]) -> None:
    """Every 11th hand, by each book of those that deal alike in turn; all in the second tier."""
    hands = islice(every_round(book_ids[0]), 0, None, 11)
    deal_hands(hands, book_ids[0], cycle([Tried(book_id)] for book_id in book_ids))


@pytest.mark.second_tier
@in_groups
def test_every_book_deals_and_settles_every_hand(book_ids: list[str]) -> None:
    """And the reference, which deals them all, comes to the orderings that are known."""
    turns = cycle([[Tried(book_id) for book_id in book_ids]])
    counted = deal_hands(every_round(book_ids[0]), book_ids[0], turns)
    assert counted == ORDERINGS
    assert sum(counted.values()) == ALL_ORDERINGS


def deal_hands(
    hands: Iterable[tuple[str, ...]], book_id: str, turns: Iterator[list[Tried]]
) -> dict[str, int]:
    """Deal each hand by the books whose turn it is; return the orderings of each outcome."""
    counted = dict.fromkeys(ORDERINGS, 0)
    # Every second round is dealt from a shoe that holds more: what is not due must stay there. By
    # fives, so that no book has its turn always with the same.
    none, more = (), ("9H", "6S", "7D")
    more_in_shoe = cycle([none, more, none, more, more])
    for codes in hands:
        dealt = deal(book_id, codes)
        counted[dealt.outcome] += orderings(codes)
        want = expected_round(dealt)
        cards = as_cards(codes + next(more_in_shoe))
        for each in next(turns):
            round_ = each.book.play.deal(cards)
            assert what_was_dealt(round_) == want, (each.id, codes)
            each.settles(round_, dealt)
    return counted


@each_book
def test_every_two_first_cards_of_either_hand_settle_every_wager(book_id: str) -> None:
    book = rulebook(book_id)
    bets = bets_on(all_wagers(book_id))
    for codes in every_two_first_cards(Random(book_id)):
        dealt = deal(book_id, codes)
        want = [
            *expected_by_result(book_id, dealt.end),
            *expected_by_first_two(book_id, "player", *dealt.player[:2]),
            *expected_by_first_two(book_id, "banker", *dealt.banker[:2]),
        ]
        round_ = book.play.deal(as_cards(codes))
        got = [what_was_settled(one) for one in settle(book, round_, bets, Rounding.EXACT)]
        assert got == want, (codes, differing(bets, got, want))


def every_two_first_cards(random: Random) -> list[tuple[str, ...]]:
    """All 52 x 52 of them for the Player, and all of them in another order for the Banker."""
    pairs = list(product(DECK, repeat=2))
    shuffled = random.sample(pairs, len(pairs))
    return [
        (p1, b1, p2, b2, *random.choices(DECK, k=2))
        for (p1, p2), (b1, b2) in zip(pairs, shuffled, strict=True)
    ]


@each_book
def test_odds_are_exact_and_money_is_whole(book_id: str) -> None:
    # A pay of 1900.0 equals 1900, so the comparisons above would let a float pass.
    book = rulebook(book_id)
    # Player 7 against 6 in two cards, against a natural 9, and against 6 in three cards.
    for banker_first in ("6S", "9D", "2C"):
        round_ = book.play.deal(as_cards(("TS", banker_first, "7H", "KD", "4C")))
        for one in settle(book, round_, bets_on(WAGERS[book_id]), Rounding.EXACT):
            kinds = (type(one.odds), type(one.pays), type(one.returned))
            assert kinds == (Fraction, int, int)

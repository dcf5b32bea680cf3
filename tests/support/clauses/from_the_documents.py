"""The five rule documents read a second time, for the tests alone.

Nothing here comes from the product, so that a mistake there is not repeated here. A card is its
two characters, rank and suit ("TD"), and a book is its id. Every number was copied from the clause
named next to it. The five tables of play say the same thing; they are written out five times all
the same, because each was copied from its own document and a product may get one of them wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import cycle, product
from typing import Literal, NamedTuple

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)

Hand = Literal["player", "banker"]
Odds = int | Fraction
NOTHING: Odds = 0


# -- Cards and the table of play -------------------------------------------------------------------


# MBS and DT 3.3, Sands Super and Tournament 3.3.
TEN_IS_NOTHING = {**{r: int(r) for r in "23456789"}, "A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}
# RWS 3.2: from 2 to 10 the face value. Only the last digit of a total is kept (1.14).
TEN_IS_TEN = {**TEN_IS_NOTHING, "T": 10}

NATURALS = (8, 9)


def digits(text: str) -> frozenset[int]:
    return frozenset(int(digit) for digit in text)


@dataclass(frozen=True)
class TableOfPlay:
    points: Mapping[str, int]
    player_draws: frozenset[int]
    # What the Banker draws on when the Player stood.
    banker_draws_alone: frozenset[int]
    # The Banker's total, and the Player's third cards on which it then draws.
    banker_draws: Mapping[int, frozenset[int]]

    def total(self, cards: Sequence[str]) -> int:
        return sum(self.points[card[0]] for card in cards) % 10

    def fifth_card_goes_to(self, player: int, banker: int) -> Hand | None:
        if player in NATURALS or banker in NATURALS:
            return None
        if player in self.player_draws:
            return "player"
        return "banker" if banker in self.banker_draws_alone else None

    def sixth_card_is_due(self, banker: int, players_third: int) -> bool:
        return players_third in self.banker_draws[banker]


# MBS Baccarat 3.14.
MBS_BACCARAT_TABLE = TableOfPlay(
    points=TEN_IS_NOTHING,
    player_draws=digits("012345"),
    banker_draws_alone=digits("012345"),
    banker_draws={
        0: digits("0123456789"),
        1: digits("0123456789"),
        2: digits("0123456789"),
        3: digits("012345679"),
        4: digits("234567"),
        5: digits("4567"),
        6: digits("67"),
        7: digits(""),
    },
)

# RWS 3.11 and 3.12.
RWS_TABLE = TableOfPlay(
    points=TEN_IS_TEN,
    player_draws=digits("012345"),
    banker_draws_alone=digits("012345"),
    banker_draws={
        3: digits("012345679"),
        4: digits("234567"),
        5: digits("4567"),
        6: digits("67"),
        7: digits(""),
        0: digits("0123456789"),
        1: digits("0123456789"),
        2: digits("0123456789"),
    },
)

# Dragon Tiger 3.14.
DRAGON_TIGER_TABLE = TableOfPlay(
    points=TEN_IS_NOTHING,
    player_draws=digits("012345"),
    banker_draws_alone=digits("012345"),
    banker_draws={
        0: digits("0123456789"),
        1: digits("0123456789"),
        2: digits("0123456789"),
        3: digits("0123456789") - digits("8"),
        4: digits("234567"),
        5: digits("4567"),
        6: digits("67"),
        7: digits(""),
    },
)

# Sands Super 3.9.
SANDS_SUPER_TABLE = TableOfPlay(
    points=TEN_IS_NOTHING,
    player_draws=digits("012345"),
    banker_draws_alone=digits("012345"),
    banker_draws={
        0: digits("0123456789"),
        1: digits("0123456789"),
        2: digits("0123456789"),
        3: digits("0123456789") - digits("8"),
        4: digits("234567"),
        5: digits("4567"),
        6: digits("67"),
        7: digits(""),
    },
)

# Tournament 3.9.2, 3.9.3 and 3.9.4 ("stands at all other times").
TOURNAMENT_TABLE = TableOfPlay(
    points=TEN_IS_NOTHING,
    player_draws=digits("012345"),
    banker_draws_alone=digits("012345"),
    banker_draws={
        0: digits("0123456789"),
        1: digits("0123456789"),
        2: digits("0123456789"),
        3: digits("0123456789") - digits("8"),
        4: digits("234567"),
        5: digits("4567"),
        6: digits("67"),
        7: digits(""),
    },
)


# -- What wins -------------------------------------------------------------------------------------


class Ending(NamedTuple):
    """All that the wagers on the result look at."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int


Condition = Callable[[Ending], bool]
TwoCards = Callable[[str, str], bool]


@dataclass(frozen=True)
class OnResult:
    wager: str
    wins: Condition
    pays: Odds


@dataclass(frozen=True)
class OnFirstTwo:
    wager: str
    hand: Hand
    wins: TwoCards
    pays: Odds


@dataclass(frozen=True)
class Document:
    """A wager stands in as many lines as its pay table has; the first that wins is the one paid."""

    table: TableOfPlay
    on_result: tuple[OnResult, ...]
    on_first_two: tuple[OnFirstTwo, ...]


def player_wins(end: Ending) -> bool:
    return end.player > end.banker


def banker_wins(end: Ending) -> bool:
    return end.banker > end.player


def tie(end: Ending) -> bool:
    return end.player == end.banker


def player_wins_on(total: int) -> Condition:
    return lambda end: player_wins(end) and end.player == total


def banker_wins_on(total: int) -> Condition:
    return lambda end: banker_wins(end) and end.banker == total


def tie_on(total: int) -> Condition:
    return lambda end: tie(end) and end.player == total


def pair(first: str, second: str) -> bool:
    """Of the same rank: MBS 1.1.6 by reading 1, RWS 1.13, Tournament 1.1.4, Sands 1.1.6."""
    return first[0] == second[0]


def both_hands(wager: str, wins: TwoCards, pays: Odds) -> tuple[OnFirstTwo, ...]:
    return (
        OnFirstTwo(f"player_{wager}", "player", wins, pays),
        OnFirstTwo(f"banker_{wager}", "banker", wins, pays),
    )


# -- MBS Baccarat 4.1 ------------------------------------------------------------------------------

MBS_BACCARAT = Document(
    table=MBS_BACCARAT_TABLE,
    on_result=(
        OnResult("banker", banker_wins, Fraction("0.95")),
        OnResult("player", player_wins, 1),
        OnResult("tie", tie, 8),
    ),
    on_first_two=both_hands("pair", pair, 11),
)

# -- RWS Commission Baccarat 4.1.2 -----------------------------------------------------------------

RWS_COMMISSION = Document(
    table=RWS_TABLE,
    on_result=(
        OnResult("banker", banker_wins, Fraction("0.95")),
        OnResult("player", player_wins, 1),
        OnResult("tie", tie, 8),
    ),
    on_first_two=both_hands("pair", pair, 11),
)

# -- Dragon Tiger 4.1, 4.2 and 4.3 -----------------------------------------------------------------


def seven_over_six(*card_counts: tuple[int, int]) -> Condition:
    def wins(end: Ending) -> bool:
        counts = (end.player_cards, end.banker_cards)
        return end.player == 7 and end.banker == 6 and counts in card_counts

    return wins


def dragon(cards: int) -> Condition:
    return lambda end: player_wins(end) and end.player == 7 and end.player_cards == cards


def tiger(cards: int) -> Condition:
    return lambda end: banker_wins(end) and end.banker == 6 and end.banker_cards == cards


DRAGON_TIGER = Document(
    table=DRAGON_TIGER_TABLE,
    on_result=(
        OnResult("player", player_wins, 1),
        OnResult("banker", banker_wins, Fraction("0.95")),
        OnResult("tie", tie, 8),
        OnResult("dragon_tiger", seven_over_six((3, 3)), 100),
        OnResult("dragon_tiger", seven_over_six((3, 2), (2, 3)), 40),
        OnResult("dragon_tiger", seven_over_six((2, 2)), 30),
        OnResult("big_dragon", dragon(3), 30),
        OnResult("small_dragon", dragon(2), 15),
        OnResult("big_tiger", tiger(3), 50),
        # 4.3 and not the 25 to 1 printed in Appendix K (reading 2).
        OnResult("small_tiger", tiger(2), 22),
    ),
    on_first_two=(),
)

# -- Sands Super 4.1 to 4.5 ------------------------------------------------------------------------

# 4.3, 4.4 and 4.5, by point total.
PLAYER_WINS_ON = {1: 150, 2: 80, 3: 50, 4: 50, 5: 30, 6: 11, 7: 8, 8: 6, 9: 5}
BANKER_WINS_ON = {1: 150, 2: 80, 3: 50, 4: 25, 5: 15, 6: 11, 7: 8, 8: 6, 9: 5}
TIE_WINS_ON = {0: 100, 1: 150, 2: 150, 3: 150, 4: 100, 5: 80, 6: 35, 7: 35, 8: 50, 9: 50}


def sands_six(end: Ending) -> bool:
    return player_wins_on(6)(end) or banker_wins_on(6)(end) or tie_on(6)(end)


def pair_of_diamond_fours(first: str, second: str) -> bool:
    return (first, second) == ("4D", "4D")


def pair_of_fours(first: str, second: str) -> bool:
    return first[0] == second[0] == "4"


def diamond_pair(first: str, second: str) -> bool:
    return pair(first, second) and first[1] == second[1] == "D"


def red(first: str, second: str) -> bool:
    return first[1] in "HD" and second[1] in "HD"


def black(first: str, second: str) -> bool:
    return first[1] in "CS" and second[1] in "CS"


SANDS_SUPER = Document(
    table=SANDS_SUPER_TABLE,
    on_result=(
        OnResult("banker", banker_wins_on(6), Fraction(1, 2)),
        OnResult("banker", banker_wins, 1),
        OnResult("player", player_wins, 1),
        OnResult("tie", tie, 8),
        OnResult("sands_six", sands_six, 6),
        *(OnResult(f"player_wins_on_{n}", player_wins_on(n), x) for n, x in PLAYER_WINS_ON.items()),
        *(OnResult(f"banker_wins_on_{n}", banker_wins_on(n), x) for n, x in BANKER_WINS_ON.items()),
        *(OnResult(f"tie_wins_on_{n}", tie_on(n), x) for n, x in TIE_WINS_ON.items()),
    ),
    # The lines of a precious pair stand from the highest down, for only the highest is paid (4.2).
    on_first_two=(
        *both_hands("black", black, 2),
        *both_hands("red", red, 2),
        *both_hands("precious_pair", pair_of_diamond_fours, 30),
        *both_hands("precious_pair", pair_of_fours, 15),
        *both_hands("precious_pair", diamond_pair, 12),
        *both_hands("precious_pair", pair, 9),
    ),
)

# -- Tournament 4.1 --------------------------------------------------------------------------------

TOURNAMENT = Document(
    table=TOURNAMENT_TABLE,
    on_result=(
        OnResult("banker", banker_wins, 1),
        OnResult("player", player_wins, 1),
        OnResult("tie", tie, 8),
    ),
    on_first_two=both_hands("pair", pair, 11),
)

DOCUMENTS = {
    "mbs-baccarat-8": MBS_BACCARAT,
    "rws-commission-baccarat-4": RWS_COMMISSION,
    "mbs-dragon-tiger-baccarat": DRAGON_TIGER,
    "mbs-sands-super-baccarat": SANDS_SUPER,
    "mbs-baccarat-tournament-5": TOURNAMENT,
}
BOOKS = tuple(DOCUMENTS)

# The wagers that a tie gives back: MBS and DT 3.15.1, RWS 3.14, Sands 3.11, Tournament 3.10.1.
PUSHED_BY_A_TIE = ("player", "banker")


# -- Judging ---------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    result: Literal["win", "lose", "push"]
    odds: Odds


def result_wagers(book: str) -> list[str]:
    return list(dict.fromkeys(line.wager for line in DOCUMENTS[book].on_result))


def first_two_wagers(book: str, hand: Hand) -> list[str]:
    lines = DOCUMENTS[book].on_first_two
    return list(dict.fromkeys(line.wager for line in lines if line.hand == hand))


@cache
def judge_result(book: str, wager: str, end: Ending) -> Verdict:
    for line in DOCUMENTS[book].on_result:
        if line.wager == wager and line.wins(end):
            return Verdict("win", line.pays)
    if wager in PUSHED_BY_A_TIE and tie(end):
        return Verdict("push", NOTHING)
    return Verdict("lose", NOTHING)


@cache
def judge_first_two(book: str, wager: str, first: str, second: str) -> Verdict:
    for line in DOCUMENTS[book].on_first_two:
        if line.wager == wager and line.wins(first, second):
            return Verdict("win", line.pays)
    return Verdict("lose", NOTHING)


class Settled(NamedTuple):
    result: str
    odds: Odds
    pays: int
    returned: int


def settled(verdict: Verdict, amount: int) -> Settled:
    """`pays` is what the house adds; `returned` is the stake, as RWS 3.14 uses the word."""
    pays = amount * verdict.odds
    assert pays == int(pays), "choose an amount that every pay table divides"
    stake = 0 if verdict.result == "lose" else amount
    return Settled(verdict.result, verdict.odds, int(pays), stake)


# -- Dealing ---------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    player: tuple[str, ...]
    banker: tuple[str, ...]
    end: Ending

    @property
    def outcome(self) -> str:
        if player_wins(self.end):
            return "player"
        return "banker" if banker_wins(self.end) else "tie"


def deal(book: str, cards: Sequence[str]) -> Dealt:
    """Deal from cards in drawn order. Those the table of play does not ask for are left alone."""
    table = DOCUMENTS[book].table
    player: tuple[str, ...] = (cards[0], cards[2])
    banker: tuple[str, ...] = (cards[1], cards[3])
    banker_two = table.total(banker)
    fifth = table.fifth_card_goes_to(table.total(player), banker_two)
    if fifth == "banker":
        banker = (*banker, cards[4])
    elif fifth == "player":
        player = (*player, cards[4])
        if table.sixth_card_is_due(banker_two, table.total(cards[4:5])):
            banker = (*banker, cards[5])
    end = Ending(table.total(player), table.total(banker), len(player), len(banker))
    return Dealt(player, banker, end)


def cards_worth(points: int) -> tuple[str, ...]:
    return tuple(card for card in DECK if TEN_IS_NOTHING[card[0]] == points)


def every_round(book: str) -> Iterator[tuple[str, ...]]:
    """Every sequence of point values that can be dealt, exactly as long as the round is.

    The suits, and the rank of a card worth nothing, go round: the cards of a value take turns.
    """
    table = DOCUMENTS[book].table
    turn = [cycle(cards_worth(points)) for points in range(10)]
    for points in product(range(10), repeat=4):
        four = tuple(next(turn[p]) for p in points)
        banker = table.total(four[1::2])
        fifth = table.fifth_card_goes_to(table.total(four[0::2]), banker)
        if fifth is None:
            yield four
            continue
        for third in range(10):
            five = (*four, next(turn[third]))
            if fifth == "player" and table.sixth_card_is_due(banker, third):
                for last in range(10):
                    yield (*five, next(turn[last]))
            else:
                yield five

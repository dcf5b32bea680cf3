"""What two wagers of a round have to do with each other, counted a second time by other ways."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from controller.floor.trends import moments, variance_of
from controller.game.hands import FirstTwo, Side
from controller.rulebooks import RULEBOOKS, rulebook
from drivers.cards import DECK
from support.rows import each_row

BOOK = "mbs-baccarat-8"
SUPER = "mbs-sands-super-baccarat"
PAYS_PAIR, PAYS_TIE = 11, 8
COPIES, CARDS = 8, 416


@pytest.mark.parametrize(
    "books", [[BOOK, SUPER], pytest.param([*RULEBOOKS], marks=pytest.mark.second_tier)]
)
def test_every_pair_has_its_covariance_in_the_order_of_its_names(books: list[str]) -> None:
    for book in books:
        kinds = sorted(wager.id for wager in rulebook(book).wagers)
        pairs = {(one, two) for one, two in product(kinds, repeat=2) if one <= two}
        assert moments(book).product.keys() == pairs, book


# --- two wagers on the cards of one hand ----------------------------------------------------------


@pytest.mark.parametrize("side", ["player", "banker"])
def test_red_and_black_of_one_hand_by_the_number_of_red_cards(side: str) -> None:
    """Both win never, one of them in half of all cases less a little, else both lose."""
    book = rulebook(SUPER)
    (red,), (black,) = book.wager(f"{side}_red").pays, book.wager(f"{side}_black").pays
    one_colour = Fraction(208 * 207, 416 * 415)
    together = -one_colour * (red.odds + black.odds) + (1 - 2 * one_colour)
    means = [one_colour * level.odds - (1 - one_colour) for level in (red, black)]
    expected = together - means[0] * means[1]
    odds = moments(SUPER)
    names = f"{side}_black", f"{side}_red"
    assert odds.product[names] == pytest.approx(float(expected), abs=1e-9)
    assert odds.product[names] == pytest.approx(-0.5598, abs=1e-4)
    both = {(one, two): 1.0 for one, two in product(names, repeat=2) if one <= two}
    assert math.sqrt(variance_of(odds, both)) == pytest.approx(1.500, abs=1e-3)


def test_a_colour_and_a_pair_of_one_hand_by_every_two_cards() -> None:
    judge, total, sums = rulebook(SUPER).judge, 0, [Fraction(0)] * 3
    for cards in product(DECK, DECK):
        ways = COPIES * (COPIES - (cards[0] is cards[1]))
        verdicts = judge.first_two(Side.PLAYER, cards)
        one, two = (
            -1 if verdicts[kind].result.value == "lose" else verdicts[kind].odds
            for kind in ("player_precious_pair", "player_red")
        )
        total += ways
        for n, each in enumerate((one * two, one, two)):
            sums[n] += each * ways
    expected = sums[0] / total - sums[1] * sums[2] / total**2
    found = moments(SUPER).product["player_precious_pair", "player_red"]
    assert abs(float(expected)) > 0.01
    assert found == pytest.approx(float(expected), abs=1e-9)


# --- wagers on the cards of two hands -------------------------------------------------------------


def test_pairs_of_both_hands_by_rank() -> None:
    """Of one rank there are 32."""
    pair = Fraction(31, 415)
    same = Fraction(13 * 32 * 31 * 30 * 29, math.perm(CARDS, 4))
    other = Fraction(13 * 12 * (32 * 31) ** 2, math.perm(CARDS, 4))
    expected = (PAYS_PAIR + 1) ** 2 * (same + other - pair**2)
    found = moments(BOOK).product["banker_pair", "player_pair"]
    assert found == pytest.approx(float(expected), rel=1e-6)


def _winners(side: Side, kind: str) -> Iterator[tuple[FirstTwo, Fraction]]:
    """Two cards by which it wins, and what comes back with the stake."""
    for cards in product(DECK, DECK):
        verdict = rulebook(SUPER).judge.first_two(side, cards)[kind]
        assert verdict.result.value != "push"
        if verdict.result.value == "win":
            yield cards, verdict.odds + 1


@pytest.mark.parametrize("other", ["banker_precious_pair", "banker_red"])
def test_a_pair_and_the_other_hand_by_every_four_cards_that_win_both(other: str) -> None:
    """What is lost comes back as nothing, so those that win are all that counts."""
    ones, twos = (
        list(_winners(side, kind))
        for side, kind in ((Side.PLAYER, "player_precious_pair"), (Side.BANKER, other))
    )
    both = Fraction(0)
    for (cards, one), (more, two) in product(ones, twos):
        ways, drawn = 1, list[object]()
        for card in (*cards, *more):
            ways *= COPIES - drawn.count(card)
            drawn.append(card)
        both += one * two * ways
    alone = [
        sum(each * COPIES * (COPIES - (cards[0] is cards[1])) for cards, each in found)
        for found in (ones, twos)
    ]
    means = [Fraction(each) / math.perm(CARDS, 2) for each in alone]
    expected = both / math.perm(CARDS, 4) - means[0] * means[1]
    found = moments(SUPER).product[other, "player_precious_pair"]
    assert found == pytest.approx(float(expected), rel=1e-6, abs=1e-12)


# --- a wager on first cards and one on totals -----------------------------------------------------


def _banker_draws(banker: int, third: int | None) -> bool:
    """As it is printed on every table's card."""
    if third is None or banker <= 2:
        return banker <= 5
    return third in {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}}.get(
        banker, {6, 7} if banker == 6 else set()
    )


def _ends(player: int, banker: int, left: list[int]) -> Iterator[tuple[int, int, float]]:
    """Totals at the end, and how likely each is from here."""
    rest = sum(left)
    if player >= 8 or banker >= 8:
        yield player, banker, 1.0
        return
    for third in range(10) if player <= 5 else (None,):
        share = 1.0 if third is None else left[third] / rest
        after = player if third is None else (player + third) % 10
        if not _banker_draws(banker, third):
            yield after, banker, share
            continue
        cards = [count - (value == third) for value, count in enumerate(left)]
        for sixth in range(10):
            yield after, (banker + sixth) % 10, share * cards[sixth] / sum(cards)


@cache
def _gains(hand: str, value: int) -> dict[str, float]:
    """What the three main wagers gain where a hand has two cards of this value."""
    left = [128] + [32] * 9
    left[value] -= 2
    found = {"player": 0.0, "banker": 0.0, "tie": 0.0}
    for one, two in product(range(10), repeat=2):
        share = left[one] * (left[two] - (one == two)) / math.perm(CARDS - 2, 2)
        rest = [count - (n == one) - (n == two) for n, count in enumerate(left)]
        mine, others = 2 * value % 10, (one + two) % 10
        totals = (mine, others) if hand == "player" else (others, mine)
        for player, banker, chance in _ends(*totals, rest):
            often = share * chance
            found["player"] += often * ((player > banker) - (player < banker))
            found["banker"] += often * (0.95 * (banker > player) - (banker < player))
            found["tie"] += often * (PAYS_TIE if player == banker else -1)
    return found


@each_row("main", ["player", "banker", "tie"])
@each_row("hand", ["player", "banker"])
def test_a_pair_and_what_the_hands_come_to_dealt_by_hand(hand: str, main: str) -> None:
    odds, pair = moments(BOOK), f"{hand}_pair"
    together = odds.mean[main]  # where the pair is lost its unit goes, whatever the rest does
    for value in range(10):
        often = (4 if value == 0 else 1) * math.perm(32, 2) / math.perm(CARDS, 2)
        together += often * (PAYS_PAIR + 1) * _gains(hand, value)[main]
    expected = together - odds.mean[main] * odds.mean[pair]
    names = tuple(sorted((main, pair)))
    assert odds.product[names[0], names[1]] == pytest.approx(expected, abs=1e-9)
    assert abs(expected) > 0.02

"""What the documents say of cards that lie open; nothing here comes from the product."""

from collections.abc import Sequence
from functools import cache
from itertools import product

from support.clauses.from_the_documents import (
    DECK,
    DOCUMENTS,
    Dealt,
    Ending,
    deal,
    first_two_wagers,
    judge_first_two,
    judge_result,
)

Faces = tuple[str | None, ...]
"""A hand in the order it was dealt; None where a card lies face down."""

NEEDED = 6
"""No round takes more cards."""


def dealt(book: str, cards: Sequence[str]) -> Dealt:
    """The round that these cards are, by the table of play; cards left over are left alone."""
    padded = [*cards, *["KS"] * (NEEDED - len(cards))]
    return deal(book, padded)


# --- wagers that exposed cards have decided ------------------------------------------------------


def decided(book: str, wager: str, player: Faces, banker: Faces) -> str | None:
    """`win` or `lose` where every way the round can still go ends so; a push decides nothing."""
    for side, hand in (("player", player), ("banker", banker)):
        if wager in first_two_wagers(book, "player" if side == "player" else "banker"):
            return _by_first_two(book, wager, (*hand, None, None)[:2])
    return _by_result(book, wager, _values(book, player), _values(book, banker))


def _only(results: set[str]) -> str | None:
    return next(iter(results)) if results in ({"win"}, {"lose"}) else None


@cache
def _by_first_two(book: str, wager: str, two: Faces) -> str | None:
    ways = product(*([card] if card else DECK for card in two))
    return _only({judge_first_two(book, wager, a, b).result for a, b in ways})


def _values(book: str, hand: Faces) -> tuple[int | None, ...]:
    points = DOCUMENTS[book].table.points
    known = [None if card is None else points[card[0]] % 10 for card in hand]
    return tuple((*known, None, None, None)[:3])


@cache
def _by_result(
    book: str, wager: str, player: tuple[int | None, ...], banker: tuple[int | None, ...]
) -> str | None:
    if sum(value is None for value in (*player[:2], *banker[:2])) > 2:
        return None  # any total can still come of it
    ends = _endings(book, player, banker)
    return _only({judge_result(book, wager, end).result for end in ends})


@cache
def _endings(
    book: str, player: tuple[int | None, ...], banker: tuple[int | None, ...]
) -> frozenset[Ending]:
    """Every way the round can end; any value can come where a card is not known."""
    found: set[Ending] = set()
    initial = (player[0], banker[0], player[1], banker[1])
    for p1, b1, p2, b2 in product(*map(_any, initial)):
        found |= _from_four(book, (p1 + p2) % 10, (b1 + b2) % 10, player[2], banker[2])
    return frozenset(found)


def _any(value: int | None) -> range | tuple[int]:
    return range(10) if value is None else (value,)


@cache
def _from_four(
    book: str, player: int, banker: int, player_third: int | None, banker_third: int | None
) -> frozenset[Ending]:
    table = DOCUMENTS[book].table
    fifth = table.fifth_card_goes_to(player, banker)
    if fifth is None:
        return frozenset({Ending(player, banker, 2, 2)})
    if fifth == "banker":
        return frozenset(
            Ending(player, (banker + third) % 10, 2, 3) for third in _any(banker_third)
        )
    found = set()
    for third in _any(player_third):
        total = (player + third) % 10
        if not table.sixth_card_is_due(banker, third):
            found.add(Ending(total, banker, 3, 2))
            continue
        found |= {Ending(total, (banker + last) % 10, 3, 3) for last in _any(banker_third)}
    return frozenset(found)

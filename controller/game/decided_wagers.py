"""Finds wagers that are already won or lost, whatever cards follow.

A wager is decided when every possible continuation of the round wins it, or every one loses it; a
push decides nothing. Only exposed cards count, and every card of a deck counts as still possible. A
face-down card is any card, and a later card drawn proves nothing about an earlier one that is still
face down. So the answer can be public without revealing a sealed card.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from controller.game.errors import GameError
from controller.game.hands import Side
from controller.game.rulebook import Rulebook
from controller.game.wagers import WagerResult, WagerVerdict
from drivers.cards import DECK, Card

MAX_CARDS = 6

Exposed: TypeAlias = Card | None
"""A card of the round: exposed, or drawn and still face down."""


def decided(book: Rulebook, cards: Sequence[Exposed]) -> dict[str, WagerResult]:
    """Return the decided wagers of the book, in its order; cards in drawn order, 0 to 6 of them."""
    if len(cards) > MAX_CARDS:
        raise GameError(f"a round has at most {MAX_CARDS} cards; {len(cards)} were given")
    not_drawn: list[Exposed] = [None] * (MAX_CARDS - len(cards))
    p1, b1, p2, b2, fifth, sixth = [*cards, *not_drawn]
    points = book.play.points
    score = _by_score(
        book,
        None if p1 is None or p2 is None else book.play.total((p1, p2)),
        None if b1 is None or b2 is None else book.play.total((b1, b2)),
        None if fifth is None else points[fifth.number],
        None if sixth is None else points[sixth.number],
    )
    player = _by_first_two(book, Side.PLAYER, p1, p2)
    banker = _by_first_two(book, Side.BANKER, b1, b2)
    found = {**score, **player, **banker}
    return {wager.id: found[wager.id] for wager in book.wagers if wager.id in found}


# Bounded so that a table that runs for a year stays small: the keys a book can ask for are
# 11**4 and 53 * 53 a side, far more than a shift ever meets.
@lru_cache(maxsize=20_000)
def _by_score(
    book: Rulebook, player: int | None, banker: int | None, fifth: int | None, sixth: int | None
) -> Mapping[str, WagerResult]:
    scores = book.play.reachable(player, banker, fifth, sixth)
    return _unanimous(book.judge.score(score) for score in scores)


@lru_cache(maxsize=20_000)
def _by_first_two(
    book: Rulebook, side: Side, first: Exposed, second: Exposed
) -> Mapping[str, WagerResult]:
    return _unanimous(
        book.judge.first_two(side, (one, two))
        for one in (DECK if first is None else (first,))
        for two in (DECK if second is None else (second,))
    )


def _unanimous(ways: Iterable[Mapping[str, WagerVerdict]]) -> dict[str, WagerResult]:
    """The wagers for which every continuation gives the same verdict, and not a push."""
    agreed: dict[str, WagerResult] | None = None
    for verdicts in ways:
        results = {wager: verdict.result for wager, verdict in verdicts.items()}
        if agreed is None:
            agreed = {w: result for w, result in results.items() if result is not WagerResult.PUSH}
        else:
            agreed = {w: result for w, result in agreed.items() if results[w] is result}
        if not agreed:
            return {}
    return agreed or {}

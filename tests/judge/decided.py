"""Reading 5: which wagers exposed cards have decided, whatever may still come.

A wager is decided when every way the round can still go wins it, or every way loses it. Every card
of a deck counts as still possible; hidden cards are any card; a push decides nothing.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from judge.play import BANKER, PLAYER, RED, Card, Layout, banker_draws, player_draws, points
from judge.wagers import LOSE, OFFERED, PUSH, WIN, Ends, by_first_two, pays_by_points

Seen = tuple[int | None, ...]
"""Points of a hand's first, second and third card; None: hidden, or not drawn."""


def decided(book: str, layout: Layout, in_doubt: Collection[int] = ()) -> dict[str, str]:
    """Of the wagers the book offers those that are won or lost already; cards in doubt decide
    nothing (reading 21)."""
    faces = {side: _faces(layout.hand(side), in_doubt) for side in (PLAYER, BANKER)}
    found = dict(_by_points(book, *(tuple(_points(faces[s])) for s in (PLAYER, BANKER))))
    for wager in OFFERED[book]:
        two = by_first_two(wager)
        if two is not None:
            result = _by_two(wager, faces[two[0]][:2])
            if result is not None:
                found[wager] = result
    return found


def established(book: str, layout: Layout, in_doubt: Collection[int] = ()) -> bool:
    """Any of the available wagers has conclusively won or lost."""
    return bool(decided(book, layout, in_doubt))


def _faces(hand: Sequence[Card], in_doubt: Collection[int]) -> list[str | None]:
    seen = [card.face if card.exposed and card.n not in in_doubt else None for card in hand[:3]]
    return [*seen, None, None, None][:3]


def _points(faces: Sequence[str | None]) -> Iterator[int | None]:
    return (None if face is None else points(face) for face in faces)


def _by_two(wager: str, faces: Sequence[str | None]) -> str | None:
    one, two = faces
    judged = by_first_two(wager)
    assert judged is not None
    if one is not None and two is not None:
        return WIN if judged[1](one, two) else LOSE
    seen = [face for face in faces if face is not None]
    if not seen or wager.endswith("pair"):
        return None
    wrong = (seen[0][1] in RED) != wager.endswith("red")
    return LOSE if wrong else None


@cache
def _by_points(book: str, player: Seen, banker: Seen) -> tuple[tuple[str, str], ...]:
    ends = frozenset(_ways(player, banker))
    found = []
    for wager in OFFERED[book]:
        if by_first_two(wager) is None:
            results = {_result(book, wager, end) for end in ends}
            if len(results) == 1 and PUSH not in results:
                found.append((wager, results.pop()))
    return tuple(found)


def _result(book: str, wager: str, end: Ends) -> str:
    pays = pays_by_points(book, wager, end)
    return PUSH if pays is None else WIN if pays else LOSE


def _ways(player: Seen, banker: Seen) -> Iterator[Ends]:
    for mine in _twos(player):
        for theirs in _twos(banker):
            thirds = _any(player[2]) if player_draws(mine, theirs) else (None,)
            for third in thirds:
                yield from _ends(mine, theirs, third, banker[2])


def _ends(mine: int, theirs: int, third: int | None, last: int | None) -> Iterator[Ends]:
    player = mine if third is None else (mine + third) % 10
    cards = 2 if third is None else 3
    if not banker_draws(mine, theirs, third):
        yield Ends(player, theirs, cards, 2)
        return
    for fourth in _any(last):
        yield Ends(player, (theirs + fourth) % 10, cards, 3)


def _any(seen: int | None) -> Sequence[int]:
    return range(10) if seen is None else (seen,)


def _twos(hand: Seen) -> set[int]:
    return {(one + two) % 10 for one in _any(hand[0]) for two in _any(hand[1])}

"""Putting cards back where they belong: given where they lie, what goes where, before and after."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from controller.game.hands import Side
from controller.round import position
from controller.table.cards import Drawn, Moved
from controller.table.rules import Excess, Rules
from controller.table.state import Round


def as_they_lie(round_: Round, lies: Mapping[Side, Sequence[int]]) -> Round:
    """The round with cards on the hands people see them on, before anything is put right."""
    if not lies:
        return round_
    side_of = {n: side for side, numbers in lies.items() for n in numbers}
    cards = [replace(each, hand=side_of.get(each.n, each.hand)) for each in round_.cards]
    return replace(round_, cards=tuple(cards))


def reconstructed(round_: Round, order: Sequence[int], rules: Rules) -> Round:
    """The round with every card where it belongs. `order` renames which card came when."""
    drawn = sorted(round_.cards, key=lambda each: each.n)
    if order:
        by_number = {each.n: each for each in drawn}
        picked = [by_number[n] for n in order]
        numbers = sorted(order)
        moved = {p.n: replace(p, n=n) for n, p in zip(numbers, picked, strict=True)}
        drawn = sorted((moved.get(each.n, each) for each in drawn), key=lambda each: each.n)
    laid = replace(round_, cards=())
    for each in drawn:
        side = position.next_side(rules.book, laid)
        laid = replace(laid, cards=(*laid.cards, replace(each, hand=side)))
    # An outcome announced on cards that lay wrong does not stand while one is still due.
    complete = position.due(rules.book, laid) is position.Due.NOTHING
    now = {each.n: each.hand for each in laid.cards}
    laid_anew = tuple(
        Moved(each.n, each.hand, now[each.n])
        for each in round_.cards
        if each.hand is not now[each.n]
    )
    return replace(laid, announced=laid.announced and complete, moved=laid_anew)


def carried(round_: Round, rules: Rules) -> tuple[Drawn, ...]:
    """Cards that lie aside when the round is over and begin the next, if the house says so."""
    if rules.house.excess not in (Excess.NEXT_ROUND, Excess.NO_BET_HAND):
        return ()
    return tuple([drawn for drawn in round_.cards if drawn.hand is None])

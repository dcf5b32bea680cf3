"""Reconstruction: from where cards lie, computes what goes where, before and after."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from controller.game.hands import Side
from controller.game.rulebook import KEPT
from controller.round import position
from controller.table.cards import Drawn, Moved
from controller.table.commands.registry import DEALER
from controller.table.rules import Rules
from controller.table.state import Round, change_part, with_announcement

Lies = Mapping[Side, Sequence[int]]
"""Where cards lie in fact, by their numbers; those not named lie where the table shows them."""


INITIAL_OF_A_HAND: Final = 2


def lay_as_seen(round_: Round, positions: Lies) -> Round:
    """The round with cards on the hands people see them on, before anything is put right."""
    if not positions:
        return round_
    side_of = {n: side for side, numbers in positions.items() for n in numbers}
    cards = [replace(each, hand=side_of.get(each.n, each.hand)) for each in round_.cards]
    return replace(round_, cards=tuple(cards))


def misplaced_cards(round_: Round, positions: Lies) -> tuple[int, ...]:
    """The cards that lie on another hand than the table shows."""
    seen = lay_as_seen(round_, positions)
    pairs = zip(round_.cards, seen.cards, strict=True)
    return tuple(was.n for was, now in pairs if was.hand is not now.hand)


def wrong_number(round_: Round, positions: Lies) -> bool:
    """Whether a hand has another number of cards than the table of play has given it."""
    seen = lay_as_seen(round_, positions)
    return any(len(position.hand(round_, side)) != len(position.hand(seen, side)) for side in Side)


def keep_as_laid(round_: Round, positions: Lies, rules: Rules) -> Round:
    """Play on with the hands as people see them; a card corrected later is corrected in its
    place."""
    seen = lay_as_seen(round_, positions)
    pairs = zip(round_.cards, seen.cards, strict=True)
    moved = [Moved(now.n, was.hand, now.hand) for was, now in pairs if was.hand is not now.hand]
    seen = with_announcement(seen, stands=is_announcement_valid(round_, seen, rules))
    return change_part(seen, "interventions", kept_as_laid=True, moved=tuple(moved))


def reconstruct_round(round_: Round, order: Sequence[int], rules: Rules) -> Round:
    """The round with every card where it belongs. `order` renames which card came when."""
    laid, moved = replace(round_, cards=()), []
    for was, each in _in_order(round_, order):
        side = position.next_side(rules.book, _turned(laid))
        laid = replace(laid, cards=(*laid.cards, replace(each, hand=side)))
        if was.hand is not side:
            moved.append(Moved(each.n, was.hand, side))
    laid = with_announcement(laid, stands=is_announcement_valid(round_, laid, rules))
    return change_part(laid, "interventions", moved=tuple(moved))


def _turned(laid: Round) -> Round:
    """Expose a card as soon as it is laid on a hand, where cards are dealt face up; the next
    depends on it."""
    if laid.face_down:
        return laid
    cards = [each if each.card is None else replace(each, exposed=True) for each in laid.cards]
    return replace(laid, cards=tuple(cards))


def is_announcement_valid(before: Round, laid: Round, rules: Rules) -> bool:
    """Whether the announced outcome is that of the cards as they lie now. An outcome of cards that
    were laid or read wrong does not stand: it is announced again."""
    if not before.announced or position.due_card(rules.book, laid) is not position.Due.NOTHING:
        return False
    return _announcement(before, rules) == _announcement(laid, rules)


def _announcement(round_: Round, rules: Rules) -> tuple[object, ...] | None:
    """The announcement of a finished round; None for one that is not finished, or whose hands are
    impossible: people may have seen four cards on one."""
    if position.due_card(rules.book, round_) is not position.Due.NOTHING:
        return None
    if not all(2 <= len(position.hand(round_, side)) <= 3 for side in Side):
        return None
    dealt = position.dealt_round(rules.book, round_)
    return dealt.outcome, dealt.player_total, dealt.banker_total


def _in_order(round_: Round, order: Sequence[int]) -> list[tuple[Drawn, Drawn]]:
    """Every card in drawn order, with its place and the number it came by."""
    named = dict(zip(order, sorted(order), strict=True))
    pairs = [(each, replace(each, n=named.get(each.n, each.n))) for each in round_.cards]
    return sorted(pairs, key=lambda pair: pair[1].n)


def moves_seen_card(shown: Round, order: Sequence[int], rules: Rules) -> bool:
    """Whether the order would lay a card that was seen on another hand than the table shows, or
    make one of a hand's first two its third: the later draw, and pairs, turn on that. A card was
    seen if it lies open or is in a hand that a player has taken to squeeze."""
    laid = reconstruct_round(shown, order, rules)
    lay, lie = _places(shown), _places(laid)
    pairs = zip(_in_order(shown, order), laid.cards, strict=True)
    taken = {side for side, who in shown.handling.handlers.items() if who != DEALER}
    return any(
        was.hand is not None and (was.exposed or was.hand in taken) and lay[was.n] != lie.get(now.n)
        for (was, _), now in pairs
    )


def _places(round_: Round) -> dict[int, tuple[Side, bool]]:
    """The hand of each card, and whether it is the third there."""
    return {
        drawn.n: (side, at >= INITIAL_OF_A_HAND)
        for side in Side
        for at, drawn in enumerate(position.hand(round_, side))
    }


def carried_cards(round_: Round, rules: Rules) -> tuple[Drawn, ...]:
    """Cards left aside when the round is over, which begin the next if the house provides so."""
    if rules.excess not in KEPT:
        return ()
    return tuple([each for each in round_.cards if each.hand is None and not each.discarded])

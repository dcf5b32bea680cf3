"""The cutting card: removed, the round finished; first of a round, the HLGA may offer."""

from msgspec.structs import replace

from controller.round import settling
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.case import Case
from controller.table.phases import Happening, Phase
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import CutCard, CutCardPlace, Table, found, happens
from controller.table.words.message import Message
from controller.table.words.people import CutCardWord


def cut_card(table: Table, message: Message[CutCardWord], rules: Rules) -> Table:
    held = table.shoe
    if held is None or held.burn_left != 0:
        raise Refused(Code.NO_CUTTING_CARD_EXPECTED)
    by_hand = message.source == "staff"
    if by_hand:
        rules.may(message, Act.DEAL)
    if held.cut_card is not None:
        if by_hand:
            raise Refused(Code.CUTTING_CARD_IS_OUT)
        return table  # the dealer has said so before the shoe did
    out = CutCard(CutCardPlace(held.drawn, table.phase))
    table = replace(table, shoe=replace(held, cut_card=out))
    round_ = table.round
    if round_ is None or round_.over:
        return _between_rounds(settling.count_after_cut(table, rules))
    first = not round_.betting and not round_.cards
    if first and rules.house.hlga and rules.book.cutting_card.withdraw is not None:
        return found(table, _first_card(message.name if by_hand else "shoe", by_hand=by_hand))
    return table


def _between_rounds(table: Table) -> Table:
    if not table.change_shoe:
        return table
    held = table.shoe
    assert held is not None
    assert held.cut_card is not None
    came = CutCardPlace(held.drawn, Phase.CHANGING_SHOE)
    table = replace(table, shoe=replace(held, cut_card=replace(held.cut_card, came=came)))
    return happens(table, Happening.SHOE_SPENT)


def to_be_removed(table: Table) -> bool:
    """Whether the cutting card lies there: nothing has been drawn or called since it came."""
    held = table.shoe
    if held is None or held.cut_card is None:
        return False
    return held.cut_card.came == CutCardPlace(held.drawn, table.phase)


def rounds_to_follow(table: Table, rules: Rules) -> int:
    """How many rounds may begin before the shoe is changed."""
    held = table.shoe
    if held is None or table.change_shoe:
        return 0
    after = 0 if held.cut_card is None else held.cut_card.rounds_after
    counted = after - (table.round is None or table.round.over)
    return max(0, rules.house.rounds_after_cut - counted)


def _first_card(by: str, *, by_hand: bool) -> Case:
    return Case("cut_card_first", by, asker=by if by_hand else None)

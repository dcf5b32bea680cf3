"""The cutting card: removed, the round finished; first of a round, the HLGA may offer."""

from msgspec.structs import replace

from controller.messages.codes import Code
from controller.round import round_end
from controller.table.approvals import Act
from controller.table.case import Case
from controller.table.commands.message import Message
from controller.table.commands.people import CutCardCommand
from controller.table.phases import Phase, RoundEvent
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import CutCard, CutCardPlace, Table, emit, queue_case


def cut_card(table: Table, message: Message[CutCardCommand], rules: Rules) -> Table:
    shoe = table.shoe
    if shoe is None or shoe.burn_left != 0:
        raise Refused(Code.NO_CUTTING_CARD_EXPECTED)
    by_hand = message.source == "staff"
    if by_hand:
        rules.require_act(message, Act.DEAL)
    if shoe.cut_card is not None:
        if by_hand:
            raise Refused(Code.CUTTING_CARD_IS_OUT)
        return table  # the dealer has reported it before the shoe did
    out = CutCard(CutCardPlace(shoe.drawn, table.phase))
    table = replace(table, shoe=replace(shoe, cut_card=out))
    round_ = table.round
    if round_ is None or round_.over:
        return _between_rounds(round_end.count_after_cut(table, rules))
    first = not round_.betting and not round_.cards
    if first and rules.house.hlga and rules.book.cutting_card.withdraw is not None:
        return queue_case(table, _first_card(message.actor if by_hand else "shoe", by_hand=by_hand))
    return table


def _between_rounds(table: Table) -> Table:
    if not table.change_shoe:
        return table
    shoe = table.shoe
    assert shoe is not None
    assert shoe.cut_card is not None
    arrived = CutCardPlace(shoe.drawn, Phase.CHANGING_SHOE)
    table = replace(table, shoe=replace(shoe, cut_card=replace(shoe.cut_card, came=arrived)))
    return emit(table, RoundEvent.SHOE_SPENT)


def needs_removal(table: Table) -> bool:
    """Whether the cutting card is still on the layout: no card was drawn or called since it
    came."""
    shoe = table.shoe
    if shoe is None or shoe.cut_card is None:
        return False
    return shoe.cut_card.came == CutCardPlace(shoe.drawn, table.phase)


def rounds_after_cut(table: Table, rules: Rules) -> int:
    """How many rounds may begin before the shoe is changed."""
    shoe = table.shoe
    if shoe is None or table.change_shoe:
        return 0
    after = 0 if shoe.cut_card is None else shoe.cut_card.rounds_after
    counted = after - (table.round is None or table.round.over)
    return max(0, rules.house.rounds_after_cut - counted)


def _first_card(by: str, *, by_hand: bool) -> Case:
    return Case("cut_card_first", by, asker=by if by_hand else None)

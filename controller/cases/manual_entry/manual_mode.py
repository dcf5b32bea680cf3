"""Manual mode: no device reads the cards, and the dealer enters each as it is seen.

The dealer enters only faces that are visible, so a card dealt face down is drawn without a face and
its face is entered when it is exposed: no face is stored before all can see it. Cards that were
read before the shoe failed stay as they are, sealed ones sealed, and later events of the shoe are
refused.
"""

from typing import Any, Final

from msgspec.structs import replace

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import count_check, dealing, position, round_end
from controller.table import approvals
from controller.table.agenda import order, pending
from controller.table.agenda.items import CardToEnter, CaseQuestion, NextAct
from controller.table.approvals import Act
from controller.table.case import AwaitsCounts, AwaitsKept
from controller.table.commands.day import DealByHandCommand, UseShoeCommand
from controller.table.commands.device_events import ByHandEvent, CardDrawnEvent, ReadFailedEvent
from controller.table.commands.message import Message
from controller.table.commands.people import DealCardCommand
from controller.table.holds import HoldReason
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, DealByHand, UseShoe
from controller.table.rules import Rules
from controller.table.state import ByHand, PutAside, ShoeRound, Table, change_part, notify

SHOE: Final = "shoe"
_OF_THE_DEVICE: Final = frozenset(
    {
        HoldReason.LID_OPEN,
        HoldReason.LID_WAS_OPEN,
        HoldReason.LINK_LOST,
        HoldReason.LINK_WAS_LOST,
        HoldReason.DEVICE_ERROR,
        HoldReason.DEVICE_HAD_ERROR,
        HoldReason.MUST_CLEAR,
        HoldReason.DRIVER_FAILED,
    }
)
"""Holds that end with a shoe that is out of use. Where the shoe disagrees with the cards on the
layout, people still look."""


# --- into manual mode and out of it -------------------------------------------------------------


def deal_by_hand(table: Table, message: Message[DealByHandCommand], rules: Rules) -> Table:
    """Request manual mode, in mid-round too; a second person approves it."""
    rules.require_act(message, Act.DEAL)
    if table.devices.by_hand is not None:
        raise Refused(Code.BY_HAND_ALREADY)
    round_ = table.round
    if round_ is not None and not round_.over:
        method = rules.method(round_.method)
        if method.player_draws:
            raise Refused(Code.NOT_BY_HAND_UNDER, method.draws, method=method.id)
    return pending.ask(table, ApprovalRequest(DealByHand(), message.actor, message.payload.reason))


def enter_manual_mode(table: Table, request: ApprovalRequest, approver: str, rules: Rules) -> Table:
    """Start manual mode. The cards on the layout stay; their number is asked, for the shoe may have
    missed some."""
    mode = ByHand(table.at, False, request.by, approver, request.reason)
    table = _by_hand(table, mode, rules)
    left = table.devices.left_at_shoe
    if left is not None and left.to_be_ended:
        put = replace(left, end=PutAside(approver, request.reason))
        table = change_part(table, "devices", left_at_shoe=put)
    reported = {"by": request.by, "approver": approver, "says": request.reason}
    table = notify(table, Code.BY_HAND_FROM_NOW, **reported)
    return count_check.start_count_check(table, sentence(Code.SHOE_OUT_OF_USE))


def use_shoe(table: Table, message: Message[UseShoeCommand], rules: Rules) -> Table:
    """Request the shoe again, between rounds; a second person approves it."""
    rules.require_act(message, Act.DEAL)
    if table.devices.by_hand is None:
        raise Refused(Code.SHOE_READS_CARDS)
    if table.devices.by_hand.only:
        raise Refused(Code.NO_OTHER_SHOE)
    _between_rounds(table)
    return pending.ask(table, ApprovalRequest(UseShoe(), message.actor, message.payload.reason))


def leave_manual_mode(table: Table, request: ApprovalRequest, approver: str) -> Table:
    table = _heard_again(table)
    reported = {"by": request.by, "approver": approver, "says": request.reason}
    return count_check.start_count_check(
        notify(table, Code.SHOE_READS_AGAIN, **reported), sentence(Code.SHOE_NOT_LISTENED_TO)
    )


def _between_rounds(table: Table) -> None:
    round_ = table.round
    if table.case is not None or (round_ is not None and not round_.over):
        raise Refused(Code.SHOE_BETWEEN_ROUNDS)


def handle_set_up(table: Table, message: Message[ByHandEvent], rules: Rules) -> Table:
    """Apply the table's set-up when its program starts: without a shoe that reads, or with one
    again."""
    mode = table.devices.by_hand
    if message.payload.on:
        only = ByHand(table.at, True) if mode is None else replace(mode, only=True)
        return table if mode == only else _by_hand(table, only, rules)
    if mode is None or not mode.only:
        return table
    return count_check.start_count_check(_heard_again(table), sentence(Code.SHOE_NOT_LISTENED_TO))


def _heard_again(table: Table) -> Table:
    """Use the shoe again. A shoe that was in a round of its own when it went out of use may still
    be in it, and would take the next round's cards for that one's. Its events were not read
    meanwhile, so the dealer confirms that its round has ended."""
    table = change_part(table, "devices", unread=None)
    round_, left = table.round, table.devices.left_at_shoe
    if not table.devices.shoe_plays or round_ is None or (left is not None and left.to_be_ended):
        return table
    plays = ShoeRound(round_.number, table.at, by_hand=True)
    return notify(change_part(table, "devices", left_at_shoe=plays), Code.AT_SHOE_END_ROUND)


def _by_hand(table: Table, mode: ByHand, rules: Rules) -> Table:
    """Put manual mode in force. The dealer draws where a player would: drawing by players takes a
    device able to read cards."""
    left = tuple(e for e in table.latches if e.by != SHOE or e.kind not in _OF_THE_DEVICE)
    table = change_part(replace(table, latches=left), "devices", unread=mode)
    if not table.play.method or not rules.method(table.play.method).player_draws:
        return table
    plain = next(each for each in rules.book.methods if not each.player_draws)
    return change_part(table, "play", method=plain.id, control=None)


def ignore_shoe(table: Table) -> Table:
    """Notify that the shoe sends events while it is out of use; they have no other effect."""
    return notify(table, Code.SHOE_NOT_TAKEN)


# --- cards --------------------------------------------------------------------------------------


def deal_card(table: Table, message: Message[DealCardCommand], rules: Rules) -> Table:
    """Draw a card by hand: with its face where it is exposed, without it where it lies face
    down."""
    rules.require_act(message, Act.DEAL)
    if table.devices.by_hand is None:
        raise Refused(Code.SHOE_READS_CARDS)
    _may_be_drawn(table, rules)
    card = message.payload.card
    if is_next_card_open(table, rules):
        if card is None:
            raise Refused(Code.FIELD_NEEDED, word=message.type, field="card")
        drawn = CardDrawnEvent(card=card)
        table = dealing.handle_card(table, Message(SHOE, drawn, seal=message.seal), rules)
        return note_entrant(table, message.actor)
    if card is not None:
        raise Refused(Code.CARD_LIES_FACE_DOWN)
    return dealing.handle_card(table, Message(SHOE, ReadFailedEvent(), seal=message.seal), rules)


def note_entrant(table: Table, name: str) -> Table:
    """Record who entered a card of the round: that person may not confirm its hands."""
    round_ = table.round
    if round_ is None or round_.over or name in round_.interventions.entered_by:
        return table
    return replace(
        table,
        round=change_part(
            round_, "interventions", entered_by=(*round_.interventions.entered_by, name)
        ),
    )


def confirm_hands(table: Table, approver: str, rules: Rules) -> Table:
    """Confirm the hands by a person who entered none of the cards; then announce the outcome."""
    round_ = table.round
    assert round_ is not None
    if any(rules.is_same_person(approver, each) for each in round_.interventions.entered_by):
        raise Refused(Code.TAKES_TWO, approvals.approval_row(Act.CONFIRM_CARDS).clause)
    return round_end.mark_announced(table)


def is_next_card_open(table: Table, rules: Rules) -> bool:
    """Whether all see the next card as it is drawn."""
    shoe, round_ = table.shoe, table.round
    if shoe is None or not table.day.is_open or order.is_busy(table):
        return False
    if shoe.burn_left != 0:
        return shoe.burn_left is None
    if round_ is None or round_.over or round_.face_down:
        return False
    return position.target_hand(rules.book, table) is not None


def _may_be_drawn(table: Table, rules: Rules) -> None:
    """Refuse a draw while a question is open, except for the two cards that 5.11 keeps."""
    item = order.first(table, rules)
    keeps = isinstance(item, CaseQuestion | CardToEnter) and isinstance(
        item.case.awaits, AwaitsCounts | AwaitsKept
    )
    if not (keeps or isinstance(item, NextAct)):
        raise order.comes_first(item)


def is_shoe_event(message: Message[Any]) -> bool:
    return message.source == SHOE and type(message.payload) is not ByHandEvent

"""Requests of one person that another approves: another unit, another shoe, a card, a count."""

from collections.abc import Sequence

from msgspec.structs import replace

from controller.cases import people
from controller.cases.manual_entry import card_count, entry, manual_mode
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import count_check, dealing, decks, shoe
from controller.round.wagers import betting
from controller.table.agenda import pending
from controller.table.approvals import Act
from controller.table.commands.day import SwapDeviceCommand
from controller.table.commands.message import Message
from controller.table.commands.people import ApproveCommand, RefuseCommand, ResumeCommand
from controller.table.hold_sentences import SHOE
from controller.table.holds import Hold, HoldReason, clears
from controller.table.refused import Refused
from controller.table.requests import (
    ApprovalRequest,
    ClearJournalLoss,
    CloseOverDifferential,
    ConfirmCards,
    ConfirmCount,
    ConfirmDeckCount,
    CorrectCard,
    DealByHand,
    EnterFirstCard,
    GoOn,
    NewShoe,
    ReplaceShoe,
    ReplaceUnit,
    TakeDeckStep,
    UseShoe,
    VouchForShoe,
    act_of,
)
from controller.table.rules import Rules
from controller.table.state import Table, change_part, has_failed_driver, notify, two_person_holds


def carry_out_request(
    table: Table, request: ApprovalRequest, message: Message[ApproveCommand], rules: Rules
) -> Table:
    people.second_person(request.by, act_of(request), message, rules)
    people.require_presence(act_of(request), message)
    table = pending.without_request(table, request)
    if isinstance(request.subject, TakeDeckStep | ConfirmDeckCount):
        return decks.carry_out_deck_step(table, request, message.actor, rules)
    return _carried_out(table, request, message, rules)


def refused(
    table: Table, request: ApprovalRequest, message: Message[RefuseCommand], rules: Rules
) -> Table:
    people.second_person(request.by, act_of(request), message, rules)
    return pending.without_request(table, request)


def _carried_out(
    table: Table, request: ApprovalRequest, message: Message[ApproveCommand], rules: Rules
) -> Table:
    match request.subject:
        case ConfirmCount() as counted:
            table = card_count.confirm_count(table, counted, request.by, rules)
        case EnterFirstCard(card):
            table = shoe.burn_card(table, card)
        case ReplaceUnit() as unit:
            table = enrol_unit(table, unit)
        case ClearJournalLoss():
            table = clear_holds(table, act_of(request), request.by, request.reason)
        case ReplaceShoe() | VouchForShoe() as new:
            table = _loaded(table, new, message, rules)
        case GoOn():
            table = _gone_on(table, request, message.actor)
        case CloseOverDifferential():
            table = dealing.demand_first_cards(betting.mark_closed(table), rules)
        case DealByHand() | UseShoe() | ConfirmCards():
            table = _of_manual_mode(table, request, message.actor, rules)
        case CorrectCard() as wanted:
            table = entry.correct_card(table, wanted, request, message.actor, rules)
    return table


def _loaded(table: Table, new: NewShoe, message: Message[ApproveCommand], rules: Rules) -> Table:
    """Load the requested shoe. A person asked to vouch for cards does so in person."""
    if isinstance(new, VouchForShoe) and message.actor != new.verified_by:
        raise Refused(Code.ASKED_OF, person=new.verified_by)
    decks.require_loadable(table, new.deck_set, new.decks, new.verified_by, rules)
    return shoe.install_shoe(table, new, rules)


def resume_play(table: Table, message: Message[ResumeCommand], rules: Rules) -> Table:
    """Clear what held the table, with a reason; where the row of a hold requires it, a second
    person approves first."""
    by, reason = message.actor, message.payload.reason
    if any(hold.kind is HoldReason.JOURNAL_LOSS for hold in table.latches):
        return pending.ask(table, ApprovalRequest(ClearJournalLoss(), by, reason))
    over = two_person_holds(table)
    if over:
        return pending.ask(table, ApprovalRequest(GoOn(over), by, reason))
    return clear_holds(table, Act.RESUME, by, reason)


def _note_reason(table: Table, ended: Sequence[Hold], by: str, reason: str) -> Table:
    """Record who cleared it and why, or that no reason was given."""
    kinds = dict.fromkeys(hold.kind for hold in ended)
    if not reason.strip():
        return notify(table, Code.CLEARED_WITHOUT_REASON, holds=kinds, by=by)
    return notify(table, Code.CLEARED_BECAUSE, holds=kinds, by=by, says=reason)


def _gone_on(table: Table, request: ApprovalRequest, approver: str) -> Table:
    """Go on over a difference after two people have looked: the cards on the table decide. It is
    not asked again unless another difference arises."""
    round_ = table.round
    if round_ is not None and round_.device.result is not None:
        over = [e.text for e in table.latches if e.kind is HoldReason.DEVICE_DISAGREES]
        text = replace(round_.device.result, passed=over[0] if over else None)
        table = replace(table, round=change_part(round_, "device", result=text))
    table = clear_holds(table, act_of(request), request.by, request.reason)
    return notify(table, Code.WENT_ON_OVER_DEVICE, by=request.by, approver=approver)


def clear_holds(table: Table, act: Act, by: str, reason: str) -> Table:
    """End the holds that this act clears, and no others. It also restarts a failed driver, which
    has no record of the cards that left its shoe meanwhile."""
    unheard = has_failed_driver(table, SHOE)
    ended = [hold for hold in table.latches if clears(act, hold.kind)]
    left = tuple(hold for hold in table.latches if not clears(act, hold.kind))
    table = replace(_note_reason(table, ended, by, reason), latches=left)
    return (
        count_check.start_count_check(table, sentence(Code.SHOE_NOT_LISTENED_TO))
        if unheard
        else table
    )


def _of_manual_mode(table: Table, request: ApprovalRequest, approver: str, rules: Rules) -> Table:
    if isinstance(request.subject, DealByHand):
        return manual_mode.enter_manual_mode(table, request, approver, rules)
    if isinstance(request.subject, UseShoe):
        return manual_mode.leave_manual_mode(table, request, approver)
    return manual_mode.confirm_hands(table, approver, rules)


def swap_device(table: Table, message: Message[SwapDeviceCommand], rules: Rules) -> Table:
    """Request another unit in a device's place; a second person approves."""
    rules.require_act(message, Act.ASK_FOR_ANOTHER_UNIT)
    command = message.payload
    unit = ReplaceUnit(command.device, command.identity, command.asset)
    return pending.ask(table, ApprovalRequest(unit, message.actor, command.reason))


def enrol_unit(table: Table, unit: ReplaceUnit) -> Table:
    """Accept only this unit from now on. The last reading of the old one cannot be requested any
    more, so with cards in use they are counted."""
    table = change_part(
        table, "devices", enrolled={**table.devices.enrolled, unit.device: unit.identity}
    )
    table = notify(table, Code.DEVICE_IS_NOW, device=unit.device, unit=unit.asset)
    if unit.device != SHOE or table.shoe is None:
        return table
    return count_check.start_count_check(table, sentence(Code.ANOTHER_SHOE_IN_PLACE))

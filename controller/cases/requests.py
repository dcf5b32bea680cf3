"""What one person asked for and another approves: another unit, another shoe, a card, a count."""

from msgspec.structs import replace

from controller.cases import people
from controller.cases.manual_entry import card_count, entry, manual_mode
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import count_check, dealing, decks, shoe
from controller.round.wagers import betting
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.day import SwapDeviceCommand
from controller.table.commands.message import Message
from controller.table.commands.people import ApproveCommand, ResumeCommand
from controller.table.hold_sentences import SHOE
from controller.table.holds import LASTING, HoldReason
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
    Wanted,
)
from controller.table.rules import Rules
from controller.table.state import Table, change_part, has_failed_driver, notify, two_person_holds

_ACTS: dict[type[Wanted], Act] = {
    CorrectCard: Act.CORRECT_CARD,
    ReplaceShoe: Act.REPLACE_SHOE,
    VouchForShoe: Act.VOUCH_FOR_SHOE,
    EnterFirstCard: Act.ENTER_FIRST_CARD,
    ConfirmCount: Act.CONFIRM_COUNT,
    ReplaceUnit: Act.SWAP_DEVICE,
    GoOn: Act.GO_ON_OVER_A_DEVICE,
    ClearJournalLoss: Act.CLEAR_JOURNAL_LOSS,
    CloseOverDifferential: Act.CLOSE_OVER_DIFFERENTIAL,
    ConfirmDeckCount: Act.CONFIRM_DECK_COUNT,
    DealByHand: Act.DEAL_BY_HAND,
    UseShoe: Act.DEAL_BY_HAND,
    ConfirmCards: Act.CONFIRM_CARDS,
}

BEFORE_THE_COUNT = (ConfirmCount, EnterFirstCard, ReplaceUnit, DealByHand)
"""What may be approved while cards may be missing."""


def request_act(request: ApprovalRequest) -> Act:
    """The row of the approvals by which it is approved."""
    what = request.subject
    return decks.deck_act(what.stage) if isinstance(what, TakeDeckStep) else _ACTS[type(what)]


def clause_of(request: ApprovalRequest) -> str | None:
    """The clause by which it is asked for; None where no document speaks of it."""
    what = request.subject
    if isinstance(what, CloseOverDifferential):
        return what.clause
    return approvals.approval_row(request_act(request)).clause


def carry_out_request(
    table: Table, request: ApprovalRequest, message: Message[ApproveCommand], rules: Rules
) -> Table:
    people.second_person(request.by, request_act(request), message, rules)
    people.require_presence(request_act(request), message)
    if not isinstance(request.subject, BEFORE_THE_COUNT):
        people.require_count(table)
    table = replace(table, request=None)
    if isinstance(request.subject, TakeDeckStep | ConfirmDeckCount):
        return decks.carry_out_deck_step(table, request, message.actor, rules)
    return _carried_out(table, request, message, rules)


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
            table = clear_holds(_note_reason(table, request.by, request.reason))
        case ReplaceShoe() | VouchForShoe() as new:
            table = _loaded(table, new, message, rules)
        case GoOn():
            table = _gone_on(table, request, message.actor)
        case CloseOverDifferential():
            table = _closed(table, rules)
        case DealByHand() | UseShoe() | ConfirmCards():
            table = _of_manual_mode(table, request, message.actor, rules)
        case CorrectCard() as wanted:
            table = entry.correct_card(table, wanted, request, message.actor, rules)
    return table


def _loaded(table: Table, new: NewShoe, message: Message[ApproveCommand], rules: Rules) -> Table:
    """Whoever is asked to vouch for cards does so in person, and between rounds."""
    if isinstance(new, VouchForShoe) and message.actor != new.verified_by:
        raise Refused(Code.ASKED_OF, person=new.verified_by)
    round_ = table.round
    if table.case is not None or (round_ is not None and not round_.over):
        raise Refused(Code.SHOE_BETWEEN_ROUNDS)
    decks.require_loadable(table, new.deck_set, new.decks, new.verified_by, rules)
    return shoe.install_shoe(table, new, rules)


def resume_play(table: Table, message: Message[ResumeCommand], rules: Rules) -> Table:
    """One person clears what held the table, and says why; where the row of one of the holds says
    so, another approves first."""
    by, reason = message.actor, message.payload.reason
    if any(hold.kind is HoldReason.JOURNAL_LOSS for hold in table.latches):
        betting.require_no_request(table)
        return replace(table, request=ApprovalRequest(ClearJournalLoss(), by, reason))
    over = two_person_holds(table)
    if over:
        betting.require_no_request(table)
        return replace(table, request=ApprovalRequest(GoOn(over), by, reason))
    return clear_holds(_note_reason(table, by, reason))


def _note_reason(table: Table, by: str, reason: str) -> Table:
    """Who cleared it and why; that nobody gave a reason is written down too."""
    kinds = dict.fromkeys(hold.kind for hold in table.latches)
    if not reason.strip():
        return notify(table, Code.CLEARED_WITHOUT_REASON, holds=kinds, by=by)
    return notify(table, Code.CLEARED_BECAUSE, holds=kinds, by=by, says=reason)


def _gone_on(table: Table, request: ApprovalRequest, approver: str) -> Table:
    """Two people have looked: the cards on the table decide. What they went on over is not asked
    again, unless another difference comes of it."""
    round_ = table.round
    if round_ is not None and round_.device.result is not None:
        over = [e.text for e in table.latches if e.kind is HoldReason.DEVICE_DISAGREES]
        text = replace(round_.device.result, passed=over[0] if over else None)
        table = replace(table, round=change_part(round_, "device", result=text))
    table = _note_reason(table, request.by, request.reason)
    return clear_holds(notify(table, Code.WENT_ON_OVER_DEVICE, by=request.by, approver=approver))


def clear_holds(table: Table) -> Table:
    """Nothing that a person can end holds the table any more. A driver that had failed is taken up
    again with it, and of the cards that left its shoe meanwhile it knows nothing."""
    unheard = has_failed_driver(table, SHOE)
    lasting = tuple(hold for hold in table.latches if hold.kind in LASTING)
    table = replace(table, latches=lasting)
    return (
        count_check.start_count_check(table, sentence(Code.SHOE_NOT_LISTENED_TO))
        if unheard
        else table
    )


def _closed(table: Table, rules: Rules) -> Table:
    """Bets close over the differential, unless something has come up meanwhile."""
    if table.case is not None:
        raise people.pending_case_refusal(table.case)
    if table.latches:
        raise Refused(Code.WAGERS_WAIT_FOR_HOLD, hold=table.latches[0].kind)
    return dealing.demand_first_cards(betting.mark_closed(table), rules)


def _of_manual_mode(table: Table, request: ApprovalRequest, approver: str, rules: Rules) -> Table:
    if isinstance(request.subject, DealByHand):
        return manual_mode.enter_manual_mode(table, request, approver, rules)
    if isinstance(request.subject, UseShoe):
        return manual_mode.leave_manual_mode(table, request, approver)
    return manual_mode.confirm_hands(table, approver, rules)


def swap_device(table: Table, message: Message[SwapDeviceCommand], rules: Rules) -> Table:
    """Another unit takes a device's place: asked here, approved by a second person."""
    rules.require_act(message, Act.ASK_FOR_ANOTHER_UNIT)
    betting.require_no_request(table)
    command = message.payload
    unit = ReplaceUnit(command.device, command.identity, command.asset)
    return replace(table, request=ApprovalRequest(unit, message.actor, command.reason))


def enrol_unit(table: Table, unit: ReplaceUnit) -> Table:
    """From now on only this unit is taken. What the old one read last nobody can ask it any more,
    so with cards in use they are counted."""
    table = change_part(
        table, "devices", enrolled={**table.devices.enrolled, unit.device: unit.identity}
    )
    table = notify(table, Code.DEVICE_IS_NOW, device=unit.device, unit=unit.asset)
    if unit.device != SHOE or table.shoe is None:
        return table
    return count_check.start_count_check(table, sentence(Code.ANOTHER_SHOE_IN_PLACE))

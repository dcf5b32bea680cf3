"""What one person asked for and another approves: another unit, another shoe, a card, a count."""

from msgspec.structs import replace

from controller.cases import people
from controller.cases.manual_entry import by_hand, counting, entry
from controller.round import dealing, decks, doubt, shoe
from controller.round.wagers import betting
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.hold_sentences import SHOE
from controller.table.holds import LASTING, LatchKind
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
from controller.table.state import Table, change_part, driver_failed, notice, two_go_on_over
from controller.table.words.day import SwapDeviceWord
from controller.table.words.message import Message
from controller.table.words.people import ApproveWord, ResumeWord

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


def act_of(request: ApprovalRequest) -> Act:
    """The row of the approvals by which it is approved."""
    what = request.what
    return decks.act_of(what.stage) if isinstance(what, TakeDeckStep) else _ACTS[type(what)]


def clause_of(request: ApprovalRequest) -> str | None:
    """The clause by which it is asked for; None where no document speaks of it."""
    what = request.what
    if isinstance(what, CloseOverDifferential):
        return what.clause
    return approvals.of(act_of(request)).clause


def approved(
    table: Table, request: ApprovalRequest, message: Message[ApproveWord], rules: Rules
) -> Table:
    people.second_person(request.by, act_of(request), message, rules)
    people.at_the_table(act_of(request), message)
    if not isinstance(request.what, BEFORE_THE_COUNT):
        people.count_first(table)
    table = replace(table, request=None)
    if isinstance(request.what, TakeDeckStep | ConfirmDeckCount):
        return decks.approved(table, request, message.name, rules)
    return _carried_out(table, request, message, rules)


def _carried_out(
    table: Table, request: ApprovalRequest, message: Message[ApproveWord], rules: Rules
) -> Table:
    match request.what:
        case ConfirmCount() as counted:
            table = counting.confirmed(table, counted, request.by, rules)
        case EnterFirstCard(card):
            table = shoe.burned(table, card)
        case ReplaceUnit() as unit:
            table = swapped(table, unit)
        case ClearJournalLoss():
            table = cleared(_told_why(table, request.by, request.reason))
        case ReplaceShoe() | VouchForShoe() as new:
            table = _loaded(table, new, message, rules)
        case GoOn():
            table = _gone_on(table, request, message.name)
        case CloseOverDifferential():
            table = _closed(table, rules)
        case DealByHand() | UseShoe() | ConfirmCards():
            table = _of_manual_mode(table, request, message.name, rules)
        case CorrectCard() as wanted:
            table = entry.corrected(table, wanted, request, message.name, rules)
    return table


def _loaded(table: Table, new: NewShoe, message: Message[ApproveWord], rules: Rules) -> Table:
    """Whoever is asked to vouch for cards does so in person, and between rounds."""
    if isinstance(new, VouchForShoe) and message.name != new.verified_by:
        raise Refused(Code.ASKED_OF, person=new.verified_by)
    round_ = table.round
    if table.case is not None or (round_ is not None and not round_.over):
        raise Refused(Code.SHOE_BETWEEN_ROUNDS)
    decks.may_be_loaded(table, new.deck_set, new.decks, new.verified_by, rules)
    return shoe.put_in(table, new, rules)


def resumed(table: Table, message: Message[ResumeWord], rules: Rules) -> Table:
    """One person clears what held the table, and says why; where the row of one of the holds says
    so, another approves first."""
    by, reason = message.name, message.word.reason
    if any(latch.kind is LatchKind.JOURNAL_LOSS for latch in table.latches):
        betting.nothing_is_asked_for(table)
        return replace(table, request=ApprovalRequest(ClearJournalLoss(), by, reason))
    over = two_go_on_over(table)
    if over:
        betting.nothing_is_asked_for(table)
        return replace(table, request=ApprovalRequest(GoOn(over), by, reason))
    return cleared(_told_why(table, by, reason))


def _told_why(table: Table, by: str, reason: str) -> Table:
    """Who cleared it and why; that nobody gave a reason is written down too."""
    kinds = dict.fromkeys(latch.kind for latch in table.latches)
    if not reason.strip():
        return notice(table, Code.CLEARED_WITHOUT_REASON, holds=kinds, by=by)
    return notice(table, Code.CLEARED_BECAUSE, holds=kinds, by=by, says=reason)


def _gone_on(table: Table, request: ApprovalRequest, approver: str) -> Table:
    """Two people have looked: the cards on the table decide. What they went on over is not asked
    again, unless another difference comes of it."""
    round_ = table.round
    if round_ is not None and round_.device.result is not None:
        over = [e.says for e in table.latches if e.kind is LatchKind.DEVICE_DISAGREES]
        says = replace(round_.device.result, passed=over[0] if over else None)
        table = replace(table, round=change_part(round_, "device", result=says))
    table = _told_why(table, request.by, request.reason)
    return cleared(notice(table, Code.WENT_ON_OVER_DEVICE, by=request.by, approver=approver))


def cleared(table: Table) -> Table:
    """Nothing that a person can end holds the table any more. A driver that had failed is taken up
    anew with it, and of the cards that left its shoe meanwhile it knows nothing."""
    unheard = driver_failed(table, SHOE)
    lasting = tuple(latch for latch in table.latches if latch.kind in LASTING)
    table = replace(table, latches=lasting)
    return doubt.raised(table, sentence(Code.SHOE_NOT_LISTENED_TO)) if unheard else table


def _closed(table: Table, rules: Rules) -> Table:
    """Bets close over the differential, unless something has come up meanwhile."""
    if table.case is not None:
        raise people.something_else(table.case)
    if table.latches:
        raise Refused(Code.WAGERS_WAIT_FOR_HOLD, hold=table.latches[0].kind)
    return dealing.first_cards_due(betting.closed(table), rules)


def _of_manual_mode(table: Table, request: ApprovalRequest, approver: str, rules: Rules) -> Table:
    if isinstance(request.what, DealByHand):
        return by_hand.begun(table, request, approver, rules)
    if isinstance(request.what, UseShoe):
        return by_hand.ended(table, request, approver)
    return by_hand.confirmed(table, approver, rules)


def swap_device(table: Table, message: Message[SwapDeviceWord], rules: Rules) -> Table:
    """Another unit takes a device's place: asked here, approved by a second person."""
    rules.may(message, Act.ASK_FOR_ANOTHER_UNIT)
    betting.nothing_is_asked_for(table)
    word = message.word
    unit = ReplaceUnit(word.device, word.identity, word.asset)
    return replace(table, request=ApprovalRequest(unit, message.name, word.reason))


def swapped(table: Table, unit: ReplaceUnit) -> Table:
    """From now on only this unit is taken. What the old one read last nobody can ask it any more,
    so with cards in use they are counted."""
    table = change_part(
        table, "devices", enrolled={**table.devices.enrolled, unit.device: unit.identity}
    )
    table = notice(table, Code.DEVICE_IS_NOW, device=unit.device, unit=unit.asset)
    if unit.device != SHOE or table.shoe is None:
        return table
    return doubt.raised(table, sentence(Code.ANOTHER_SHOE_IN_PLACE))

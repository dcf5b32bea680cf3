"""The list of what holds a table: the items of its agenda that hold it, as text for people."""

from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table import approvals, hold_sentences
from controller.table.agenda import order
from controller.table.agenda.items import (
    CaseItem,
    CountDue,
    HoldToEnd,
    Item,
    NextAct,
    QueuedCase,
    RequestApproval,
    RestartQuestion,
)
from controller.table.agenda.order import has_holds
from controller.table.approvals import Act
from controller.table.case import AwaitsApproval, Case, awaited_name
from controller.table.hold_sentences import SHOE
from controller.table.holds import Hold, HoldKind, HoldReason, HoldView
from controller.table.phases import PHASE_NAMES
from controller.table.requests import ConfirmCount
from controller.table.rules import Rules
from controller.table.state import Table, current_round_number

HALTED, SUSPENDED = "halted", "suspended"


def state_name(table: Table) -> str:
    """The public name of the state: `suspended` after a restart, `halted` while anything else holds
    the table, otherwise the phase."""
    if not has_holds(table):
        return PHASE_NAMES[table.phase]
    return SUSPENDED if table.clocks.restarted_at is not None else HALTED


def hold_views(table: Table, rules: Rules) -> list[HoldView]:
    """Every hold of the table, in the order of its agenda."""
    return [_hold(item, table) for item in order.holding(table, rules)]


def _hold(item: Item, table: Table) -> HoldView:
    match item:
        case CountDue():
            return _count(item, table)
        case RestartQuestion():
            return _restart(item, table)
        case QueuedCase():
            return _queued(item, table)
        case HoldToEnd():
            return _device_or_pit(item)
        case RequestApproval() | NextAct():
            raise AssertionError("it holds no table")
        case _:
            return _case(item, table)


def _count(item: CountDue, table: Table) -> HoldView:
    """A card count that is due: its reason, and that a count ends it, or the approval of a count
    that differs."""
    waits = any(isinstance(each.subject, ConfirmCount) for each in table.requests)
    confirm = approvals.approval_row(Act.CONFIRM_COUNT)
    role = confirm.role if waits else item.ended_by.role
    return HoldView(
        HoldKind.COUNT,
        "count",
        item.doubt.why,
        item.since,
        role,
        "approve" if waits else item.ended_by.commands[0],
        sentence(Code.REMEDY_CONFIRM_COUNT if waits else Code.REMEDY_COUNT),
        sentence(Code.ENDS_BY_COUNT, role=item.ended_by.role, second=confirm.role),
        second=waits and confirm.second,
        round=current_round_number(table),
    )


def _restart(item: RestartQuestion, table: Table) -> HoldView:
    role, second = item.ended_by.role, item.ended_by.second
    assert role is not None
    return HoldView(
        HoldKind.RESTART,
        "restart",
        sentence(Code.HELD_RESTART),
        item.since,
        role,
        item.ended_by.commands[0],
        sentence(Code.REMEDY_RESTART),
        _ended_by(role, second),
        second=second,
        round=current_round_number(table),
    )


def _queued(item: QueuedCase, table: Table) -> HoldView:
    """A case that was reported while another is open, and is queued."""
    return HoldView(
        HoldKind.CASE,
        item.case.id,
        _reported(item.case),
        item.since,
        None,
        None,
        sentence(Code.HELD_QUEUED),
        sentence(Code.ENDS_AFTER_OTHERS),
        item.clause,
        round=current_round_number(table),
        detail=item.case.device_text,
    )


def _case(item: CaseItem, table: Table) -> HoldView:
    case, role = item.case, order.role_of(item.case)
    assert case.awaits is not None
    code = _AWAITED[awaited_name(case.awaits)]
    return HoldView(
        HoldKind.CASE,
        case.id,
        _reported(case),
        item.since,
        role,
        item.ended_by.commands[0],
        sentence(code, role=role) if code.params else sentence(code),
        sentence(Code.ENDS_BY_PLAYERS) if role is None else _case_ended_by(case, role),
        case.clause,
        item.ended_by.second,
        current_round_number(table),
        case.device_text,
    )


def _reported(case: Case) -> Sentence:
    """The report of a case: the irregularity, the card, and the person who saw it."""
    by = case.reported_by
    code, who = (Code.HELD_SHOE_REPORTS, {}) if by == SHOE else (Code.HELD_REPORTED, {"by": by})
    if case.n is None:
        return sentence(code, irregularity=case.id, **who)
    if by == SHOE and case.id == "unreadable":
        return sentence(Code.HELD_CARD_UNREAD, n=case.n)
    if case.id == "by_hand":
        return sentence(Code.HELD_CARD_BY_HAND, n=case.n)
    code = Code.HELD_SHOE_REPORTS_CARD if by == SHOE else Code.HELD_REPORTED_CARD
    return sentence(code, irregularity=case.id, n=case.n, **who)


def _case_ended_by(case: Case, role: Role) -> Sentence:
    """The role that can end the case; if a request is pending, its approval or refusal ends the
    case."""
    if not isinstance(case.awaits, AwaitsApproval):
        return _ended_by(role, second=False)
    if case.asker is not None:
        return sentence(Code.ENDS_BY_APPROVAL, role=role)
    return sentence(
        Code.ENDS_BY_ASKING, role=approvals.approval_row(Act.ASK_FOR_A_VOID).role, second=role
    )


def _ended_by(role: Role, second: bool) -> Sentence:
    return sentence(Code.ENDS_BY_TWO if second else Code.ENDS_BY_ROLE, role=role)


_AWAITED = {
    "answer": Code.HELD_FOR_AN_ANSWER,
    "option": Code.HELD_FOR_CHOICES,
    "approve": Code.HELD_FOR_APPROVAL,
    "decide": Code.HELD_FOR_A_DECISION,
    "order": Code.HELD_FOR_THE_ORDER,
    "lies": Code.HELD_FOR_WHERE_CARDS_LIE,
    "missing": Code.HELD_FOR_COUNTS,
    "kept": Code.HELD_FOR_A_CARD,
    "enter": Code.HELD_FOR_A_CARD,
    "put_right": Code.HELD_FOR_WAGERS,
}


def _device_or_pit(item: HoldToEnd) -> HoldView:
    hold, clears = item.hold, approvals.approval_row(Act.RESUME).role
    ended_by = item.ended_by
    return HoldView(
        HoldKind.LATCH,
        hold.kind.value,
        hold_sentences.hold_sentence(hold),
        item.since,
        ended_by.role,
        ended_by.commands[0] if ended_by.commands else None,
        hold_sentences.filled_sentence(hold_sentences.hold_text(hold).remedy, hold),
        _device_ends(hold, clears) if item.lasts else _ended_by(clears, ended_by.second),
        second=ended_by.second,
        round=hold.round,
        detail=hold_sentences.detail(hold),
    )


def _device_ends(hold: Hold, role: Role) -> Sentence:
    """The device or the machine reports the end; then a person clears the hold."""
    device = "system" if hold.kind is HoldReason.SELF_TEST_FAILED else hold.by or SHOE
    return sentence(Code.ENDS_BY_DEVICE, device=device, role=role)

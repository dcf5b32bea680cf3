"""What holds a table now: all of it, in the order in which it has to be dealt with."""

from controller.cases import people
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table import approvals, hold_sentences
from controller.table.approvals import Act
from controller.table.case import AwaitsApproval, Case, awaited_name
from controller.table.hold_sentences import SHOE
from controller.table.holds import LASTING, Hold, HoldKind, HoldReason, HoldView, needs_two_people
from controller.table.phases import PHASE_NAMES
from controller.table.requests import ConfirmCount
from controller.table.rules import Rules
from controller.table.state import CardCountCheck, Table, current_round_number

HALTED, SUSPENDED = "halted", "suspended"


def has_holds(table: Table) -> bool:
    """Whether anything has to be dealt with before the round goes on."""
    # Asked several times at every step: what is nearly always true comes last.
    return (
        table.case is not None
        or bool(table.latches)
        or table.clocks.restarted_at is not None
        or type(table.card_count.stage) is CardCountCheck
    ) and table.day.is_open


def state_name(table: Table) -> str:
    """The state as it is told outside: `suspended` after a restart, `halted` while anything else
    holds the table, and else the phase."""
    if not has_holds(table):
        return PHASE_NAMES[table.phase]
    return SUSPENDED if table.clocks.restarted_at is not None else HALTED


def hold_views(table: Table, rules: Rules) -> list[HoldView]:
    """Everything that holds the table, what has to be ended first in front."""
    found: list[HoldView] = []
    if table.count_check is not None:
        found.append(_count(table, table.count_check))
    if table.clocks.restarted_at is not None:
        found.append(_restart(table, table.clocks.restarted_at))
    if table.case is not None:
        found.append(_case(table, table.case, rules))
    found += [_queued(table, case) for case in table.queue]
    # What a device or the machine has to end comes before what a person can clear.
    lasting_first = sorted(table.latches, key=lambda latch: latch.kind not in LASTING)
    return found + [_latch(latch) for latch in lasting_first]


def _count(table: Table, check: CardCountCheck) -> HoldView:
    """The doubt's own reason; whoever counts, or approves a count that differs, ends it."""
    waits = table.request is not None and isinstance(table.request.subject, ConfirmCount)
    confirm = approvals.approval_row(Act.CONFIRM_COUNT)
    row = confirm if waits else approvals.approval_row(Act.DEAL)
    return HoldView(
        HoldKind.COUNT,
        "count",
        check.why,
        check.since,
        row.role,
        "approve" if waits else "count",
        sentence(Code.REMEDY_CONFIRM_COUNT if waits else Code.REMEDY_COUNT),
        sentence(
            Code.ENDS_BY_COUNT, role=approvals.approval_row(Act.DEAL).role, second=confirm.role
        ),
        second=waits and confirm.second,
        round=current_round_number(table),
    )


def _restart(table: Table, since: float) -> HoldView:
    row = approvals.approval_row(Act.SAY_WHAT_A_RESTART_WAS)
    return HoldView(
        HoldKind.RESTART,
        "restart",
        sentence(Code.HELD_RESTART),
        since,
        row.role,
        "answer",
        sentence(Code.REMEDY_RESTART),
        _ended_by(row.role, row.second),
        second=row.second,
        round=current_round_number(table),
    )


def _queued(table: Table, case: Case) -> HoldView:
    """Reported while another case is open: it waits its turn."""
    return HoldView(
        HoldKind.CASE,
        case.id,
        _reported(case),
        case.since,
        None,
        None,
        sentence(Code.HELD_QUEUED),
        sentence(Code.ENDS_AFTER_OTHERS),
        case.clause,
        round=current_round_number(table),
        detail=case.device_text,
    )


def _case(table: Table, case: Case, rules: Rules) -> HoldView:
    assert case.awaits is not None, "between steps a case waits for somebody"
    role, waits = people.role_for(case, rules), awaited_name(case.awaits)
    approval = isinstance(case.awaits, AwaitsApproval)
    second = approval and approvals.approval_row(people.approval_of(case)).second
    code = _AWAITED[waits]
    return HoldView(
        HoldKind.CASE,
        case.id,
        _reported(case),
        case.since,
        role,
        COMMAND_FOR.get(waits, waits),
        sentence(code, role=role) if code.params else sentence(code),
        sentence(Code.ENDS_BY_PLAYERS) if role is None else _case_ended_by(case, role),
        case.clause,
        second,
        current_round_number(table),
        case.device_text,
    )


def _reported(case: Case) -> Sentence:
    """What came up, which card it is about, and who saw it."""
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
    """Where it is asked for already, whoever approves or refuses ends it."""
    if not isinstance(case.awaits, AwaitsApproval):
        return _ended_by(role, second=False)
    if case.asker is not None:
        return sentence(Code.ENDS_BY_APPROVAL, role=role)
    return sentence(
        Code.ENDS_BY_ASKING, role=approvals.approval_row(Act.ASK_FOR_A_VOID).role, second=role
    )


def _ended_by(role: Role, second: bool) -> Sentence:
    return sentence(Code.ENDS_BY_TWO if second else Code.ENDS_BY_ROLE, role=role)


COMMAND_FOR = {
    "order": "answer",
    "lies": "answer",
    "missing": "answer",
    "kept": "enter_card",
    "enter": "enter_card",
    "put_right": "decide",
}
"""The word that ends what is waited for, where it is not of the same name."""

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


def _latch(hold: Hold) -> HoldView:
    lasts, clears = hold.kind in LASTING, approvals.approval_row(Act.RESUME)
    second = needs_two_people(hold.kind)
    return HoldView(
        HoldKind.LATCH,
        hold.kind.value,
        hold_sentences.hold_sentence(hold),
        hold.since,
        None if lasts else clears.role,
        None if lasts else "resume",
        hold_sentences.filled_sentence(hold_sentences.hold_text(hold).remedy, hold),
        _device_ends(hold, clears.role) if lasts else _ended_by(clears.role, second),
        second=second,
        round=hold.round,
        detail=hold_sentences.detail(hold),
    )


def _device_ends(hold: Hold, role: Role) -> Sentence:
    """The device or the machine reports that it is over; then somebody clears it."""
    device = "system" if hold.kind is HoldReason.SELF_TEST_FAILED else hold.by or SHOE
    return sentence(Code.ENDS_BY_DEVICE, device=device, role=role)

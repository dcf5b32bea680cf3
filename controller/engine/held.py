"""What holds a table now: all of it, in the order in which it has to be dealt with."""

from controller.cases import people
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import Case, awaited
from controller.table.holds import LASTING, HoldKind, Latch, TableHold
from controller.table.phases import PHASE_NAMES
from controller.table.requests import ConfirmCount
from controller.table.rules import Rules
from controller.table.state import Doubt, Table

HALTED, SUSPENDED = "halted", "suspended"


def is_held(table: Table) -> bool:
    """Whether anything has to be dealt with before the round goes on."""
    return table.opened and (
        table.case is not None
        or table.doubt is not None
        or table.restarted_at is not None
        or bool(table.latches)
    )


def state_of(table: Table) -> str:
    """The state as it is told outside: `suspended` after a restart, `halted` while anything else
    holds the table, and else the phase."""
    if not is_held(table):
        return PHASE_NAMES[table.phase]
    return SUSPENDED if table.restarted_at is not None else HALTED


def holds(table: Table, rules: Rules) -> list[TableHold]:
    """Everything that holds the table, what has to be ended first in front."""
    found: list[TableHold] = []
    if table.doubt is not None:
        found.append(_count(table, table.doubt))
    if table.restarted_at is not None:
        role = approvals.of(Act.SAY_WHAT_A_RESTART_WAS).role
        says = sentence(Code.HELD_RESTART)
        found.append(
            TableHold(HoldKind.RESTART, "restart", says, table.restarted_at, role, "answer")
        )
    if table.case is not None:
        found.append(_case(table.case, rules))
    found += [_queued(case) for case in table.queue]
    # What a device or the machine has to end comes before what a person can clear.
    lasting_first = sorted(table.latches, key=lambda latch: latch.kind not in LASTING)
    return found + [_latch(latch) for latch in lasting_first]


def _count(table: Table, doubt: Doubt) -> TableHold:
    """The doubt's own reason; whoever counts, or approves a count that differs, ends it."""
    waits = table.request is not None and isinstance(table.request.what, ConfirmCount)
    act, word = (Act.CONFIRM_COUNT, "approve") if waits else (Act.DEAL, "count")
    return TableHold(HoldKind.COUNT, "count", doubt.why, doubt.since, approvals.of(act).role, word)


def _queued(case: Case) -> TableHold:
    """Reported while another case is open: it waits its turn."""
    says = sentence(Code.HELD_QUEUED, irregularity=case.id)
    return TableHold(HoldKind.CASE, case.id, says, case.since, None, None, case.clause)


def _case(case: Case, rules: Rules) -> TableHold:
    assert case.awaits is not None, "between steps a case waits for somebody"
    role, waits = people.role_for(case, rules), awaited(case.awaits)
    word = WORD_FOR.get(waits, waits)
    code = _AWAITED[waits]
    gaps = {"irregularity": case.id, "role": role}
    says = sentence(code, **{name: gaps[name] for name in code.gaps})
    return TableHold(HoldKind.CASE, case.id, says, case.since, role, word, case.clause)


WORD_FOR = {
    "order": "answer",
    "lies": "answer",
    "missing": "answer",
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
    "enter": Code.HELD_FOR_A_CARD,
    "put_right": Code.HELD_FOR_WAGERS,
}


def _latch(latch: Latch) -> TableHold:
    lasts = latch.kind in LASTING
    role = None if lasts else approvals.of(Act.RESUME).role
    says = sentence(Code.HELD_BY_ITSELF, hold=latch.kind)
    if latch.says is not None:
        says = latch.says
    elif latch.by:
        says = sentence(Code.HELD_BY, hold=latch.kind, by=latch.by)
    return TableHold(
        HoldKind.LATCH, latch.kind.value, says, latch.since, role, None if lasts else "resume"
    )

"""Who has to be who: the case that waits, the role it waits for, and the second person."""

from typing import Any

from controller.game.roles import Role
from controller.sentences.codes import Code
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsOption,
    Case,
    awaited,
)
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.message import Message


def open_case(table: Table) -> Case:
    if table.case is None:
        raise Refused(Code.NOTHING_ASKED)
    return table.case


def something_else(case: Case) -> Refused:
    assert case.awaits is not None
    return Refused(Code.WAITS_FOR_SOMETHING_ELSE, case.clause, awaited=awaited(case.awaits))


def role_for(case: Case, rules: Rules) -> Role | None:
    """The least role of whoever ends what the case waits for; None: players do."""
    match case.awaits:
        case None | AwaitsOption():
            return None
        case AwaitsApproval():
            return approvals.of(_approval(case)).role
        case AwaitsCard():
            return approvals.of(Act.DEAL).role
        case awaits:
            return awaits.role


def approval_of(case: Case) -> Act:
    """By which row somebody may speak to it now. A device opened it: whoever speaks first asks,
    and somebody else approves."""
    return Act.ASK_FOR_A_VOID if case.asker is None else _approval(case)


def _approval(case: Case) -> Act:
    assert isinstance(case.awaits, AwaitsApproval)
    return Act.ENTER_CARD if case.awaits.of == "entered_card" else Act.VOID


def second_person(first: str, act: Act, message: Message[Any], rules: Rules) -> None:
    """Refuse unless somebody else, who may approve this, speaks."""
    row = approvals.of(act)
    rules.need(message, row.role, row.clause)
    if row.second and message.name == first:
        raise Refused(Code.TAKES_TWO, row.clause)


def count_first(table: Table) -> None:
    """Refuse while cards may be missing."""
    if table.doubt is not None:
        raise Refused(Code.COUNT_FIRST)

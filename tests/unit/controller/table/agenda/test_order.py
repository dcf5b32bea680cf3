"""The agenda: what the table waits for, in which order, and who ends each item."""

from typing import get_args

import pytest

from controller.game.irregularities import Fact, RulingStep
from controller.game.roles import Role
from controller.table import approvals
from controller.table.agenda import order
from controller.table.approvals import Act, Approval
from controller.table.case import (
    Awaits,
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsFact,
    AwaitsKept,
    AwaitsLies,
    AwaitsOption,
    AwaitsOrder,
    AwaitsWagers,
    Case,
    Offer,
)
from support.rows import each_row
from support.table.bench import rules_of

RULES = rules_of()
OFFER = Offer(RulingStep.OFFER_EACH, "5.8.1", ("ann",), 1.0, returns="5.8.1", plays_on="5.8.1")
ENDED_BY: list[tuple[Awaits, Role | None]] = [
    (AwaitsFact(Fact.BELONGS, Role.PIT_MANAGER), Role.PIT_MANAGER),
    (AwaitsOption(OFFER), None),
    (AwaitsApproval("void"), Role.PIT_SUPERVISOR),
    (AwaitsApproval("entered_card"), Role.PIT_SUPERVISOR),
    (AwaitsDecision(Role.GAMING_SHIFT_MANAGER), Role.GAMING_SHIFT_MANAGER),
    (AwaitsOrder(Role.PIT_MANAGER), Role.PIT_MANAGER),
    (AwaitsLies(Role.DEALER), Role.DEALER),
    (AwaitsCounts(Role.GAMING_SHIFT_MANAGER), Role.GAMING_SHIFT_MANAGER),
    (AwaitsKept(Role.GAMING_SHIFT_MANAGER), Role.GAMING_SHIFT_MANAGER),
    (AwaitsCard(1), Role.DEALER),
    (AwaitsWagers(Role.PIT_MANAGER), Role.PIT_MANAGER),
]


@each_row("awaits, role", ENDED_BY)
def test_what_a_case_waits_for_says_whose_word_ends_it(awaits: Awaits, role: Role | None) -> None:
    assert order.role_of(Case("x", "dan", awaits=awaits)) is role


def test_every_kind_of_waiting_is_among_them() -> None:
    assert {type(awaits) for awaits, _ in ENDED_BY} == set(get_args(Awaits))


@pytest.mark.parametrize(("act", "of"), [(Act.VOID, "void"), (Act.ENTER_CARD, "entered_card")])
def test_the_role_that_approves_is_read_from_its_row(
    act: Act, of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("x", "dan", asker="dan", awaits=AwaitsApproval(of))  # type: ignore[arg-type]
    assert order.approval_of(case) is act
    monkeypatch.setitem(approvals.APPROVALS, act, Approval(act, Role.PIT_MANAGER, second=True))
    assert order.role_of(case) is Role.PIT_MANAGER


def test_whoever_speaks_first_to_a_devices_case_asks() -> None:
    case = Case("x", "shoe", awaits=AwaitsApproval("void"))
    assert order.approval_of(case) is Act.ASK_FOR_A_VOID


def test_a_command_for_something_else_is_refused_with_what_the_case_waits_for() -> None:
    case = Case("x", "dan", clause="5.8", awaits=AwaitsOrder(Role.PIT_MANAGER))
    refused = order.waits_for(case)
    assert (refused.reason.params, refused.clause) == ({"awaited": "order"}, "5.8")

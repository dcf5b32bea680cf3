"""Who has to be who: the role a case waits for, and the second person."""

from typing import get_args

import pytest

from controller.cases import people
from controller.game.irregularities import Fact, RulingStep
from controller.game.roles import Role
from controller.table import approvals
from controller.table.approvals import Act, Approval
from controller.table.case import (
    Awaits,
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsFact,
    AwaitsOption,
    AwaitsOrder,
    AwaitsWagers,
    Case,
    Offer,
)
from controller.table.refused import Refused
from controller.table.state import Table
from controller.table.words.message import by_staff
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
    (AwaitsCounts(Role.GAMING_SHIFT_MANAGER), Role.GAMING_SHIFT_MANAGER),
    (AwaitsCard(1), Role.DEALER),
    (AwaitsWagers(Role.PIT_MANAGER), Role.PIT_MANAGER),
]


@pytest.mark.parametrize(("awaits", "role"), ENDED_BY)
def test_what_a_case_waits_for_says_whose_word_ends_it(awaits: Awaits, role: Role | None) -> None:
    assert people.role_for(Case("x", "dan", awaits=awaits), RULES) is role


def test_every_kind_of_waiting_is_among_them() -> None:
    assert {type(awaits) for awaits, _ in ENDED_BY} == set(get_args(Awaits))


@pytest.mark.parametrize(("act", "of"), [(Act.VOID, "void"), (Act.ENTER_CARD, "entered_card")])
def test_the_role_that_approves_is_read_from_its_row(
    act: Act, of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("x", "dan", asker="dan", awaits=AwaitsApproval(of))  # type: ignore[arg-type]
    assert people.approval_of(case) is act
    monkeypatch.setitem(approvals.APPROVALS, act, Approval(act, Role.PIT_MANAGER, second=True))
    assert people.role_for(case, RULES) is Role.PIT_MANAGER


def test_whoever_speaks_first_to_a_devices_case_asks() -> None:
    case = Case("x", "shoe", awaits=AwaitsApproval("void"))
    assert people.approval_of(case) is Act.ASK_FOR_A_VOID


# --- the second person --------------------------------------------------------------------------


TWO = Approval(Act.VOID, Role.PIT_SUPERVISOR, second=True, clause="5.1")
ONE = Approval(Act.VOID, Role.PIT_SUPERVISOR, second=False, clause="5.1")


@pytest.mark.parametrize(
    ("who", "role", "row", "refused"),
    [
        ("max", "pit_manager", TWO, None),
        ("paul", "pit_supervisor", TWO, None),
        ("pia", "pit_supervisor", TWO, "takes_two"),
        ("pia", "pit_manager", TWO, "takes_two"),
        ("dan", "dealer", TWO, "takes_role"),
        ("pia", "dealer", TWO, "takes_role"),
        ("pia", "pit_supervisor", ONE, None),
        ("dan", "dealer", ONE, "takes_role"),
    ],
)
def test_a_second_person_is_somebody_else_of_the_role_the_row_names(
    who: str, role: str, row: Approval, refused: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pia asked."""
    monkeypatch.setitem(approvals.APPROVALS, row.act, row)
    said = by_staff("approve", who, role)
    if refused is None:
        people.second_person("pia", row.act, said, RULES)
        return
    with pytest.raises(Refused) as found:
        people.second_person("pia", row.act, said, RULES)
    assert (found.value.why.code, found.value.clause) == (refused, "5.1")


# --- what is open -------------------------------------------------------------------------------


def test_with_no_case_nothing_is_asked() -> None:
    with pytest.raises(Refused) as refused:
        people.open_case(Table())
    assert refused.value.why.code == "nothing_asked"


def test_a_word_for_something_else_is_told_what_is_waited_for() -> None:
    case = Case("x", "dan", clause="5.8", awaits=AwaitsOrder(Role.PIT_MANAGER))
    refused = people.something_else(case)
    assert (refused.why.gaps, refused.clause) == ({"awaited": "order"}, "5.8")

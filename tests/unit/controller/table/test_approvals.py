"""Who may do what: rows of data, and everything that asks reads them."""

import pytest

from controller.game.roles import Role
from controller.table import approvals
from controller.table.approvals import ROWS, Act, Approval
from controller.table.commands.registry import REGISTRY
from support.table.bench import Bench, code, why

TWO_PEOPLE = {
    Act.VOID,
    Act.MOVE_EXPOSED_CARD,
    Act.DOUBT_EXPOSED_CARDS,
    Act.STRIKE_WAGER,
    Act.CONFIRM_DECISION,
    Act.ENTER_CARD,
    Act.ENTER_FIRST_CARD,
    Act.CORRECT_CARD,
    Act.CONFIRM_COUNT,
    Act.REPLACE_SHOE,
    Act.VOUCH_FOR_SHOE,
    Act.INSPECT_DECKS,
    Act.DESTROY_DECKS,
    Act.CONFIRM_DECK_COUNT,
    Act.CLEAR_JOURNAL_LOSS,
    Act.SWAP_DEVICE,
    Act.GO_ON_OVER_A_DEVICE,
    Act.DEAL_BY_HAND,
    Act.CONFIRM_CARDS,
    Act.CLOSE_OVER_DIFFERENTIAL,
    Act.RESTORE_JOURNAL,
    Act.RETIRE_TABLE,
    Act.BEGIN_NEW_HISTORY,
}


def test_every_act_has_one_row() -> None:
    assert [row.act for row in ROWS] == list(dict.fromkeys(row.act for row in ROWS))
    assert {row.act for row in ROWS} == set(Act)


def test_every_row_says_by_what_it_is_so() -> None:
    assert all(row.house or row.clause for row in ROWS)


def test_what_changes_a_result_takes_two_people() -> None:
    assert {row.act for row in ROWS if row.second} == TWO_PEOPLE
    assert all(approvals.approval_row(act).role is not Role.DEALER for act in TWO_PEOPLE)


def test_every_word_that_is_said_by_an_authority_names_its_row() -> None:
    named = {spec.act for spec in REGISTRY.values() if spec.act is not None}
    assert named <= set(Act)
    assert {Act.OPEN_TABLE, Act.DEAL, Act.RESUME, Act.PAUSE} <= named


ONE_WORD = [
    (Act.OPEN_TABLE, "open_table", Bench),
    (Act.CLOSE_TABLE, "close_table", lambda: Bench().open()),
    (Act.PAUSE, "suspend", lambda: Bench().open()),
]


@pytest.mark.parametrize(("act", "verb", "bench"), ONE_WORD)
def test_a_row_that_is_changed_is_followed(
    act: Act, verb: str, bench: type[Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = bench()
    monkeypatch.setitem(approvals.APPROVALS, act, Approval(act, Role.PIT_MANAGER, clause="1.2"))
    refused = found.refused(verb, "pia")
    assert why(refused).params == {"role": "pit_manager"}
    assert refused.clause == "1.2"
    found.say(verb, "max")


def test_what_takes_one_person_by_its_row_takes_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second person is a matter of the row, and of nothing else."""
    bench = Bench().deal("9H")
    bench.say("correct", "pia", n=1, card="8H", reason="an eight")
    assert code(bench.refused("approve", "pia")) == "takes_two"
    row = Approval(Act.CORRECT_CARD, Role.PIT_SUPERVISOR, second=False)
    monkeypatch.setitem(approvals.APPROVALS, Act.CORRECT_CARD, row)
    bench.say("approve", "pia")
    assert bench.hand("player") == ["8H"]

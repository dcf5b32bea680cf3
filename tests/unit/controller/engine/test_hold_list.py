"""What holds a table: all of it in order, since when, whose word ends it; the phase stays."""

from typing import Any, get_args

import pytest

from controller.engine.hold_list import _AWAITED, hold_views, state_name
from controller.game.roles import Role
from controller.messages.sentence import Sentence
from controller.table import approvals
from controller.table.agenda.order import has_holds
from controller.table.approvals import Act, Approval
from controller.table.case import Awaits
from controller.table.holds import LASTING, HoldKind, HoldReason
from controller.views import audience
from controller.views.structs.encoding import plain
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, differential, taken_unread, why


def held(bench: Bench) -> list[tuple[str, str, float, str | None, str | None]]:
    """Each hold: its kind, what it is, since when, the least role, the word that ends it."""
    return [
        (
            each.kind.value,
            each.cause,
            each.since,
            each.role.value if each.role else None,
            each.command,
        )
        for each in hold_views(bench.table, bench.rules)
    ]


def test_nothing_holds_a_table_that_plays() -> None:
    bench = Bench().deal("9H")
    assert held(bench) == []
    assert not has_holds(bench.table)
    assert state_name(bench.table) == bench.phase == "dealing"


def test_several_holds_are_told_in_the_order_in_which_they_have_to_end() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("suspend", "pia")
    paused = bench.at
    bench.say("report", what="uncovered")
    reported = bench.at
    bench.device("lid_open")
    opened = bench.at
    bench.restart()
    restarted = bench.at
    bench.device("events_lost")
    lost = bench.at
    assert held(bench) == [
        ("count", "count", lost, "dealer", "count"),
        ("restart", "restart", restarted, "pit_supervisor", "answer"),
        ("case", "uncovered", reported, "gaming_shift_manager", "decide"),
        ("latch", "lid_open", opened, None, None),
        ("latch", "paused", paused, "pit_supervisor", "resume"),
    ]
    assert bench.phase == "dealing", "the phase underneath stays visible"
    assert bench.state == "suspended"


def test_each_hold_ends_by_the_word_it_names_and_the_phase_comes_back() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("suspend", "pia")
    bench.say("report", what="uncovered")
    bench.restart()
    bench.device("events_lost")
    words: dict[str, Any] = {
        "count": {"cards": 2},
        "answer": {"value": False},
        "decide": {"text": "go on"},
        "resume": {},
    }
    for left in (4, 3, 2, 1):
        found = hold_views(bench.table, bench.rules)
        assert len(found) == left
        first = found[0]
        assert first.command is not None
        bench.say(first.command, "gus", **words[first.command])
    assert bench.state == bench.phase == "dealing"


def test_views_tell_state_phase_and_holds_beside_each_other() -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("link_lost")
    view = plain(audience.dealer(bench.table, bench.rules))
    assert (view["state"], view["phase"]) == ("halted", "outcome")
    (hold,) = view["held"]
    assert (hold["kind"], hold["what"], hold["code"]) == ("latch", "link_lost", "held_link_lost")
    assert hold["gaps"] == {"device": "shoe"}
    assert hold["round"] == 1
    assert hold["since"] == bench.at


# --- what is told -------------------------------------------------------------------------------


def test_a_restart_suspends_and_everything_else_halts() -> None:
    bench = Bench().deal("9H")
    bench.device("lid_open")
    assert bench.state == "halted"
    bench.restart()
    assert bench.state == "suspended"
    bench.say("answer", "pia", value=False)
    assert bench.state == "halted"


def test_a_restart_between_rounds_holds_nothing() -> None:
    bench = Bench().open()
    bench.restart()
    assert held(bench) == []
    assert bench.state == "ready"


def test_a_closed_table_is_closed_whatever_its_devices_say() -> None:
    bench = Bench()
    bench.device("lid_open")
    assert bench.state == "closed"
    bench.say("open_table", "pia")
    assert bench.state == "halted"


def test_a_count_that_differs_waits_for_the_second_person() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    bench.say("count", cards=2)
    ((kind, _, _, role, word),) = held(bench)
    assert (kind, role, word) == ("count", "pit_supervisor", "approve")


def reported(what: str, *answers: dict[str, Any], **more: Any) -> Bench:
    bench = Bench().deal("9H", "2C", wagers=(("ann", "tie", 100),))
    bench.say("report", what=what, **more)
    for given in answers:
        bench.say("answer", **given)
    return bench


@each_row(
    "bench, wants",
    [
        (lambda: reported("simultaneous"), ("held_for_an_answer", "dealer", "answer")),
        (
            lambda: reported("simultaneous", {"order": [2, 1]}),
            ("held_for_choices", None, "option"),
        ),
        (lambda: reported("wrong_count"), ("held_for_approval", "pit_supervisor", "approve")),
        (lambda: reported("uncovered"), ("held_for_a_decision", "gaming_shift_manager", "decide")),
        (taken_unread, ("held_for_counts", "gaming_shift_manager", "answer")),
        (
            lambda: reported("wrong_number"),
            ("held_for_where_cards_lie", "dealer", "answer"),
        ),
        (
            lambda: reported("foreign_card", {"value": True}, cards=[1]),
            ("held_for_a_card", "dealer", "enter_card"),
        ),
        (differential, ("held_for_wagers", "pit_manager", "decide")),
    ],
)
def test_a_case_tells_what_it_waits_for(bench: Any, wants: tuple[str, str | None, str]) -> None:
    found = bench()
    (hold,) = hold_views(found.table, found.rules)
    assert (hold.remedy.code, hold.role.value if hold.role else None, hold.command) == wants
    assert hold.kind is HoldKind.CASE
    assert hold.clause == found.table.case.clause
    assert hold.text.params["irregularity"] == found.table.case.id
    assert hold.remedy.params.get("role", wants[1]) == wants[1]


def test_cards_whose_order_nobody_knows_wait_for_the_order() -> None:
    bench = Bench().deal("2H", "KC", "3D", "5S", "9H", "4C")
    bench.say("report", what="simultaneous", cards=[5, 6])
    bench.say("answer", value=False)
    (hold,) = hold_views(bench.table, bench.rules)
    assert (hold.remedy.code, hold.role, hold.command) == (
        "held_for_the_order",
        Role.PIT_MANAGER,
        "answer",
    )


def test_every_kind_of_waiting_can_be_told() -> None:
    """A new struct among `Awaits` needs its sentence."""
    assert set(_AWAITED) == {str(each.__struct_config__.tag) for each in get_args(Awaits)}


# --- latches ------------------------------------------------------------------------------------


@each_row("kind", sorted(LASTING, key=lambda each: each.value))
def test_no_person_ends_what_lasts(kind: HoldReason) -> None:
    words: dict[HoldReason, tuple[str, dict[str, Any]]] = {
        HoldReason.LID_OPEN: ("lid_open", {}),
        HoldReason.LINK_LOST: ("link_lost", {}),
        HoldReason.DEVICE_ERROR: ("error", {"code": 99}),
        HoldReason.SELF_TEST_FAILED: ("self_test", {"bad": ["disk space"]}),
    }
    bench = Bench().deal("9H")
    verb, given = words[kind]
    bench.device(verb, by="system" if verb == "self_test" else "shoe", **given)
    refused = bench.refused("resume", "gus")
    assert why(refused) == Sentence("still_holds", {"hold": kind.value})
    (hold,) = hold_views(bench.table, bench.rules)
    assert (hold.role, hold.command) == (None, None)


def test_one_lasting_latch_keeps_the_others_too() -> None:
    bench = Bench().deal("9H")
    bench.say("suspend", "pia")
    bench.device("lid_open")
    assert code(bench.refused("resume", "pia")) == "still_holds"
    bench.device("lid_closed")
    bench.say("resume", "pia")
    assert held(bench) == []


def test_a_second_hold_of_the_same_kind_keeps_the_first_ones_time() -> None:
    bench = Bench().deal("9H")
    bench.device("lid_open")
    since = bench.at
    bench.device("lid_open")
    ((_, what, told, _, _),) = held(bench)
    assert (what, told) == ("lid_open", since)


def test_who_may_end_a_hold_is_read_from_the_approvals(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench().deal("9H")
    bench.say("suspend", "pia")
    row = Approval(Act.RESUME, Role.PIT_MANAGER)
    monkeypatch.setitem(approvals.APPROVALS, Act.RESUME, row)
    (hold,) = hold_views(bench.table, bench.rules)
    assert hold.role is Role.PIT_MANAGER
    assert code(bench.refused("resume", "pia")) == "takes_role"
    bench.say("resume", "max")


def test_each_device_holds_the_table_by_itself() -> None:
    bench = Bench().deal("9H", "2C")
    bench.device("lid_open")
    bench.device("lid_open", by="shuffler")
    assert [latch.by for latch in bench.table.latches] == ["shoe", "shuffler"]
    bench.device("lid_closed", by="shuffler")
    assert [hold.cause for hold in hold_views(bench.table, bench.rules)] == [
        "lid_open",
        "lid_was_open",
    ]
    assert code(bench.refused("resume", "pia")) == "still_holds"
    bench.device("lid_closed")
    bench.say("resume", "pia")
    assert not has_holds(bench.table)


def test_what_a_person_cannot_end_comes_first_and_the_prompt_says_so() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("suspend", "pia")
    answer = bench.device("link_lost")
    assert [hold.cause for hold in hold_views(bench.table, bench.rules)] == ["link_lost", "paused"]
    assert answer.prompt.do.code == "prompt_held_by_device"


def test_a_case_that_waits_its_turn_is_told_too() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="uncovered")
    bench.say("report", what="wrong_count")
    found = hold_views(bench.table, bench.rules)
    assert [(hold.cause, hold.remedy.code) for hold in found] == [
        ("uncovered", "held_for_a_decision"),
        ("wrong_count", "held_queued"),
    ]

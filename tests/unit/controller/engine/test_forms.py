"""Older forms of records: steps and checkpoints as older releases wrote them, read today.

Bodies are written out by hand, as those releases wrote them; `tests/scenario/test_older_forms.py`
opens whole journals of theirs.
"""

from typing import Any

import msgspec
import pytest

from controller.engine import forms
from controller.engine.release import Release, state_of_table
from controller.engine.step import VERSION
from controller.journal.records import CHECKPOINT, EMPTY, Entry, Record, canonical, chained
from controller.sentences.sentence import Sentence
from controller.table.holds import Latch, LatchKind
from controller.table.phases import Phase
from controller.table.rules import House
from controller.table.words.message import Malformed, from_line
from controller.table.words.people import Facts, Lies, ReportWord
from support.rows import each_row

OLDER = range(1, 3)


def record(body: dict[str, Any], version: int, kind: str = "step") -> Record:
    return Record(kind, version, 5.0, 1, 1, canonical(body), seq=7, digest=bytes(32))


def step(do: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    who = {"from": "staff", "who": "dan", "role": "dealer"}
    return {"in": {**who, "do": do, "with": given}, "accepted": True, "state": "halted", **more}


def word(body: dict[str, Any], version: int = 2) -> Any:
    return from_line(forms.step_of(record(body, version)).line, judged=False).word


# --- steps --------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", OLDER)
def test_a_commitment_moves_from_the_fields_to_the_line(version: int) -> None:
    body = {
        "in": {"from": "shoe", "event": "card", "with": {"commitment": "c0ffee", "salt": "00"}},
        "accepted": True,
        "state": "dealing",
    }
    line = forms.step_of(record(body, version)).line
    assert line.commitment == "c0ffee"
    assert line.given == {}
    assert from_line(line).seal.commitment == "c0ffee"


def test_a_field_that_nobody_read_is_left_out() -> None:
    """A report could carry an order for cards it was not about, or anything else."""
    given = {"what": "wrong_order", "lies": {"player": [1]}, "mood": "bad", "order": [2, 1]}
    found = word(step("report", given))
    assert found == ReportWord(what="wrong_order", lies=Lies(player=(1,)), order=(2, 1))


def test_facts_that_the_table_works_out_itself_are_left_out() -> None:
    facts = {"initial_deal": True, "order_known": False, "outcome_established": False}
    found = word(step("report", {"what": "simultaneous", "facts": facts}))
    assert found == ReportWord(what="simultaneous", facts=Facts(order_known=False))


def test_a_report_is_not_judged_by_the_fields_it_has_today() -> None:
    given = {"what": "uncovered", "facts": {"belongs": True}, "hand": "player"}
    line = forms.step_of(record(step("report", given), 2)).line
    assert isinstance(from_line(line).word, Malformed)
    assert isinstance(from_line(line, judged=False).word, ReportWord)


def test_an_error_of_those_days_means_what_its_number_meant() -> None:
    body = {"in": {"from": "shoe", "event": "error", "code": 4}, "accepted": True}
    assert word(body).meaning.value == "several_at_once"


def test_a_step_of_today_is_read_as_it_is() -> None:
    body = step("report", {"what": "uncovered", "mood": "bad"})
    assert forms.step_of(record(body, VERSION)).line.given["mood"] == "bad"


@each_row(
    "now, agrees",
    [
        ({}, True),
        ({"state": "dealing"}, False),
        ({"accepted": False}, False),
        ({"clause": "5.8"}, False),
        ({"refused": {"code": "not_now", "gaps": {}}}, True),
    ],
)
def test_replay_agrees_where_both_can_say_it(now: dict[str, Any], agrees: bool) -> None:
    """Sentences were recorded in English then; taken or not, where it led and why are compared."""
    then = step("report", {"what": "uncovered"}, clause="6.1", reason="as it was worded then")
    entry = Entry("step", VERSION, 5.0, 1, 1, canonical({**then, **now}))
    assert forms.agrees(record(then, 2), entry) is agrees


# --- checkpoints --------------------------------------------------------------------------------

SHOE = {"number": 3, "deck_set": "red", "decks": 8, "verified_by": "pia", "burn_left": 0}
CHECKPOINT_2: dict[str, Any] = {
    "opened": True,
    "suspended": False,
    "method": "B",
    "shoe": SHOE,
    "rounds": 41,
    "shoes": 3,
    "case": None,
    "queue": [],
    "latches": ["lid_was_open"],
    "request": None,
    "notices": ["the clock was put forward by 90 s"],
    "at": 77.0,
    "doubt": None,
}


def table(**more: Any) -> Any:
    state = forms.state_in(record({**CHECKPOINT_2, **more}, 2, CHECKPOINT))
    assert state.release is None, "those releases did not say who they were"
    return forms.table_of(state.table, state.version)


def test_a_checkpoint_of_an_older_form_is_todays_table() -> None:
    found = table()
    assert (found.rounds, found.shoes, found.method, found.shoe.deck_set) == (41, 3, "B", "red")
    assert found.phase is Phase.READY
    assert found.restarted_at is None
    assert found.happened == ()


def test_a_latch_holds_since_the_checkpoint_and_a_notice_is_shown_as_it_was_written() -> None:
    found = table()
    assert found.latches == (Latch(LatchKind.LID_WAS_OPEN, 77.0),)
    said = "the clock was put forward by 90 s"
    assert found.notices == (Sentence("older_notice", {"says": said}),)


@each_row(
    "more, phase",
    [
        ({"opened": False}, Phase.CLOSED),
        ({"shoe": None}, Phase.CHANGING_SHOE),
        ({"shoe": {**SHOE, "burn_left": None}}, Phase.CHANGING_SHOE),
        ({"shoe": {**SHOE, "burn_left": 2}}, Phase.CHANGING_SHOE),
        ({"change_shoe": True}, Phase.CHANGING_SHOE),
        ({}, Phase.READY),
    ],
)
def test_the_phase_that_was_worked_out_each_time_is_kept(
    more: dict[str, Any], phase: Phase
) -> None:
    assert table(**more).phase is phase


def test_a_table_that_was_suspended_is_held_since_then() -> None:
    assert table(suspended=True).restarted_at == 77.0


def test_a_checkpoint_of_today_comes_back_as_it_is() -> None:
    kept = msgspec.structs.replace(table(), latches=())
    entry = state_of_table(CHECKPOINT, VERSION, Release("9.9"), House("any"), kept)
    state = forms.state_in(chained(EMPTY, entry))
    assert forms.table_of(state.table, state.version) == kept
    assert state.release == Release("9.9")

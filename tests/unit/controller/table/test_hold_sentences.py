"""Every hold of a table explains itself: what happened, what to do now, who ends it."""

from typing import Any

import pytest

from controller.engine.hold_list import _AWAITED, hold_views
from controller.game.roles import Role
from controller.messages.catalogue import catalogue, languages
from controller.table import approvals
from controller.table.approvals import Act, Approval
from controller.table.hold_sentences import (
    ERRORS,
    TEXTS,
    detail,
    filled_sentence,
    hold_sentence,
    hold_text,
)
from controller.table.holds import CLEARED_BY, LASTING, Hold, HoldReason, HoldView, needs_two_people
from controller.table.state import DayStage, GamingDay, Table
from drivers.error_meaning import ErrorMeaning
from support.rows import each_row
from support.table.bench import Bench, code

LEAST = {"en": 18, "zh-Hans": 6}
"""Characters of the shortest sentence, in each language's own measure."""

every_language = each_row("language", languages())


def held_by(latch: Hold) -> HoldView:
    """The one hold of a table that this holds."""
    bench = Bench()
    (hold,) = hold_views(Table(day=GamingDay(DayStage.OPEN), latches=(latch,)), bench.rules)
    return hold


def explained(hold: HoldView, language: str) -> None:
    """It says what happened, what to do and who ends it: sentences, with every gap filled."""
    says = catalogue(language).text
    for each in (hold.text, hold.remedy, hold.ends):
        text = says(each)
        assert len(text) >= LEAST[language], text
        assert "{" not in text
    assert len({says(hold.text), says(hold.remedy), says(hold.ends)}) == 3, "one said twice"
    if hold.role is None:
        assert hold.ends.code in ("ends_by_device", "ends_after_others", "ends_by_players")
    else:
        assert hold.role.value in hold.ends.params.values(), "who ends it is named"


@every_language
@each_row("by", ["shoe", "shuffler", ""])
@each_row("kind", HoldReason)
def test_every_latch_explains_itself(kind: HoldReason, by: str, language: str) -> None:
    hold = held_by(Hold(kind, 7.0, by, round=3))
    explained(hold, language)
    assert (hold.since, hold.round) == (7.0, 3)
    says = catalogue(language).text(hold.text).casefold()
    assert says != kind.value.replace("_", " "), "its name alone is no sentence"


@every_language
@each_row("kind", [HoldReason.DEVICE_ERROR, HoldReason.MUST_CLEAR])
@each_row("means", ErrorMeaning)
def test_every_error_of_a_device_explains_itself(
    means: ErrorMeaning, kind: HoldReason, language: str
) -> None:
    explained(held_by(Hold(kind, 7.0, "shoe", meaning=means)), language)


def test_every_kind_has_its_row() -> None:
    assert set(TEXTS) == set(HoldReason)
    assert set(ERRORS) == set(ErrorMeaning)
    assert set(CLEARED_BY) == set(HoldReason) - LASTING, "what a person can end, a row says how"


@each_row("means", ErrorMeaning)
def test_an_error_tells_its_meaning_and_the_makers_words_beside_it(means: ErrorMeaning) -> None:
    bench = Bench().deal("9H", "2C")
    bench.device("error", code=12, means=means.value, says="E-12 at slot 3", must_clear=True)
    found = hold_views(bench.table, bench.rules)
    assert found, "a shoe that gives no card holds the table"
    words = [hold.detail.params["says"] for hold in found if hold.detail is not None]
    assert "E-12 at slot 3" in words
    assert ERRORS[means].remedy.value in [hold.remedy.code for hold in found]
    for hold in found:
        explained(hold, "en")


CASES: dict[str, Any] = {
    "answer": lambda: _reported("simultaneous"),
    "approve": lambda: _reported("wrong_count"),
    "decide": lambda: _reported("uncovered"),
    "lies": lambda: _reported("wrong_number"),
}


@every_language
@pytest.mark.parametrize("waits", CASES)
def test_a_case_says_who_reported_what(waits: str, language: str) -> None:
    bench = CASES[waits]()
    (hold,) = hold_views(bench.table, bench.rules)
    assert hold.remedy.code == _AWAITED[waits].value
    assert hold.text.params["by"] == "dan"
    explained(hold, language)


def _reported(what: str) -> Bench:
    bench = Bench().deal("9H", "2C", wagers=(("ann", "tie", 100),))
    bench.say("report", what=what)
    return bench


def test_a_card_the_shoe_could_not_read_is_named_by_its_number() -> None:
    bench = Bench().deal("9H", "??")
    (hold,) = hold_views(bench.table, bench.rules)
    assert (hold.text.code, hold.text.params["n"]) == ("held_card_unread", 2)
    explained(hold, "en")


@every_language
def test_a_count_and_a_restart_explain_themselves(language: str) -> None:
    bench = Bench().deal("9H")
    bench.restart()
    bench.device("events_lost")
    found = hold_views(bench.table, bench.rules)
    assert [hold.cause for hold in found] == ["count", "restart"]
    assert [hold.round for hold in found] == [1, 1]
    for hold in found:
        explained(hold, language)


def test_what_differs_is_told_in_the_latchs_own_words() -> None:
    bench = Bench().deal("9H", "2C", "KD", "6S")
    bench.device("result", winner="banker")
    (hold,) = hold_views(bench.table, bench.rules)
    assert hold.text.code == "winner_differs"
    assert hold.detail is None


def test_text_of_follows_the_meaning_only_where_there_is_one() -> None:
    plain = Hold(HoldReason.DEVICE_ERROR, by="shoe")
    assert hold_text(plain) is TEXTS[HoldReason.DEVICE_ERROR]
    jam = Hold(HoldReason.DEVICE_ERROR, by="shoe", meaning=ErrorMeaning.JAM)
    assert hold_text(jam) is ERRORS[ErrorMeaning.JAM]
    assert hold_sentence(jam) == filled_sentence(ERRORS[ErrorMeaning.JAM].text, jam)
    assert detail(jam) is None


# --- clearing -----------------------------------------------------------------------------------


def cleared_lid(**given: str) -> Bench:
    bench = Bench().deal("9H")
    bench.device("lid_open")
    bench.device("lid_closed")
    bench.say("resume", "pia", **given)
    return bench


def test_why_a_hold_was_cleared_is_written_down() -> None:
    bench = cleared_lid(reason="I looked, nothing was touched")
    (told,) = [each for each in bench.table.notices if each.code == "cleared_because"]
    assert told.params == {
        "holds": ["lid_was_open"],
        "by": "pia",
        "says": "I looked, nothing was touched",
    }


@each_row("reason", [{}, {"reason": ""}, {"reason": "  "}])
def test_that_nobody_gave_a_reason_is_written_down_too(reason: dict[str, str]) -> None:
    bench = cleared_lid(**reason)
    assert bench.state == "dealing", "in JSON lines it is recorded, not refused"
    (told,) = [each for each in bench.table.notices if each.code.startswith("cleared_")]
    assert (told.code, told.params["by"]) == ("cleared_without_reason", "pia")


def test_a_row_that_says_so_asks_for_a_second_person(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Approval(Act.RESUME, Role.PIT_SUPERVISOR, second=True, house="two look into the shoe")
    monkeypatch.setitem(approvals.APPROVALS, Act.RESUME, row)
    assert needs_two_people(HoldReason.LID_WAS_OPEN)
    bench = cleared_lid(reason="I looked")
    assert bench.state == "halted"
    (hold,) = hold_views(bench.table, bench.rules)
    assert (hold.second, hold.ends.code) == (True, "ends_by_two")
    assert bench.table.request is not None
    assert bench.table.request.reason == "I looked"
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "paul")
    assert bench.state == "dealing"


def test_the_reason_of_whoever_asked_is_kept_when_another_approves() -> None:
    bench = Bench().deal("9H", "2C", "KD", "6S")
    bench.device("result", winner="banker")
    bench.say("resume", "pia", reason="the cards lie open: the Player has 9")
    assert bench.table.request is not None
    assert bench.table.request.reason == "the cards lie open: the Player has 9"
    bench.say("approve", "paul")
    assert {"cleared_because", "went_on_over_device"} <= {e.code for e in bench.table.notices}

"""A field that a word or a report does not have is refused by name, typed or as a JSON line."""

import json
import random
from typing import Any

import pytest

from controller.engine.session import Session, open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.terminal.json_lines import JsonLines
from controller.terminal.phrases import Speech
from controller.views.structs.encoding import plain
from support.rows import each_row

BOOK = "mbs-baccarat-8"
OPENING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("open_table", {}),
    ("load_shoe", {"deck_set": "blue", "verified_by": "max", "cut": True}),
    ("approve", {}),
    ("open_betting", {}),
)


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def session(journal: MemoryJournal) -> Session:
    """A table that takes wagers."""
    rules = Rules(rulebook(BOOK), HouseRules(BOOK, burn="none"))
    found = open_session(rules, journal, Sealer(bytes(32), random.Random(1).randbytes))
    lines = JsonLines(found)
    for word, given in OPENING:
        who = "max" if word == "approve" else "pia"
        assert said(lines, word, given, who=who)["accepted"]
    return found


def said(lines: JsonLines, word: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    line = {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": word, "with": given}
    return plain(lines.answer(json.dumps(line | more).encode()))


def last(journal: MemoryJournal) -> dict[str, Any]:
    *_, record = journal.records()
    body: dict[str, Any] = json.loads(record.body)
    return body


WAGER = {"player": "ann", "position": 1, "wager": "banker", "amount": 2000}

WRONG: list[tuple[str, dict[str, Any], str, dict[str, str]]] = [
    (
        "report",
        {"what": "wrong_order", "order": [2, 1]},
        "no_such_report_field",
        {"what": "wrong_order", "field": "order"},
    ),
    (
        "report",
        {"what": "wrong_order", "facts": {"belongs": True}},
        "no_such_fact",
        {"what": "wrong_order", "field": "belongs"},
    ),
    (
        "report",
        {"what": "simultaneous", "lies": {"player": [1]}},
        "no_such_report_field",
        {"what": "simultaneous", "field": "lies"},
    ),
    ("report", {"what": "dropped_card"}, "no_such_report", {"what": "dropped_card"}),
    ("report", {}, "field_needed", {"word": "report", "field": "what"}),
    (
        "place",
        {**WAGER, "amuont": 1},
        "no_such_field",
        {"word": "place", "field": "amuont"},
    ),
    (
        "place",
        {"player": "ann", "position": 1, "wager": "banker"},
        "field_needed",
        {"word": "place", "field": "amount"},
    ),
    (
        "place",
        {**WAGER, "amount": "much"},
        "field_not_as_it_must_be",
        {"word": "place", "field": "amount"},
    ),
    ("close_betting", {"now": True}, "no_such_field", {"word": "close_betting", "field": "now"}),
]


@each_row("word, given, code, gaps", WRONG)
def test_json_line_is_refused_by_the_fields_name(
    session: Session,
    journal: MemoryJournal,
    word: str,
    given: dict[str, Any],
    code: str,
    gaps: dict[str, str],
) -> None:
    before = session.machine.table
    answer = said(JsonLines(session), word, given)
    assert answer["accepted"] is False
    assert (answer["code"], answer["gaps"]) == (code, gaps)
    assert all(name in answer["reason"] for name in gaps.values() if name == gaps.get("field"))
    assert session.machine.table == before, "nothing was taken"
    recorded = last(journal)
    assert recorded["refused"] == {"code": code, "gaps": gaps}
    assert recorded["in"].get("with", {}) == given, "as it came"


@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_devices_line_is_refused_by_the_fields_name(session: Session, device: str) -> None:
    line = {"from": device, "event": "lid_open", "with": {"wide": True}}
    answer = plain(JsonLines(session).answer(json.dumps(line).encode()))
    assert (answer["code"], answer["gaps"]) == (
        "no_such_field",
        {"word": "lid_open", "field": "wide"},
    )


@each_row(
    "line, code, gaps",
    [
        (
            "report wrong_order order=2,1",
            "no_such_report_field",
            {"what": "wrong_order", "field": "order"},
        ),
        (
            "report wrong_order belongs=yes",
            "no_such_report_field",
            {"what": "wrong_order", "field": "belongs"},
        ),
        ("report dropped_card", "no_such_report", {"what": "dropped_card"}),
        (
            "place player=ann position=1 wager=banker amount=100 amuont=1",
            "no_such_field",
            {"word": "place", "field": "amuont"},
        ),
        (
            "place player=ann position=1 wager=banker",
            "field_needed",
            {"word": "place", "field": "amount"},
        ),
        ("close_betting now=yes", "no_such_field", {"word": "close_betting", "field": "now"}),
    ],
)
def test_typed_line_is_refused_by_the_fields_name(
    session: Session, line: str, code: str, gaps: dict[str, str]
) -> None:
    answer = session.handle(Speech().understand(line))
    assert not answer.accepted
    assert answer.why is not None
    assert (answer.why.code, answer.why.params) == (code, gaps)


@pytest.mark.parametrize("name", ["Ann", "ann", "Åsa Ö.", "seat 7", "安娜", "o'Neill"])
def test_players_name_stays_as_it_was_sent(
    session: Session, journal: MemoryJournal, name: str
) -> None:
    lines = JsonLines(session)
    wager = {"position": 1, "wager": "banker", "amount": 2000}
    own = said(lines, "place", wager, **{"from": "player", "who": name, "role": None})
    assert own["accepted"], own
    assert last(journal)["in"]["who"] == name
    theirs = said(lines, "place", {**wager, "position": 2, "player": name})
    assert theirs["accepted"], theirs
    assert last(journal)["in"]["with"]["player"] == name
    said(lines, "close_betting", {})
    for card in ("9H", "2C", "KD", "3S"):
        shown = plain(
            lines.answer(json.dumps({"from": "shoe", "event": "card", "card": card}).encode())
        )
        assert shown["accepted"], shown
    said(lines, "announce", {})
    settled = said(lines, "settle", {})
    assert [each["player"] for each in settled["settlements"]] == [name, name]


# --- the line itself ------------------------------------------------------------------------------


@each_row(
    "more, why",
    [
        ({"event": "card", "card": "9H", "with": {"card": "2C"}}, "`card` is given on the line"),
        ({"event": "error", "code": 3, "with": {"code": 7}}, "`code` is given on the line"),
        ({"event": "card", "card": "9H", "index": 10**9 + 1}, "`index` is a number"),
        ({"event": "card", "card": "9H", "index": -1}, "`index` is a number"),
        ({"event": "error", "code": 10**40}, "`code` is a number"),
        ({"event": "card", "card": "9H", "at": -1}, "`at` is a number"),
        ({"event": "card", "card": "9H", "at": 1e300}, "`at` is a number"),
        ({"event": "card", "from": "s" * 65}, "`from` has more than 64"),
        ({"event": "card", "role": "r" * 65}, "`role` has more than 64"),
    ],
)
def test_a_line_that_says_two_things_or_has_no_end_changes_nothing(
    session: Session, journal: MemoryJournal, more: dict[str, Any], why: str
) -> None:
    before = journal.head
    answer = plain(JsonLines(session).answer(json.dumps({"from": "shoe", **more}).encode()))
    assert why in answer["error"]
    assert journal.head == before


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("place", {**WAGER, "x" * 5000: 1}),
        ("report", {"what": "wrong_order", "x" * 5000: 1}),
        ("report", {"what": "wrong_order", "facts": {"x" * 5000: True}}),
        ("report", {"what": "x" * 5000}),
    ],
)
def test_a_name_without_end_is_not_told_back_whole(
    session: Session, word: str, given: dict[str, Any]
) -> None:
    answer = said(JsonLines(session), word, given)
    assert not answer["accepted"]
    assert "x" * 65 not in answer["reason"]
    assert "x" * 64 + "…" in answer["reason"]


def test_neither_is_a_word_or_a_field_of_the_line_that_nobody_knows(session: Session) -> None:
    for line in ({"from": "staff", "do": "x" * 5000}, {"from": "staff", "x" * 5000: 1}):
        answer = plain(JsonLines(session).answer(json.dumps(line).encode()))
        assert len(answer["error"]) <= 300


@pytest.mark.parametrize("field", ["via", "commitment"])
def test_what_only_records_hold_is_not_taken_from_outside(session: Session, field: str) -> None:
    """Nobody at a table says of their own word that the floor carried it."""
    line = {"from": "staff", "do": "close_betting", "who": "pia", "role": "dealer", field: "floor"}
    told = plain(JsonLines(session).answer(json.dumps(line).encode()))
    assert f"unknown field `{field}`" in told["error"]

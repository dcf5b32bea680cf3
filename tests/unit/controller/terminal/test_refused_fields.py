"""A field that a word or a report does not have is refused by name, typed or as a JSON line."""

import json
import random
from typing import Any

import pytest

from controller.engine.session import Session, open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.rules import House, Rules
from controller.terminal.json_lines import JsonLines
from controller.terminal.phrases import Speech

BOOK = "mbs-baccarat-8"
OPENING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("open_table", {}),
    ("load_shoe", {"deck_set": "blue", "verified_by": "pia", "cut": True}),
    ("open_betting", {}),
)


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def session(journal: MemoryJournal) -> Session:
    """A table that takes wagers."""
    rules = Rules(rulebook(BOOK), House(BOOK, burn="none"))
    found = open_session(rules, journal, Sealer(bytes(32), random.Random(1).randbytes))
    lines = JsonLines(found)
    for word, given in OPENING:
        assert said(lines, word, given)["accepted"]
    return found


def said(lines: JsonLines, word: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    line = {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": word, "with": given}
    return lines.answer(json.dumps(line | more).encode())


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


@pytest.mark.parametrize(("word", "given", "code", "gaps"), WRONG)
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
    answer = JsonLines(session).answer(json.dumps(line).encode())
    assert (answer["code"], answer["gaps"]) == (
        "no_such_field",
        {"word": "lid_open", "field": "wide"},
    )


@pytest.mark.parametrize(
    ("line", "code", "gaps"),
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
    assert (answer.why.code, answer.why.gaps) == (code, gaps)


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
        shown = lines.answer(json.dumps({"from": "shoe", "event": "card", "card": card}).encode())
        assert shown["accepted"], shown
    said(lines, "announce", {})
    settled = said(lines, "settle", {})
    assert [each["player"] for each in settled["settlements"]] == [name, name]

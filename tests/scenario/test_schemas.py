"""What every story sends and keeps is what `sabot schema` says it is."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator  # it comes with schemathesis

from controller.journal.audit import plain
from controller.journal.memory import MemoryJournal
from controller.views.schemas import line_schema, record_schema
from controller.views.shapes import AnswerShape
from memory_link import open_in_memory
from story import Link, Story, stories

FAMILIES = sorted({path.parent.name for path, _ in stories()})

MALFORMED = {
    *("no_such_field", "field_needed", "field_not_as_it_must_be"),
    *("no_such_report", "no_such_report_field", "no_such_fact", "not_your_word"),
}
"""Refusals of a line that no table would take, however it stands."""


@cache
def line_rules() -> Draft202012Validator:
    return Draft202012Validator(line_schema())


@cache
def record_rules() -> Draft202012Validator:
    return Draft202012Validator(record_schema())


def play(path: Path, book: str) -> MemoryJournal:
    journal = MemoryJournal()

    def opened(book: str, house: dict[str, Any]) -> Link:
        link = open_in_memory(book, house, journal)
        send = link.send

        def checked(line: dict[str, Any]) -> dict[str, Any]:
            answer = send(line)
            assert line_rules().is_valid(line) is (answer["code"] not in MALFORMED), (line, answer)
            told = {name: value for name, value in answer.items() if name != "line"}
            msgspec.convert(told, AnswerShape, strict=True)
            return answer

        link.send = checked
        return link

    Story(opened, book).play(path.read_text("utf-8"))
    return journal


@pytest.mark.parametrize("family", FAMILIES)
def test_lines_and_records_of_every_story_fit_their_schemas(family: str) -> None:
    kinds = set()
    for path, book in stories():
        if path.parent.name != family:
            continue
        for record in play(path, book).records():
            shown = json.loads(json.dumps(plain(record)))
            record_rules().validate(shown)
            kinds.add((record.kind, shown["body"].get("accepted")))
    assert kinds >= {
        ("step", True),
        *((kind, None) for kind in ("summary", "checkpoint", "release")),
    }


def records() -> list[dict[str, Any]]:
    path, book = next(each for each in stories() if each[0].stem == "simultaneous")
    return [json.loads(json.dumps(plain(record))) for record in play(path, book).records()]


@pytest.mark.parametrize("place", [(), ("body",), ("body", "in"), ("body", "in", "with")])
def test_record_with_something_more_is_none(place: tuple[str, ...]) -> None:
    step = next(each for each in records() if each["body"].get("in", {}).get("do") == "place")
    assert record_rules().is_valid(step)
    where = step
    for name in place:
        where = where[name]
    where["colour"] = "red"
    assert not record_rules().is_valid(step)


def test_record_of_an_older_form_is_none() -> None:
    for record in records():
        assert not record_rules().is_valid({**record, "version": record["version"] - 1})

"""Whether what a story sends, hears and keeps is what `sabot schema` says it is."""

from functools import cache
from typing import Any, Final

import msgspec
from jsonschema_rs import Draft202012Validator  # it comes with schemathesis

from controller.journal.audit import plain
from controller.journal.memory import MemoryJournal
from controller.journal.records import Record
from controller.terminal.json_lines import LineAnswer
from controller.views.schemas import REF, document, line_schema, record_schema, sent_schemas
from controller.views.structs.audience_views import StaffView
from scenario.memory_link import open_in_memory
from scenario.story import Link, Story

MALFORMED: Final = {
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


@cache
def answer_rules() -> Draft202012Validator:
    return _of_what_is_sent(LineAnswer)


@cache
def view_rules() -> Draft202012Validator:
    return _of_what_is_sent(StaffView)


def _of_what_is_sent(struct: type[msgspec.Struct]) -> Draft202012Validator:
    """Every field that the struct has, and no other."""
    refs, defs = sent_schemas([struct], REF)
    for each in defs.values():
        if "properties" in each:
            each["additionalProperties"] = False
    return Draft202012Validator(document(struct.__name__, refs[struct], defs))


def shown(record: Record) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(plain(record))
    return found


def played(text: str, book: str, named_after: str | None = None) -> list[dict[str, Any]]:
    """The records of a story in memory. Its lines, its answers and all that it keeps fit."""
    journal = MemoryJournal()

    def opened(book: str, house: dict[str, Any]) -> Link:
        link = open_in_memory(book, house, journal)
        send = link.send

        def checked(line: dict[str, Any]) -> dict[str, Any]:
            answer = send(line)
            assert line_rules().is_valid(line) is (answer["code"] not in MALFORMED), (line, answer)
            answer_rules().validate(answer)
            view_rules().validate(link.pit())
            return answer

        link.send = checked
        return link

    Story(opened, book, named_after=named_after).play(text)
    records = [shown(record) for record in journal.records()]
    for record in records:
        record_rules().validate(record)
    return records

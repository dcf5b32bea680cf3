"""`sabot schema`: what it prints is JSON Schema, and says what the product takes."""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, meta  # it comes with schemathesis

from controller.journal.records import RECORD_FORMAT
from controller.table.commands.people import Facts, ReportCommand
from controller.table.commands.registry import REGISTRY
from controller.table.commands.reports import FORMS, IDS
from support import programs
from support.rows import each_row

EXAMPLE = Path(__file__).parents[4] / "deploy/table.example.toml"
KINDS = ("words", "config", "records")

DEALER = {"from": "staff", "who": "d", "role": "dealer"}
PLACE = {"player": "ann", "position": 1, "wager": "banker", "amount": 2000}


@cache
def schema(kind: str) -> dict[str, Any]:
    run = programs.call("schema", kind)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(schema(kind))


def fits(kind: str, found: object) -> bool:
    return validator(kind).is_valid(found)


def references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (str(value) for key, value in part.items() if key == "$ref")
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from references(each)


@each_row("kind", KINDS)
def test_it_is_a_schema_and_its_references_lead_somewhere(kind: str) -> None:
    found = schema(kind)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert meta.is_valid(found)
    assert {each.removeprefix("#/$defs/") for each in references(found)} <= found["$defs"].keys()


def test_every_word_has_a_line_for_whoever_says_it() -> None:
    listed: dict[str, set[str]] = {}
    for line in schema("words")["oneOf"]:
        listed.setdefault(line["title"], set()).update(line["properties"]["from"]["enum"])
    assert listed == {name: set(spec.speakers) for name, spec in REGISTRY.items()}


def test_every_report_has_the_fields_it_has() -> None:
    whole = {each["$ref"] for each in schema("words")["$defs"]["ReportCommand"]["oneOf"]}
    assert whole == {f"#/$defs/Report_{what}" for what in IDS}
    values: dict[str, Any] = {
        **{"facts": {}, "cards": [1], "order": [1], "lies": {"player": [1]}},
        **{"round": 1, "hand": "player", "to": "bo", "wagers": ["w1"], "text": "x"},
    }
    for what, form in FORMS.items():
        for name in set(ReportCommand.__struct_fields__) - {"what"}:
            has = name in ("round", *form.fields) or (name == "facts" and bool(form.facts))
            line = {**DEALER, "do": "report", "with": {"what": what, name: values[name]}}
            assert fits("words", line) is has, (what, name)
        for fact in Facts.__struct_fields__:
            line = {**DEALER, "do": "report", "with": {"what": what, "facts": {fact: True}}}
            assert fits("words", line) is (fact in form.facts), (what, fact)


@each_row(
    "line, right",
    [
        ({**DEALER, "do": "place", "with": PLACE}, True),
        ({**DEALER, "do": "place", "with": {**PLACE, "amuont": 1}}, False),
        ({**DEALER, "do": "place", "with": {"wager": "banker"}}, False),
        ({**DEALER, "do": "place"}, False),
        ({**DEALER, "do": "open_table"}, True),
        ({**DEALER, "do": "open_table", "with": {"now": True}}, False),
        ({**DEALER, "do": "open_table", "rolle": "dealer"}, False),
        ({**DEALER, "do": "dance"}, False),
        ({"from": "shoe", "event": "card", "card": "9H", "hand": "player", "index": 1}, True),
        ({"from": "shoe", "event": "card", "with": {"card": "9H"}}, True),
        ({"from": "shoe", "event": "card", "card": "9H", "winner": "player"}, False),
        ({"from": "shoe", "do": "card", "card": "9H"}, False),
        ({**DEALER, "do": "card", "with": {"card": "9H"}}, False),
        ({"from": "shoe", "event": "card", "commitment": "00"}, False),
        ({"from": "shuffler", "event": "verified", "with": {"cards": 416}}, True),
        ({"from": "player", "who": "Ann", "do": "open_table"}, False),
        ([], False),
    ],
)
def test_a_line_fits_when_a_table_would_look_at_it(line: object, right: bool) -> None:
    assert fits("words", line) is right


def test_example_of_a_configuration_fits_and_a_misspelt_key_does_not() -> None:
    example = tomllib.loads(EXAMPLE.read_text("utf-8"))
    assert fits("config", example)
    assert not fits("config", {**example, "tabel": {}})
    assert not fits("config", {**example, "table": {**example["table"], "deks": 8}})
    assert not fits("config", {**example, "money": {**example["money"], "minor_units": 9}})
    assert not fits("config", {"money": example["money"]})


def test_records_are_those_of_the_form_written_today() -> None:
    kinds = {each["title"] for each in schema("records")["oneOf"]}
    assert kinds == {"step", "summary", "checkpoint", "release", "keys"}
    for each in schema("records")["oneOf"]:
        assert each["properties"]["version"] == {"const": RECORD_FORMAT}


def test_there_is_no_other_schema() -> None:
    run = programs.call("schema", "views")
    assert run.returncode == 2

"""The document for machines, and a machine that tries everything it allows and more."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from jsonschema_rs import Draft202012Validator  # it comes with schemathesis
from schemathesis.core.result import Ok

from controller.console.handlers.fields import SAID
from controller.table.commands.reports import IDS, report_fields
from support.console.consoles import Browser, Console, RunningTable
from support.rows import each_row

ROOT = Path(__file__).parents[5]
Prepare = Callable[[RunningTable], None]


def test_every_route_and_every_word_is_in_it(console: Console, browser: Browser) -> None:
    found = browser.get("/openapi.json").json()
    assert {f"/api/commands/{word}" for word in SAID} <= set(found["paths"])
    for path in ("/api/sign-in", "/api/rounds/{shoe}/{n}/proof", "/healthz"):
        assert path in found["paths"]
    assert console.context.table in browser.get("/api/about").text


def test_document_is_a_valid_one(browser: Browser) -> None:
    schema = schemathesis.openapi.from_dict(browser.get("/openapi.json").json())
    schema.validate()


def test_references_lead_somewhere(browser: Browser) -> None:
    found = browser.get("/openapi.json").json()

    def references(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            yield from (value for key, value in part.items() if key == "$ref")
            for value in part.values():
                yield from references(value)
        elif isinstance(part, list):
            for value in part:
                yield from references(value)

    for reference in references(found):
        place: Any = found
        for name in reference.removeprefix("#/").split("/"):
            place = place[name]


def body_of(document: dict[str, Any], word: str) -> Draft202012Validator:
    """What may be posted to say a word."""
    post = document["paths"][f"/api/commands/{word}"]["post"]
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    return Draft202012Validator({**schema, "components": document["components"]})


WAGER = {"player": "bo", "position": 1, "wager": "tie", "amount": 100}
SAID_WITH: list[tuple[str, dict[str, Any]]] = [
    ("open_table", {}),
    ("open_table", {"now": True}),
    ("load_shoe", {"deck_set": "a", "verified_by": "b", "cut": True}),
    ("load_shoe", {"deck_set": "a", "verified_by": "b"}),
    ("place", WAGER),
    ("place", {**WAGER, "player": None}),
    ("place", {**WAGER, "amuont": 1}),
    ("place", {**WAGER, "amount": 0}),
    ("raise", {"id": 7, "amount": 100}),
    ("raise", {"id": None, "amount": 100}),
    ("enter_card", {"card": "9H"}),
    ("enter_card", {"card": None}),
    ("report", {"what": "simultaneous", "cards": [1, 2], "order": [2, 1]}),
    ("report", {"what": "simultaneous", "facts": {"order_known": True}, "round": 3}),
    ("report", {"what": "wrong_order", "lies": {"player": [2, 1]}}),
    ("report", {"what": "wrong_order", "order": [2, 1]}),
    ("report", {"what": "wrong_order", "facts": {"belongs": True}}),
    ("report", {"what": "late_wager", "facts": {}}),
    ("report", {"what": "dropped_card"}),
    ("report", {"cards": [1]}),
    ("report", {}),
]


@each_row("word, given", SAID_WITH)
def test_body_fits_exactly_when_the_console_can_read_it(
    browser: Browser, word: str, given: dict[str, Any]
) -> None:
    browser.sign_in("kim")
    fits = body_of(browser.get("/openapi.json").json(), word)
    body = {"key": "one-tap-1", "with": given}
    readable = browser.post(f"/api/commands/{word}", body).status_code != 400
    assert fits.is_valid(body) is readable


@each_row("what", IDS)
def test_each_report_has_a_schema_of_its_own_fields(browser: Browser, what: str) -> None:
    found = browser.get("/openapi.json").json()["components"]["schemas"]
    assert {"$ref": f"#/components/schemas/Report_{what}"} in found["ReportCommand"]["oneOf"]
    own = found[f"Report_{what}"]
    assert own["properties"]["what"] == {"enum": [what]}
    assert tuple(own["properties"]) == report_fields(what)
    assert own["additionalProperties"] is False


def test_answers_and_problems_are_as_the_document_says(console: Console, browser: Browser) -> None:
    document = browser.get("/openapi.json").json()

    def told(name: str) -> Draft202012Validator:
        schema = {"$ref": f"#/components/schemas/{name}"}
        return Draft202012Validator({**schema, "components": document["components"]})

    browser.sign_in("sam")
    dealing(console.table)
    carried_out = browser.say("report", what="simultaneous")
    told("StepAnswer").validate(carried_out.json())
    assert carried_out.json()["phase"] == "dealing"
    assert [each["what"] for each in carried_out.json()["held"]] == ["simultaneous"]
    told("CommandList").validate(browser.get("/api/commands").json())
    for problem in (
        browser.say("settle"),
        browser.say("expose", hand="dragon"),
        browser.post("/api/commands/approve", {"key": "one-tap-1", "seen": 1}),
        browser.say("dance"),
    ):
        told("ProblemBody").validate(problem.json())
    for name in ("code", "gaps", "phase", "held"):
        assert name in document["components"]["schemas"]["StepAnswer"]["required"]
    for name in ("code", "gaps"):
        assert name in document["components"]["schemas"]["ProblemBody"]["required"]


def closed(table: RunningTable) -> None:
    """As a table is found in the morning."""


def ready(table: RunningTable) -> None:
    table.staff("open_table")
    table.load_shoe()


def dealing(table: RunningTable) -> None:
    """Two cards lie sealed."""
    ready(table)
    table.staff("method", "kim", "gaming_shift_manager", method="A")
    table.staff("open_betting")
    table.staff("place", player="bo", position=1, wager="player", amount=2000)
    table.staff("close_betting")
    table.shoe("9H", "2C")


def halted(table: RunningTable) -> None:
    """Somebody has to say in which order two cards came."""
    dealing(table)
    table.staff("report", what="simultaneous")


def try_everything(folder: Path, examples: int, prepare: Prepare) -> None:
    """Each operation with made-up requests, right ones and wrong ones; never a 5xx."""
    console = Console(folder)
    with console.browser() as browser:
        browser.sign_in("kim")
        prepare(console.table)
        document = browser.get("/openapi.json").json()
        schema = schemathesis.openapi.from_dict(document)
        left_out = ("/api/sign-out", "/api/lock")  # they would end the trying
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            if operation.path in left_out:
                continue

            @settings(
                max_examples=examples,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @_given(operation)
            def attempt(case: Any) -> None:
                headers = {**dict(case.headers or {}), "X-Sabot-Csrf": browser.csrf}
                answer = browser.http.request(
                    case.method,
                    case.formatted_path,
                    params=dict(case.query or {}) or None,
                    content=_raw(case.body),
                    headers={name: _plain(value) for name, value in headers.items()},
                )
                assert answer.status_code < 500, (case.method, case.formatted_path, answer.text)

            attempt()
        assert browser.get("/readyz").status_code == 200, "the table still runs"


def _given(operation: Any) -> Callable[[Callable[[Any], None]], Callable[[], None]]:
    from hypothesis import given

    modes = schemathesis.GenerationMode
    both = operation.as_strategy(generation_mode=modes.POSITIVE) | operation.as_strategy(
        generation_mode=modes.NEGATIVE
    )
    return given(case=both)


def _raw(body: Any) -> bytes:
    if type(body).__name__ == "NotSet":
        return b""
    return body if isinstance(body, bytes) else json.dumps(body).encode()


def _plain(value: Any) -> str:
    return str(value).encode("ascii", "ignore").decode().replace("\n", "").replace("\r", "")


@pytest.mark.second_tier
def test_no_made_up_request_breaks_the_server(tmp_path: Path) -> None:
    try_everything(tmp_path, 1, dealing)


@pytest.mark.second_tier
@pytest.mark.parametrize("prepare", [closed, ready, dealing, halted])
def test_no_made_up_request_breaks_the_server_for_long(tmp_path: Path, prepare: Prepare) -> None:
    try_everything(tmp_path, 60, prepare)


def test_manual_and_server_name_the_same_requests(browser: Browser) -> None:
    """deploy/manual/api.md is what people read: nothing is missing there, nothing made up."""
    manual = (ROOT / "deploy/manual/api.md").read_text("utf-8")
    written = set(re.findall(r"`(?:GET|POST) (/[^`? ]*)`", manual)) | {"/api/rounds/export.jsonl"}
    served = set(browser.get("/openapi.json").json()["paths"])
    words = {path for path in served if path.startswith("/api/commands/")}
    pages = {"/", "/NAME", "/static/...", "/openapi.json", "/api/commands/{word}"}
    assert written - pages == served - words

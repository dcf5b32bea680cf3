"""Words through the web: typed, once, by whom, about what was seen."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from controller.console.handlers import fields
from controller.game.irregularities import Fact
from controller.messages.catalogue import Currency
from controller.table.commands.message import MalformedPayload, has_unprintable_text, typed_payload
from controller.table.commands.registry import REGISTRY
from support.console.consoles import PINS, Browser, Console
from support.rows import each_row

SHOE: dict[str, Any] = {"deck_set": "red-1", "verified_by": "sam", "cut": True}
KINDS = {
    *("text", "number", "money", "yes_no", "choice", "hand", "card", "cards", "wager", "wagers"),
    *("facts", "counts", "lies"),
}
"""What deploy/manual/api.md promises a page: it has a control for each."""

SAMPLES: dict[str, Any] = {
    "wagers": ["w1"],
    "facts": {},
    "cards": [1],
    "order": [1],
    "lies": {"player": [1]},
    "round": 1,
    "hand": "player",
    "to": "bo",
}
"""A right value for each field of a report."""


def ready(browser: Browser) -> None:
    """The table is open and has a shoe."""
    assert browser.sign_in("sam").status_code == 200
    assert browser.say("open_table").status_code == 200
    assert browser.say("load_shoe", **{**SHOE, "verified_by": "mia"}).status_code == 200
    assert browser.say("approve", second="mia").status_code == 200


def steps(console: Console, word: str) -> list[dict[str, Any]]:
    bodies = [json.loads(record.body) for record in console.journal.records()]
    return [body for body in bodies if body.get("in", {}).get("do") == word]


def test_round_is_played_through_the_web(console: Console, browser: Browser) -> None:
    ready(browser)
    browser.sign_in("anna")
    assert browser.say("open_betting").json()["state"] == "betting"
    wager: dict[str, Any] = {
        "player": "bo", "position": 1, "wager": "banker", "amount": 2000,
    }  # fmt: skip
    assert browser.say("place", **wager).status_code == 200
    assert browser.say("close_betting").json()["state"] == "dealing"
    console.table.shoe("9H", "2C", "KD", "3S")
    assert browser.say("announce").json()["state"] == "settling"
    settled = browser.say("settle").json()
    assert settled["state"] == "ready"
    assert settled["settlements"][0]["result"] == "lose"
    assert browser.get("/api/roads").json()["results"] == ["P"]
    recorded = steps(console, "settle")[0]["in"]
    assert (recorded["who"], recorded["role"]) == ("anna", "dealer")


def test_refusal_is_recorded_and_says_what_can_be_done(console: Console, browser: Browser) -> None:
    ready(browser)
    answer = browser.say("settle")
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["type"] == "/problems/refused"
    assert (problem["code"], problem["gaps"]) == ("not_now", {"phase": "ready"})
    assert problem["detail"]
    assert problem["next"][0] == "open_betting"
    assert steps(console, "settle")[0]["accepted"] is False


def test_refusal_names_the_clause(browser: Browser) -> None:
    ready(browser)
    answer = browser.say("method", method="Z")
    assert answer.status_code == 422
    assert answer.json()["clause"]


WAGER: dict[str, Any] = {"player": "bo", "position": 1, "wager": "tie", "amount": 100}

WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("open_table", {"anything": 1}, "no_such_field", "anything"),
    ("load_shoe", {"deck_set": "a", "verified_by": "b"}, "field_needed", "cut"),
    ("load_shoe", {**SHOE, "decks": "eight"}, "field_not_as_it_must_be", "decks"),
    ("expose", {"hand": "dragon"}, "field_not_as_it_must_be", "hand"),
    ("expose", {}, "field_needed", "hand"),
    ("place", {**WAGER, "amount": -5}, "field_not_as_it_must_be", "amount"),
    ("place", {**WAGER, "amuont": 5}, "no_such_field", "amuont"),
    ("place", {**WAGER, "player": None}, "field_needed", "player"),
    ("enter_card", {"card": "1X"}, "field_not_as_it_must_be", "card"),
    ("enter_card", {"card": None}, "field_needed", "card"),
    ("answer", {"order": [[1]]}, "field_not_as_it_must_be", "order"),
    ("decide", {"text": "x" * 501}, "field_not_as_it_must_be", "text"),
    ("report", {"what": "wrong_order", "order": [2, 1]}, "no_such_report_field", "order"),
    ("report", {"what": "wrong_order", "facts": {"belongs": True}}, "no_such_fact", "belongs"),
    ("report", {"what": "late_wager", "facts": {}}, "no_such_report_field", "facts"),
]


@each_row("word, given, code, field", WRONG)
def test_wrong_fields_are_named_and_reach_no_table(
    console: Console, browser: Browser, word: str, given: dict[str, Any], code: str, field: str
) -> None:
    browser.sign_in("kim")
    answer = browser.say(word, **given)
    assert answer.status_code == 400
    problem = answer.json()
    assert problem["type"] == "/problems/bad_request"
    assert (problem["code"], problem["gaps"]["field"]) == (code, field)
    assert problem["gaps"].get("word", "report") == word
    assert field in problem["detail"]
    assert not steps(console, word)


def test_report_that_nobody_knows_is_named(console: Console, browser: Browser) -> None:
    browser.sign_in("kim")
    answer = browser.say("report", what="dropped_card")
    assert answer.status_code == 400
    problem = answer.json()
    assert (problem["code"], problem["gaps"]) == ("no_such_report", {"what": "dropped_card"})
    assert not steps(console, "report")


@each_row(
    "raw", [b"", b"[]", b"{", b'{"key":"a"}', b'{"key":"abcdefgh","x":1}', b"[" * 20_000, b"\xff"]
)
def test_body_that_cannot_be_read_changes_nothing(
    console: Console, browser: Browser, raw: bytes
) -> None:
    browser.sign_in("kim")
    headers = {"X-Sabot-Csrf": browser.csrf}
    answer = browser.http.post("/api/commands/open_table", content=raw, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["type"] == "/problems/bad_request"
    assert not steps(console, "open_table")


def test_unknown_word_and_a_devices_word_are_not_found(browser: Browser) -> None:
    browser.sign_in("kim")
    assert browser.say("fly").status_code == 404
    assert browser.say("card").status_code == 404


def test_same_key_acts_once_and_gets_the_same_answer(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    body = {"key": "one-tap-1"}
    first, second = (browser.post("/api/commands/open_table", body) for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json()
    assert len(steps(console, "open_table")) == 1


def test_refusal_is_repeated_too(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    first, second = (browser.post("/api/commands/settle", {"key": "one-tap-1"}) for _ in range(2))
    assert first.json() == second.json()
    assert len(steps(console, "settle")) == 1


def test_key_of_another_word_is_refused(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    browser.post("/api/commands/open_table", {"key": "one-tap-1"})
    other = browser.post(
        "/api/commands/load_shoe", {"key": "one-tap-1", "with": {**SHOE, "verified_by": "mia"}}
    )
    assert other.status_code == 409
    assert other.json()["type"] == "/problems/key_used"
    assert not steps(console, "load_shoe")


def test_keys_of_two_people_do_not_meet(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    browser.post("/api/commands/open_table", {"key": "one-tap-1"})
    browser.sign_in("mia")
    assert browser.post("/api/commands/open_table", {"key": "one-tap-1"}).status_code == 422
    assert len(steps(console, "open_table")) == 2


def test_many_taps_at_once_act_once(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    with ThreadPoolExecutor(8) as pool:
        told = list(
            pool.map(
                lambda _: browser.post("/api/commands/open_table", {"key": "one-tap-1"}), range(16)
            )
        )
    assert {each.status_code for each in told} == {200}
    assert len({each.text for each in told}) == 1
    assert len(steps(console, "open_table")) == 1


def test_same_key_after_a_restart_acts_not_again(console: Console, browser: Browser) -> None:
    ready(browser)
    first = browser.post("/api/commands/open_betting", {"key": "one-tap-1"}).json()
    console.table.close()
    again = Console(console.folder, journal=console.journal, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.sign_in("sam")
        assert reopened.post("/api/commands/answer", {"key": "two-tap-1", "with": {"value": False}})
        reopened.say("close_betting")
        second = reopened.post("/api/commands/open_betting", {"key": "one-tap-1"})
        assert second.status_code == 200
        assert second.json()["seq"] == first["seq"]
        assert second.json()["state"] == first["state"] == "betting"
        assert second.json()["phase"] == "dealing", "what the journal does not say is as it is now"
        assert len(steps(again, "open_betting")) == 1


def test_same_key_with_another_body_is_refused_after_a_restart_too(
    console: Console, browser: Browser
) -> None:
    ready(browser)
    browser.say("open_betting")
    wager = {"player": "bo", "position": 1, "wager": "tie", "amount": 100}
    first = browser.post("/api/commands/place", {"key": "one-tap-1", "with": wager})
    assert first.status_code == 200
    *_, record = console.journal.records()
    mark = json.loads(record.body)["in"]["mark"]
    assert mark
    console.table.close()
    again = Console(console.folder, journal=console.journal, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.sign_in("sam")
        assert reopened.post("/api/commands/answer", {"key": "two-tap-1", "with": {"value": False}})
        more = {**wager, "amount": 100_000}
        other = reopened.post("/api/commands/place", {"key": "one-tap-1", "with": more})
        assert other.status_code == 409
        assert other.json()["type"] == "/problems/key_used"
        same = reopened.post("/api/commands/place", {"key": "one-tap-1", "with": wager})
        assert (same.status_code, same.json()["seq"]) == (200, first.json()["seq"])
        assert len(steps(again, "place")) == 1


def test_word_about_what_has_moved_on_is_not_said(console: Console, browser: Browser) -> None:
    ready(browser)
    seen = browser.get("/api/table").json()["seq"]
    assert browser.post("/api/commands/open_betting", {"key": "tap-00001", "seen": seen}).is_success
    stale = browser.post("/api/commands/open_betting", {"key": "tap-00002", "seen": seen})
    assert stale.status_code == 409
    assert stale.json()["type"] == "/problems/moved_on"
    assert stale.json()["view"]["state"] == "betting"
    assert stale.json()["next"][0] == "close_betting"
    assert len(steps(console, "open_betting")) == 1
    now = browser.post(
        "/api/commands/close_betting", {"key": "tap-00002", "seen": stale.json()["seq"]}
    )
    assert now.status_code == 200, "nothing was taken: the key is free"


def test_wagers_of_others_make_no_word_stale(console: Console, browser: Browser) -> None:
    ready(browser)
    browser.say("open_betting")
    seen = browser.get("/api/table").json()["seq"]
    console.table.staff("place", player="bo", position=1, wager="tie", amount=100)
    body = {"key": "tap-00001", "seen": seen}
    assert browser.post("/api/commands/close_betting", body).status_code == 200


def test_second_person_speaks_with_their_own_pin(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    assert browser.say("open_table").status_code == 422
    assert browser.say("open_table", second="sam").status_code == 200
    said = steps(console, "open_table")[-1]["in"]
    assert (said["who"], said["role"]) == ("sam", "pit_supervisor")
    assert browser.get("/api/me").json()["who"] == "anna"


def test_second_person_is_somebody_else(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    assert browser.say("open_table", second="sam").status_code == 403
    assert not steps(console, "open_table")


def test_wrong_pin_of_a_second_person_counts(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    wrong = {"who": "sam", "secret": "0000"}
    for place in range(3):
        answer = browser.post(
            "/api/commands/open_table", {"key": f"tap-0000{place}", "second": wrong}
        )
    assert answer.status_code == 423
    assert not steps(console, "open_table")


# --- what others rely on: nobody says it without their own PIN ---------------------------------


def void_asked_for(console: Console, browser: Browser) -> None:
    """Anna has reported a wrong count: somebody else has to approve the void."""
    ready(browser)
    browser.say("open_betting")
    browser.say("close_betting")
    console.table.shoe("9H", "2C", "KD")
    console.table.staff("report", who="anna", role="dealer", what="wrong_count")


def case_open(console: Console) -> bool:
    return console.context.latest().views.pit.case is not None


def noted(console: Console) -> list[tuple[str, str]]:
    console.table.settle_down()
    lines = [json.loads(record.body).get("in", {}) for record in console.journal.records()]
    found = [line["with"] for line in lines if line.get("event") == "noted"]
    return [(each["what"], each.get("who", "")) for each in found]


GIVEN: dict[str, dict[str, Any]] = {"decide": {"text": "so", "outcome": "void"}}


@pytest.mark.parametrize("word", [spec.name for spec in REGISTRY.values() if spec.in_person])
def test_open_screen_alone_is_nobodys_word(console: Console, browser: Browser, word: str) -> None:
    """Signed in, awake, high enough, with a right CSRF token: and yet not said in person."""
    void_asked_for(console, browser)
    browser.sign_in("kim")
    seen = browser.get("/api/table").json()["seq"]
    given = GIVEN.get(word, {})
    answer = browser.post(
        f"/api/commands/{word}", {"key": "one-tap-1", "with": given, "seen": seen}
    )
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (403, "/problems/not_allowed")
    assert (problem["code"], problem["next"]) == ("takes_own_pin", ["pin"])
    assert case_open(console)
    assert not [step for step in steps(console, word) if step["in"]["who"] == "kim"]


def test_approval_with_ones_own_pin_is_carried_out(console: Console, browser: Browser) -> None:
    void_asked_for(console, browser)
    body = {"key": "one-tap-1", "secret": "2222"}
    assert browser.post("/api/commands/approve", body).status_code == 200
    assert not case_open(console)
    assert steps(console, "approve")[-1]["in"]["who"] == "sam"


def test_no_secret_is_written_down(console: Console, browser: Browser) -> None:
    void_asked_for(console, browser)
    browser.post("/api/commands/approve", {"key": "one-tap-1", "secret": "a-secret-of-sams"})
    browser.post("/api/commands/approve", {"key": "one-tap-1", "secret": "2222"})
    said = [record.body for record in console.journal.records()]
    assert not [body for body in said if b"secret" in body or b'"2222"' in body]


def test_wrong_own_pin_is_a_failed_sign_in(console: Console, browser: Browser) -> None:
    void_asked_for(console, browser)
    statuses = [
        browser.post("/api/commands/approve", {"key": f"tap-0000{place}", "secret": "0000"})
        for place in range(3)
    ]
    assert [each.status_code for each in statuses] == [401, 401, 423]
    assert [each.json()["code"] for each in statuses] == [
        *("wrong_secret", "wrong_secret", "account_locked")
    ]
    late = browser.post("/api/commands/approve", {"key": "tap-00009", "secret": "2222"})
    assert late.status_code == 401, "the right one comes too late: whoever was signed in is not"
    assert case_open(console)
    assert noted(console).count(("sign_in_failed", "sam")) == 3
    assert ("session_ended", "sam") in noted(console)
    assert ("account_locked", "sam") in noted(console)


def test_pin_of_somebody_else_is_not_ones_own(console: Console, browser: Browser) -> None:
    void_asked_for(console, browser)
    answer = browser.post("/api/commands/approve", {"key": "one-tap-1", "secret": PINS["mia"][1]})
    assert answer.status_code == 401
    assert case_open(console)


def test_who_asked_does_not_approve_with_a_pin_either(console: Console, browser: Browser) -> None:
    ready(browser)
    browser.say("open_betting")
    browser.say("close_betting")
    console.table.shoe("9H", "2C", "KD")
    assert browser.say("report", what="wrong_count").status_code == 200
    assert browser.say("approve").json()["code"] == "takes_two"
    assert case_open(console)
    browser.sign_in("anna")
    assert browser.say("approve").json()["code"] == "takes_role"
    assert case_open(console)


def test_words_and_setup_say_where_a_pin_is_asked_for(console: Console, browser: Browser) -> None:
    void_asked_for(console, browser)
    found = {each["word"]: each["pin"] for each in browser.get("/api/commands").json()["words"]}
    asked = {word for word, pin in found.items() if pin}
    in_person = browser.get("/api/about").json()["in_person"]
    assert set(in_person) == {"approve", "refuse", "decide"}
    assert asked == {"approve", "refuse"}, "what is asked is approved or refused, and not decided"


def test_correction_takes_two_people_at_one_screen(console: Console, browser: Browser) -> None:
    ready(browser)
    browser.sign_in("anna")
    browser.say("open_betting")
    browser.say("close_betting")
    console.table.shoe("9H", "2C", "KD", "3S")
    assert browser.say("correct", n=1, card="8H", reason="misread").status_code == 200
    assert browser.say("approve").status_code == 422
    assert browser.say("approve", second="sam").status_code == 200
    assert browser.get("/api/table").json()["view"]["hands"]["player"][0] == "8H"


def test_surveillance_says_nothing(browser: Browser) -> None:
    browser.sign_in("eve")
    assert browser.say("open_table").status_code == 403
    assert not any(each["mine"] for each in browser.get("/api/commands").json()["words"])
    assert browser.say("open_table", second="mia").status_code == 200


def test_words_say_whose_they_are_and_which_comes_next(browser: Browser) -> None:
    browser.sign_in("anna")
    found = {each["word"]: each for each in browser.get("/api/commands").json()["words"]}
    assert found["open_table"]["next"] is True
    assert found["open_table"]["mine"] is False
    assert found["open_table"]["role"] == "pit_supervisor"
    browser.sign_in("sam")
    found = {each["word"]: each for each in browser.get("/api/commands").json()["words"]}
    assert found["open_table"]["mine"] is True


def test_words_carry_their_fields(browser: Browser) -> None:
    ready(browser)
    browser.say("open_betting")
    found = {each["word"]: each for each in browser.get("/api/commands").json()["words"]}
    place = {each["name"]: each for each in found["place"]["fields"]}
    assert "banker" in place["wager"]["choices"]
    assert list(place) == ["player", "position", "wager", "amount", "id", "seated"]
    assert place["amount"]["kind"] == "money"
    assert place["player"]["needed"] is True
    assert place["seated"]["needed"] is False
    assert {each["name"]: each["choices"] for each in found["accept_cards"]["fields"]} == {
        "hand": ["player", "banker"],
        "player": None,
        "leave": None,
    }


def test_dealers_words_lead_before_what_players_may_do(console: Console, browser: Browser) -> None:
    def leading() -> list[str]:
        found = browser.get("/api/commands").json()["words"]
        return [each["word"] for each in found if each["next"]]

    ready(browser)
    console.table.staff("method", "kim", "gaming_shift_manager", method="A")
    browser.say("open_betting")
    assert leading() == ["close_betting", "place"]
    browser.say("place", **WAGER)
    browser.say("close_betting")
    console.table.shoe("9H", "2C", "KD", "3S")
    assert leading() == ["expose", "accept_cards"]


def test_nobody_is_offered_an_approval_while_something_else_is_asked(
    console: Console, browser: Browser
) -> None:
    ready(browser)
    browser.say("open_betting")
    browser.say("close_betting")
    console.table.shoe("9H", "2C")
    browser.sign_in("anna")
    assert browser.say("report", what="simultaneous").json()["asks"][0]["do"] == "answer"
    found = {each["word"]: each for each in browser.get("/api/commands").json()["words"]}
    assert found["answer"]["mine"] is True
    assert not {"approve", "refuse", "decide", "resume"} & set(found)


def test_stopped_table_says_so(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.table.close()
    answer = browser.say("open_table")
    assert answer.status_code == 503
    assert answer.json()["type"] == "/problems/stopped"
    assert browser.get("/readyz").status_code == 503
    assert browser.get("/healthz").status_code == 200


@each_row("word", fields.SAID)
def test_form_has_every_field_of_the_word_with_a_title(word: str) -> None:
    form = fields.form_fields(word, {})
    assert tuple(each.name for each in form) == REGISTRY[word].struct.__struct_fields__
    assert all(each.title and each.kind in KINDS for each in form)


@each_row("what, form", fields.report_forms().items())
def test_form_of_a_report_asks_for_what_the_report_has(
    what: str, form: list[fields.FormField]
) -> None:
    """Whatever the form shows is a field of this report, and nothing else is."""
    shown = {each.name for each in form}
    for name in REGISTRY["report"].struct.__struct_fields__:
        word = typed_payload("report", {"what": what, name: SAMPLES.get(name, what)})
        assert isinstance(word, MalformedPayload) is (name not in shown), name
    facts = next((each.choices or [] for each in form if each.name == "facts"), [])
    for fact in Fact:
        word = typed_payload("report", {"what": what, "facts": {fact.value: True}})
        assert isinstance(word, MalformedPayload) is (fact.value not in facts), fact


def test_shoe_is_not_loaded_again_by_the_tap_that_loaded_it(
    console: Console, browser: Browser
) -> None:
    """Its word stands before the checkpoint from which a table is opened again."""
    browser.sign_in("sam")
    browser.say("open_table")
    first = browser.post(
        "/api/commands/load_shoe", {"key": "one-tap-1", "with": {**SHOE, "verified_by": "mia"}}
    ).json()
    console.table.close()
    again = Console(console.folder, journal=console.journal, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.sign_in("sam")
        second = reopened.post(
            "/api/commands/load_shoe", {"key": "one-tap-1", "with": {**SHOE, "verified_by": "mia"}}
        ).json()
        assert second["accepted"]
        assert second["state"] == first["state"]
        assert len(steps(again, "load_shoe")) == 1


def test_pit_changes_the_limits(browser: Browser) -> None:
    ready(browser)
    assert browser.say("limits", minimum=5000).status_code == 200
    assert browser.get("/api/limits").json()["min"] == 5000
    assert browser.get("/api/table?audience=public").json()["view"]["limits"]["min"] == 5000


def test_refusal_names_money_as_the_table_writes_it(tmp_path: Path) -> None:
    console = Console(tmp_path, currency=Currency("JPY", 0))
    with console.browser() as browser:
        ready(browser)
        problem = browser.say("limits", minimum=5000, maximum=100).json()
    assert problem["code"] == "minimum_above_maximum"
    assert problem["gaps"] == {"minimum": 5000, "maximum": 100}
    assert "JPY 5,000" in problem["detail"]


NOT_TEXT = ("a\x00b", "a\x1b[2Jb", "a\rb", "\u202egnp", "a\u2066b", "a\u200bb", "a\u2028b",
            "\ufeffa", "a\U000e0041", "a\x85b")  # fmt: skip


@pytest.mark.parametrize("name", NOT_TEXT, ids=ascii)
def test_a_character_that_nobody_reads_is_in_no_name_and_no_reason(
    console: Console, browser: Browser, name: str
) -> None:
    """A name that is turned round or hides something reads as somebody else's."""
    ready(browser)
    before = len(list(console.journal.records()))
    told = browser.say("place", player=name, position=1, wager="player", amount=1000)
    assert (told.status_code, told.json()["gaps"]["field"]) == (400, "player")
    told = browser.say("report", what="uncovered", text=f"he said {name}")
    assert (told.status_code, told.json()["gaps"]["field"]) == (400, "text")
    assert len(list(console.journal.records())) == before


@each_row("name", ["O'Brien", "陈大文", "Zoë", "नमस्ते\u200d", "two\nlines"])
def test_what_people_write_is_text(name: str) -> None:
    assert not has_unprintable_text({"player": name, "lies": {"player": [name]}})

"""Words through the web: typed, once, by whom, about what was seen."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from controller.console.handlers import fields
from controller.round.words import WORDS
from support.console.consoles import Browser, Console

SHOE = {"deck_set": "red-1", "verified_by": "sam", "cut": True}


def ready(browser: Browser) -> None:
    """The table is open and has a shoe."""
    assert browser.sign_in("sam").status_code == 200
    assert browser.say("open_table").status_code == 200
    assert browser.say("load_shoe", **SHOE).status_code == 200


def steps(console: Console, word: str) -> list[dict[str, Any]]:
    bodies = [json.loads(record.body) for record in console.journal.records()]
    return [body for body in bodies if body.get("in", {}).get("do") == word]


def test_round_is_played_through_the_web(console: Console, browser: Browser) -> None:
    ready(browser)
    browser.sign_in("anna")
    assert browser.say("open_betting").json()["state"] == "betting"
    wager = {"player": "bo", "position": 1, "wager": "banker", "amount": 2000}
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
    assert problem["detail"] == "not now: the table is ready"
    assert problem["next"][0] == "open_betting"
    assert steps(console, "settle")[0]["accepted"] is False


def test_refusal_names_the_clause(browser: Browser) -> None:
    ready(browser)
    answer = browser.say("method", method="Z")
    assert answer.status_code == 422
    assert answer.json()["clause"]


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("open_table", {"anything": 1}),
        ("load_shoe", {"deck_set": "a", "verified_by": "b"}),
        ("load_shoe", {**SHOE, "decks": "eight"}),
        ("expose", {"hand": "dragon"}),
        ("place", {"player": "bo", "position": 1, "wager": "tie", "amount": -5}),
        ("enter_card", {"card": "1X"}),
        ("answer", {"order": [[1]]}),
        ("decide", {"text": "x" * 501}),
    ],
)
def test_wrong_fields_are_named_and_reach_no_table(
    console: Console, browser: Browser, word: str, given: dict[str, Any]
) -> None:
    browser.sign_in("kim")
    answer = browser.say(word, **given)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("with: ")
    assert not steps(console, word)


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b'{"key":"a"}', b'{"key":"abcdefgh","x":1}', b"[" * 20_000, b"\xff"]
)
def test_body_that_cannot_be_read_changes_nothing(
    console: Console, browser: Browser, raw: bytes
) -> None:
    browser.sign_in("kim")
    headers = {"X-Sabot-Csrf": browser.csrf}
    answer = browser.http.post("/api/words/open_table", content=raw, headers=headers)
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
    first, second = (browser.post("/api/words/open_table", body) for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json()
    assert len(steps(console, "open_table")) == 1


def test_refusal_is_repeated_too(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    first, second = (browser.post("/api/words/settle", {"key": "one-tap-1"}) for _ in range(2))
    assert first.json() == second.json()
    assert len(steps(console, "settle")) == 1


def test_key_of_another_word_is_refused(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    browser.post("/api/words/open_table", {"key": "one-tap-1"})
    other = browser.post("/api/words/load_shoe", {"key": "one-tap-1", "with": SHOE})
    assert other.status_code == 409
    assert other.json()["type"] == "/problems/key_used"
    assert not steps(console, "load_shoe")


def test_keys_of_two_people_do_not_meet(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    browser.post("/api/words/open_table", {"key": "one-tap-1"})
    browser.sign_in("mia")
    assert browser.post("/api/words/open_table", {"key": "one-tap-1"}).status_code == 422
    assert len(steps(console, "open_table")) == 2


def test_many_taps_at_once_act_once(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    with ThreadPoolExecutor(8) as pool:
        told = list(
            pool.map(
                lambda _: browser.post("/api/words/open_table", {"key": "one-tap-1"}), range(16)
            )
        )
    assert {each.status_code for each in told} == {200}
    assert len({each.text for each in told}) == 1
    assert len(steps(console, "open_table")) == 1


def test_same_key_after_a_restart_acts_not_again(console: Console, browser: Browser) -> None:
    ready(browser)
    first = browser.post("/api/words/open_betting", {"key": "one-tap-1"}).json()
    console.table.close()
    again = Console(console.folder, journal=console.journal, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.sign_in("sam")
        assert reopened.post("/api/words/answer", {"key": "two-tap-1", "with": {"value": False}})
        second = reopened.post("/api/words/open_betting", {"key": "one-tap-1"})
        assert second.status_code == 200
        assert second.json()["seq"] == first["seq"]
        assert second.json()["state"] == first["state"]
        assert len(steps(again, "open_betting")) == 1


def test_word_about_what_has_moved_on_is_not_said(console: Console, browser: Browser) -> None:
    ready(browser)
    seen = browser.get("/api/table").json()["seq"]
    assert browser.post("/api/words/open_betting", {"key": "tap-00001", "seen": seen}).is_success
    stale = browser.post("/api/words/open_betting", {"key": "tap-00002", "seen": seen})
    assert stale.status_code == 409
    assert stale.json()["type"] == "/problems/moved_on"
    assert stale.json()["view"]["state"] == "betting"
    assert stale.json()["next"][0] == "close_betting"
    assert len(steps(console, "open_betting")) == 1
    now = browser.post(
        "/api/words/close_betting", {"key": "tap-00002", "seen": stale.json()["seq"]}
    )
    assert now.status_code == 200, "nothing was taken: the key is free"


def test_wagers_of_others_make_no_word_stale(console: Console, browser: Browser) -> None:
    ready(browser)
    browser.say("open_betting")
    seen = browser.get("/api/table").json()["seq"]
    console.table.staff("place", player="bo", position=1, wager="tie", amount=100)
    body = {"key": "tap-00001", "seen": seen}
    assert browser.post("/api/words/close_betting", body).status_code == 200


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
        answer = browser.post("/api/words/open_table", {"key": f"tap-0000{place}", "second": wrong})
    assert answer.status_code == 423
    assert not steps(console, "open_table")


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
    assert not any(each["mine"] for each in browser.get("/api/words").json()["words"])
    assert browser.say("open_table", second="mia").status_code == 200


def test_words_say_whose_they_are_and_which_comes_next(browser: Browser) -> None:
    browser.sign_in("anna")
    found = {each["word"]: each for each in browser.get("/api/words").json()["words"]}
    assert found["open_table"]["next"] is True
    assert found["open_table"]["mine"] is False
    assert found["open_table"]["role"] == "pit_supervisor"
    browser.sign_in("sam")
    found = {each["word"]: each for each in browser.get("/api/words").json()["words"]}
    assert found["open_table"]["mine"] is True


def test_words_carry_their_fields(browser: Browser) -> None:
    ready(browser)
    browser.say("open_betting")
    found = {each["word"]: each for each in browser.get("/api/words").json()["words"]}
    place = {each["name"]: each for each in found["place"]["fields"]}
    assert "banker" in place["wager"]["choices"]
    assert place["amount"]["kind"] == "number"
    assert place["seated"]["needed"] is False


def test_stopped_table_says_so(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.table.close()
    answer = browser.say("open_table")
    assert answer.status_code == 503
    assert answer.json()["type"] == "/problems/stopped"
    assert browser.get("/readyz").status_code == 503
    assert browser.get("/healthz").status_code == 200


def test_every_field_of_every_word_can_be_given() -> None:
    """The typed fields and the words' own list of them name the same."""
    more = {"report": {"order"}, "answer": {"fact"}, "enter_card": {"reason"}}
    for word, shape in fields.SAID.items():
        listed = WORDS[word].fields.replace(" or ", " ")
        plain = "".join(" " if c in ",?" else c for c in _without_brackets(listed))
        assert set(shape.__struct_fields__) == set(plain.split()) | more.get(word, set()), word


def _without_brackets(text: str) -> str:
    while "(" in text:
        before, _, rest = text.partition("(")
        text = before + rest.partition(")")[2]
    return text


def test_shoe_is_not_loaded_again_by_the_tap_that_loaded_it(
    console: Console, browser: Browser
) -> None:
    """Its word stands before the checkpoint from which a table is opened again."""
    browser.sign_in("sam")
    browser.say("open_table")
    first = browser.post("/api/words/load_shoe", {"key": "one-tap-1", "with": SHOE}).json()
    console.table.close()
    again = Console(console.folder, journal=console.journal, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.sign_in("sam")
        second = reopened.post("/api/words/load_shoe", {"key": "one-tap-1", "with": SHOE}).json()
        assert second["accepted"]
        assert second["state"] == first["state"]
        assert len(steps(again, "load_shoe")) == 1


def test_pit_changes_the_limits(browser: Browser) -> None:
    ready(browser)
    assert browser.say("limits", minimum=5000).status_code == 200
    assert browser.get("/api/limits").json()["min"] == 5000
    assert browser.get("/api/table?audience=public").json()["view"]["limits"]["min"] == 5000

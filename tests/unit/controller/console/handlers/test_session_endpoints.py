"""Signing in, the lock of a screen, three failures, CSRF."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from controller.console.auth.accounts import Accounts
from controller.console.auth.client_origin import TABLE
from controller.console.auth.sessions import IDLE_S, LASTS_S
from support.console.consoles import PINS, QUICK, Browser, Console


def noted(console: Console) -> list[str]:
    console.table.settle_down()
    bodies = [json.loads(record.body) for record in console.journal.records()]
    return [
        body["in"]["with"]["what"] for body in bodies if body.get("in", {}).get("event") == "noted"
    ][:-1]


def test_tiles_name_everybody_and_tell_no_secret(browser: Browser) -> None:
    answer = browser.get("/api/staff")
    assert [each["who"] for each in answer.json()["staff"]] == list(PINS)
    assert "secret" not in answer.text
    assert "argon2" not in answer.text


def test_sign_in_gives_a_cookie_that_scripts_and_other_sites_cannot_use(browser: Browser) -> None:
    answer = browser.sign_in("anna")
    assert answer.status_code == 200
    assert answer.json()["role"] == "dealer"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get("/api/me").json()["who"] == "anna"


def test_nobody_is_signed_in_at_first(browser: Browser) -> None:
    answer = browser.get("/api/me")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "/problems/not_signed_in"
    assert answer.json()["next"] == ["sign-in"]


def test_wrong_secret_and_unknown_name_are_told_alike(browser: Browser) -> None:
    wrong, nobody = browser.sign_in("anna", "9999"), browser.sign_in("nobody", "9999")
    assert wrong.status_code == nobody.status_code == 401
    assert wrong.json() == nobody.json()


def test_a_wrong_secret_says_how_many_tries_are_left_whoever_is_meant(browser: Browser) -> None:
    told = {
        who: [browser.sign_in(who, "9999").json() for _ in range(4)] for who in ("anna", "nobody")
    }
    assert told["anna"] == told["nobody"]
    assert [each["gaps"].get("left") for each in told["anna"]] == [2, 1, None, None]
    assert [each["code"] for each in told["anna"]] == ["wrong_secret"] * 2 + ["account_locked"] * 2
    assert told["anna"][2]["gaps"] == {"role": "pit_manager"}, "who can unlock it"


def test_three_failures_lock_for_good(console: Console, browser: Browser) -> None:
    for _ in range(3):
        answer = browser.sign_in("anna", "0000")
    assert answer.status_code == 423
    assert browser.sign_in("anna").status_code == 423
    assert noted(console) == ["sign_in_failed"] * 3 + ["account_locked", "sign_in_failed"]
    again = Accounts(console.folder / "staff.json", QUICK)  # as another process reads it
    found = again.find("anna")
    assert found is not None
    assert found.locked_at(TABLE)


def test_success_forgets_earlier_failures(browser: Browser) -> None:
    for _ in range(2):
        browser.sign_in("anna", "0000")
    assert browser.sign_in("anna").status_code == 200
    for _ in range(2):
        assert browser.sign_in("anna", "0000").status_code == 401
    assert browser.sign_in("anna").status_code == 200


def test_pit_manager_unlocks_and_a_supervisor_does_not(console: Console, browser: Browser) -> None:
    for _ in range(3):
        browser.sign_in("anna", "0000")
    browser.sign_in("sam")
    assert unlock(browser, "anna", PINS["sam"][1]).status_code == 403
    browser.sign_in("mia")
    assert unlock(browser, "nobody", PINS["mia"][1]).status_code == 404
    assert unlock(browser, "anna", PINS["mia"][1]).status_code == 200
    assert browser.sign_in("anna").status_code == 200
    assert noted(console)[-1] == "signed_in"
    assert "account_unlocked" in noted(console)


def test_an_account_is_unlocked_in_person_and_by_somebody_else(
    console: Console, browser: Browser
) -> None:
    for _ in range(3):
        browser.sign_in("anna", "0000")
    browser.sign_in("mia")
    without = browser.post("/api/staff/anna/unlock")
    assert (without.status_code, without.json()["code"]) == (403, "takes_own_pin")
    assert unlock(browser, "anna", "0000").json()["gaps"] == {"left": 2}
    assert unlock(browser, "mia", PINS["mia"][1]).json()["code"] == "takes_somebody_else"
    found = console.context.accounts.find("anna")
    assert found is not None
    assert found.locked_at(TABLE)


def unlock(browser: Browser, who: str, secret: str) -> Any:
    return browser.post(f"/api/staff/{who}/unlock", {"secret": secret})


def test_sign_out_ends_the_session_on_the_server(browser: Browser) -> None:
    browser.sign_in("anna")
    cookies = dict(browser.http.cookies)
    assert browser.post("/api/sign-out").status_code == 200
    browser.http.cookies.update(cookies)
    assert browser.get("/api/me").status_code == 401


def test_screen_locks_after_five_minutes_and_keeps_reading(
    console: Console, browser: Browser
) -> None:
    browser.sign_in("sam")
    console.clock.now += IDLE_S - 1
    assert browser.post("/api/here").json()["locked"] is False
    console.clock.now += IDLE_S
    assert browser.get("/api/me").json()["locked"] is True
    refused = browser.say("open_table")
    assert refused.status_code == 423
    assert refused.json()["next"] == ["unlock"]
    assert browser.get("/api/table").status_code == 200
    assert browser.post("/api/here").json()["locked"] is True
    assert browser.post("/api/unlock", {"secret": "9999"}).status_code == 401
    assert browser.post("/api/unlock", {"secret": "2222"}).json()["locked"] is False
    assert browser.say("open_table").status_code == 200


def test_reading_does_not_keep_a_screen_open(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    for _ in range(6):
        console.clock.now += IDLE_S / 5
        browser.get("/api/commands")
    assert browser.get("/api/me").json()["locked"] is True


def test_screen_can_be_locked_by_hand(browser: Browser) -> None:
    browser.sign_in("sam")
    assert browser.post("/api/lock").json()["locked"] is True
    assert browser.say("open_table").status_code == 423


def test_session_ends_after_a_shift(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.clock.now += LASTS_S
    assert browser.get("/api/me").status_code == 401


def test_removed_account_is_signed_out_at_once(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.context.accounts.remove("sam")
    assert browser.get("/api/me").status_code == 401


@pytest.mark.parametrize(
    "path", ["sign-out", "lock", "here", "commands/open_table", "staff/anna/unlock"]
)
def test_without_the_token_nothing_is_changed(browser: Browser, path: str) -> None:
    browser.sign_in("mia")
    browser.csrf = "0" * 64
    answer = browser.post(f"/api/{path}", {})
    assert answer.status_code == 403
    assert browser.get("/api/me").json()["locked"] is False


def test_another_sites_page_cannot_sign_in(browser: Browser) -> None:
    body = {"who": "anna", "secret": "1111"}
    assert browser.post("/api/sign-in", body, Origin="http://evil.example").status_code == 403
    assert browser.post("/api/sign-in", body, Origin="http://127.0.0.1").status_code == 200


def test_language_is_kept_in_the_account(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    assert browser.post("/api/me/language", {"language": "zh-Hans"}).json()["language"] == "zh-Hans"
    account = console.context.accounts.find("anna")
    assert account is not None
    assert account.language == "zh-Hans"
    assert browser.post("/api/me/language", {"language": "../.."}).status_code == 400


def test_after_a_restart_the_screen_is_there_and_locked(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    raw = (console.folder / "sessions.json").read_text("utf-8")
    assert browser.http.cookies["sabot"] not in raw
    again = Console(console.folder, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.http.cookies = browser.http.cookies
        reopened.csrf = browser.csrf
        assert reopened.get("/api/me").json()["locked"] is True
        assert reopened.say("open_table").status_code == 423
        assert reopened.post("/api/unlock", {"secret": "2222"}).status_code == 200
        assert reopened.say("open_table").status_code == 200


def test_files_are_for_the_owner_alone(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    for name in ("staff.json", "sessions.json"):
        assert stat.S_IMODE((console.folder / name).stat().st_mode) == 0o600


def test_demo_shows_its_pins(tmp_path: Path) -> None:
    console = Console(tmp_path, mode="demo", pins={"anna": "1111"})
    with console.browser() as browser:
        staff = {each["who"]: each for each in browser.get("/api/staff").json()["staff"]}
        assert staff["anna"]["secret"] == "1111"
        assert "secret" not in staff["sam"]
        assert browser.get("/api/table").json()["view"]["demo"] is True

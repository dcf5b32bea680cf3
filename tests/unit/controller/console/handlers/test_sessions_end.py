"""What ends a session at once, everywhere; and what of locks and reliefs is recorded."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from controller.console.auth.accounts import SHORT_SECRET, Accounts
from controller.console.auth.sessions import IDLE_S
from controller.console.data.feeds import SIGNED_OUT
from support.console.consoles import PINS, QUICK, Browser, Console

Change = Callable[[Accounts], object]


def made_anew(accounts: Accounts) -> None:
    """The same name, role and PIN: another person all the same."""
    accounts.remove("sam")
    accounts.add("sam", *PINS["sam"])


CHANGES: dict[str, Change] = {
    "removed": lambda accounts: accounts.remove("sam"),
    "removed and made anew": made_anew,
    "a new PIN": lambda accounts: accounts.new_secret("sam", "9876"),
    "the same PIN given anew": lambda accounts: accounts.new_secret("sam", PINS["sam"][1]),
    "another role": lambda accounts: accounts.new_role("sam", "dealer"),
    "another second factor": lambda accounts: accounts.second_factor("sam", "GEZDGNBV"),
    "a lock": lambda accounts: [accounts.attempt("sam", "0000") for _ in range(3)],
}


def noted(console: Console) -> list[tuple[str, str | None, str | None]]:
    console.table.settle_down()
    found = []
    for record in console.journal.records():
        said = json.loads(record.body).get("in", {})
        if said.get("event") == "noted":
            given = said["with"]
            found.append((given["what"], given.get("who"), given.get("says")))
    return found


@pytest.mark.parametrize("change", CHANGES)
def test_the_old_session_ends_at_once(console: Console, browser: Browser, change: str) -> None:
    """By another process, as `sabot staff` is: requests, a second tab, an open feed."""
    browser.sign_in("sam")
    tab = browser.another()
    tab.http.cookies, tab.csrf = browser.http.cookies, browser.csrf
    assert tab.get("/api/me").status_code == 200
    accounts = Accounts(console.folder / "staff.json", QUICK, SHORT_SECRET)
    console.table.settle_down()
    with browser.feed("pit") as feed:
        assert json.loads(feed.receive_text())["type"] == "snapshot"
        CHANGES[change](accounts)
        console.table.settle_down()
        with pytest.raises(WebSocketDisconnect) as closed:
            _read_until(feed, "step")
        assert closed.value.code == SIGNED_OUT
    for screen in (browser, tab):
        assert screen.get("/api/me").status_code == 401
        assert screen.say("open_table").status_code == 401
        assert screen.post("/api/unlock", {"secret": PINS["sam"][1]}).status_code == 401
    assert ("session_ended", "sam", None) in noted(console)


def _read_until(feed: Any, kind: str) -> None:
    """Beats may come; a step of the table must not."""
    while True:
        assert json.loads(feed.receive_text())["type"] != kind


def test_what_does_not_concern_a_session_leaves_it(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.context.accounts.speak("sam", "zh-Hans")
    console.context.accounts.new_secret("anna", "9876")
    console.context.accounts.attempt("sam", "0000")
    console.context.accounts.unlock("sam")
    assert browser.get("/api/me").json()["language"] == "zh-Hans"


def test_a_session_does_not_come_back_when_the_account_is_unlocked(
    console: Console, browser: Browser
) -> None:
    browser.sign_in("sam")
    for _ in range(3):
        browser.another().sign_in("sam", "0000")
    console.context.accounts.unlock("sam")
    assert browser.get("/api/me").status_code == 401
    asyncio.run(console.context.look_after_sessions())
    again = Console(console.folder, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.http.cookies = browser.http.cookies
        assert reopened.get("/api/me").status_code == 401, "nor after a restart"


def test_a_change_while_the_console_was_down_ends_a_session_too(
    console: Console, browser: Browser
) -> None:
    browser.sign_in("sam")
    made_anew(console.context.accounts)
    again = Console(console.folder, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.http.cookies = browser.http.cookies
        assert reopened.get("/api/me").status_code == 401


def test_idle_lock_unlock_and_lock_by_hand_are_recorded(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.clock.now += IDLE_S
    asyncio.run(console.context.look_after_sessions())  # nobody looks at the screen
    assert noted(console)[-2] == ("screen_locked", "sam", "idle")
    assert browser.post("/api/unlock", {"secret": PINS["sam"][1]}).status_code == 200
    assert noted(console)[-2] == ("screen_unlocked", "sam", None)
    for _ in range(2):
        browser.post("/api/lock")
    assert noted(console)[-2] == ("screen_locked", "sam", "by hand")
    assert [what for what, *_ in noted(console)].count("screen_locked") == 2


def test_one_dealer_takes_over_from_another(console: Console, browser: Browser) -> None:
    console.context.accounts.add("ben", "dealer", "6666")
    browser.sign_in("anna")
    browser.sign_in("sam")
    browser.sign_in("anna")
    assert "relieved" not in [what for what, *_ in noted(console)], "nobody took over"
    browser.sign_in("ben", "6666")
    assert ("relieved", "ben", "relieves anna") in noted(console)
    again = Console(console.folder, accounts=console.context.accounts)
    with again.browser() as reopened:
        reopened.sign_in("anna")
        assert ("relieved", "anna", "relieves ben") in noted(again), "known after a restart"


def test_a_session_of_the_table_is_worth_nothing_elsewhere(browser: Browser) -> None:
    """Its cookie was taken away to another machine: it never showed a second factor."""
    browser.sign_in("sam")
    thief = browser.another("10.0.0.66")
    thief.http.cookies, thief.csrf = browser.http.cookies, browser.csrf
    assert thief.get("/api/me").status_code == 401
    assert thief.say("open_table").status_code == 401
    with thief.feed("pit") as feed, pytest.raises(WebSocketDisconnect):
        feed.receive_text()
    assert browser.get("/api/me").status_code == 200, "the table's own goes on"

"""Words that meet: two at once about one thing, and one that comes after the thing has changed."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from controller.console.auth.accounts import Accounts, Attempt
from support.console.consoles import PINS, Browser, Console

SHOE: dict[str, Any] = {"deck_set": "red-1", "verified_by": "mia", "cut": True}
RULED = ("approve", "refuse")


def at_once(*taps: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(len(taps)) as pool:
        return [each.result(60) for each in [pool.submit(tap) for tap in taps]]


def screen_of(browser: Browser, who: str) -> Browser:
    screen = browser.another()
    assert screen.sign_in(who).status_code == 200
    return screen


def void_waits(console: Console, browser: Browser) -> None:
    """Anna has reported a wrong count: somebody else has to approve the void."""
    browser.sign_in("sam")
    for word in ("open_table", "load_shoe"):
        assert browser.say(word, **(SHOE if word == "load_shoe" else {})).status_code == 200
    assert browser.say("approve", second="mia").status_code == 200
    for word in ("open_betting", "close_betting"):
        assert browser.say(word).status_code == 200
    console.table.shoe("9H", "2C", "KD")
    console.table.staff("report", who="anna", role="dealer", what="wrong_count")


def ruled(console: Console) -> list[tuple[str, bool]]:
    """Who said what to the void, and whether it was taken; the shoe's approval is left out."""
    bodies = [json.loads(record.body) for record in console.journal.records()]
    said = [each for each in bodies if each.get("in", {}).get("do") in RULED]
    return [(each["in"]["do"], each["accepted"]) for each in said][1:]


@pytest.mark.parametrize("words", [("approve", "approve"), ("approve", "refuse")])
def test_of_two_rulings_at_once_one_is_taken(
    console: Console, browser: Browser, words: tuple[str, str]
) -> None:
    void_waits(console, browser)
    first, second = screen_of(browser, "sam"), screen_of(browser, "kim")
    told = at_once(lambda: first.say(words[0]), lambda: second.say(words[1]))
    assert sorted(each.status_code for each in told) == [200, 422]
    assert sorted(taken for _, taken in ruled(console)) == [False, True]


def test_one_person_at_two_screens_approves_once(console: Console, browser: Browser) -> None:
    void_waits(console, browser)
    here, there = screen_of(browser, "sam"), screen_of(browser, "sam")
    told = at_once(lambda: here.say("approve"), lambda: there.say("approve"))
    assert sorted(each.status_code for each in told) == [200, 422]
    assert sorted(taken for _, taken in ruled(console)) == [False, True]


def test_one_person_at_two_screens_is_no_second_person(console: Console, browser: Browser) -> None:
    """Mia asks at one screen and approves at another, at once with asking."""
    assert browser.sign_in("mia").status_code == 200
    assert browser.say("open_table").status_code == 200
    here, there = screen_of(browser, "mia"), screen_of(browser, "mia")
    asks = {**SHOE, "verified_by": "sam"}
    at_once(lambda: here.say("load_shoe", **asks), *[lambda: there.say("approve")] * 3)
    assert there.say("approve").status_code == 422
    assert console.context.latest().views.dealer.request is not None


def asked(console: Console, browser: Browser) -> tuple[Browser, int]:
    """Sam asks Mia to vouch for a shoe of eight decks, and she looks at it."""
    browser.sign_in("sam")
    browser.say("open_table")
    assert browser.say("load_shoe", **SHOE, decks=8).status_code == 200
    return screen_of(browser, "mia"), console.context.latest().seq


def approve(screen: Browser, who: str, seen: int) -> Any:
    body = {"key": screen.key(), "secret": PINS[who][1], "seen": seen}
    return screen.post("/api/commands/approve", body)


def test_an_approval_is_of_what_was_seen_and_not_of_what_took_its_place(
    console: Console, browser: Browser
) -> None:
    """The sentence is the same; what is approved is not."""
    mia, seen = asked(console, browser)
    assert browser.say("load_shoe", **SHOE, decks=6).status_code == 200
    told = approve(mia, "mia", seen)
    assert (told.status_code, told.json()["type"]) == (409, "/problems/moved_on")
    assert console.context.latest().views.dealer.request is not None
    assert approve(mia, "mia", told.json()["seq"]).status_code == 200


def test_nobody_approves_what_nobody_has_seen(console: Console, browser: Browser) -> None:
    mia, seen = asked(console, browser)
    assert approve(mia, "mia", seen + 1000).status_code == 409
    assert console.context.latest().views.dealer.request is not None


@pytest.mark.parametrize("word", ["approve", "an account"])
def test_a_role_that_goes_while_the_pin_is_tried_rules_nothing(
    console: Console, browser: Browser, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    void_waits(console, browser)
    console.context.accounts.attempt("anna", "0000")
    mia = screen_of(browser, "mia")
    right = Accounts.attempt

    def slow(accounts: Accounts, *given: Any) -> Attempt:
        found = right(accounts, *given)
        accounts.new_role("mia", "dealer")
        return found

    monkeypatch.setattr(Accounts, "attempt", slow)
    if word == "approve":
        told = mia.say("approve")
    else:
        told = mia.post("/api/staff/anna/unlock", {"secret": PINS["mia"][1]})
    assert (told.status_code, told.json()["type"]) == (401, "/problems/not_signed_in")
    assert ruled(console) == []
    anna = console.context.accounts.find("anna")
    assert anna is not None
    assert anna.failures == 1

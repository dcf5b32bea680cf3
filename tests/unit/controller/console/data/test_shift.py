"""How the shift goes: counted from the rounds' summaries, up to the last long break."""

import pytest

from controller.console.data.shift import BREAK_S
from support.console.consoles import Browser, Console


def play(console: Console, *cards: str, void: bool = False) -> None:
    table = console.table
    table.staff("open_betting")
    table.staff("place", player="seat 1", wager="banker", amount=100000, position=1)
    table.staff("close_betting")
    table.shoe(*cards)
    if void:
        table.staff("report", who="anna", role="dealer", what="uncovered", text="a chip fell")
        given = {"text": "to be fair", "outcome": "void"}
        table.staff("decide", who="kim", role="gaming_shift_manager", **given)
    else:
        table.staff("announce")
        table.staff("settle")
    console.clock.now = table.tick()


def opened(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    console.table.staff("open_table")
    console.table.load_shoe()


def test_rounds_voids_corrections_and_money_are_counted(console: Console, browser: Browser) -> None:
    opened(console, browser)
    play(console, "9H", "2C", "KD", "3S")
    console.table.tick(580)
    play(console, "2H", "9C", "KD", "KS")
    play(console, "2H", "9C", void=True)
    told = browser.get("/api/shift").json()
    counted = {name: told[name] for name in ("rounds", "voids", "corrections", "staked", "paid")}
    assert counted == {
        "rounds": 3,
        "voids": 1,
        "corrections": 0,
        "staked": 200000,
        "paid": 195000,
    }
    assert told["an_hour"] == pytest.approx(18, abs=1), "three in ten minutes"
    (decided,) = told["decisions"]
    assert (decided["id"], decided["clause"], decided["round"]) == ("uncovered", "6.1", 3)
    assert (decided["reported_by"], decided["decided_by"]) == ("anna", "kim")
    assert decided["text"] == "to be fair"


def test_a_card_put_right_is_a_decision_with_its_old_and_new_face(
    console: Console, browser: Browser
) -> None:
    opened(console, browser)
    play(console, "2H", "KC", "7D", "7S")
    given = {"n": 4, "card": "9S", "reason": "misread"}
    console.table.staff("correct", who="anna", role="dealer", **given)
    console.table.staff("approve")
    told = browser.get("/api/shift").json()
    assert told["corrections"] == 1
    (decided,) = told["decisions"]
    assert (decided["id"], decided["was"], decided["now"]) == ("correct", "7S", "9S")
    assert (decided["reported_by"], decided["approved_by"]) == ("anna", "sam")


def test_a_long_break_begins_a_new_shift(console: Console, browser: Browser) -> None:
    opened(console, browser)
    play(console, "9H", "2C", "KD", "3S")
    console.table.tick(BREAK_S + 60)
    play(console, "2H", "9C", "KD", "KS")
    told = browser.get("/api/shift").json()
    assert told["rounds"] == 1
    assert told["an_hour"] is None, "a minute says nothing about an hour"
    console.clock.now += BREAK_S + 60
    assert browser.get("/api/shift").json()["since"] is None


def test_the_shift_is_the_pits(browser: Browser) -> None:
    browser.sign_in("anna")
    assert browser.get("/api/shift").status_code == 403
    browser.sign_in("eve")
    assert browser.get("/api/shift").status_code == 200

"""The steps of a round as sentences: what happened, and no card that nobody has seen."""

import json
from typing import Any

import msgspec
import pytest

from controller.messages.catalogue import SHIPPED, Currency, catalogue
from controller.messages.sentence import Sentence
from support.console.consoles import Browser, Console, RunningTable


def steps(browser: Browser, number: int = 1) -> list[dict[str, Any]]:
    answer = browser.get(f"/api/rounds/1/{number}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["phases"]
    return found


def told(browser: Browser, number: int = 1) -> list[str]:
    """Every step, and what the table did about it."""
    return [
        text
        for each in steps(browser, number)
        for text in (each["says"]["text"], *(then["text"] for then in each["then"]))
    ]


def ready(table: RunningTable, method: str = "B") -> None:
    table.staff("open_table")
    table.load_shoe()
    if method != "B":
        table.staff("method", "kim", "gaming_shift_manager", method=method)
    table.staff("open_betting")
    table.staff("place", player="seat 3", wager="banker", amount=50000, position=3, id="b")


def test_a_round_face_up_reads_as_it_was_played(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    table = console.table
    ready(table)
    table.staff("raise", id="b", amount=10000)
    table.staff("decrease", id="b", amount=20000)
    table.staff("place", player="seat 4", wager="tie", amount=10000, position=4, id="t")
    table.staff("withdraw", id="t")
    table.staff("close_betting")
    table.shoe("2H", "KC", "2D", "7S", "TH")
    table.staff("announce")
    table.staff("settle")
    assert told(browser) == [
        "Betting opened",
        "seat 3 placed 500 on Banker",
        "seat 3 raised Banker from 500 to 600",
        "seat 3 reduced Banker from 600 to 400",
        "seat 4 placed 100 on Tie",
        "seat 4 withdrew 100 from Tie",
        "Betting closed",
        "2♥ to the Player",
        "K♣ to the Banker",
        "2♦ to the Player",
        "7♠ to the Banker",
        "10♥ to the Player",
        "Announced: Banker wins 7 to 4",
        "Settled: 380 paid, 400 of wagers returned",
    ]


def test_a_card_has_no_name_before_it_was_exposed(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    table = console.table
    ready(table, "A")
    table.staff("close_betting")
    table.shoe("9H", "2C", "KD", "5S")
    down = ["Card to the Player, face down", "Card to the Banker, face down"]
    assert told(browser)[-4:] == down * 2
    answer = json.dumps(steps(browser), ensure_ascii=False)
    assert not [face for face in ("9♥", "2♣", "K♦", "5♠", "9H", "2C", "KD", "5S") if face in answer]

    table.staff("expose", hand="player")
    assert told(browser)[-5:] == [
        "9♥ to the Player, face down",
        down[1],
        "K♦ to the Player, face down",
        down[1],
        "Player exposed: 9♥, K♦",
    ]
    assert "2♣" not in json.dumps(steps(browser), ensure_ascii=False)


def test_a_refused_step_says_what_was_not_taken(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    table = console.table
    ready(table)
    late: dict[str, Any] = {"player": "seat 5", "wager": "no_such", "amount": 1000, "position": 5}
    assert browser.say("place", **late).status_code == 422
    assert browser.say("announce").status_code == 422
    browser.another().sign_in("eve")
    table.settle_down()  # the table writes the sign-in in its own thread
    assert "eve signed in" in told(browser)
    *_, first, second = [each for each in steps(browser) if not each["accepted"]]
    assert first["says"]["text"] == "Not accepted: seat 5, 10 on no such"
    assert first["reason"]
    assert second["says"]["text"] == "Not accepted from anna: announce"


def test_a_void_a_correction_and_what_stopped_the_table(console: Console, browser: Browser) -> None:
    browser.sign_in("anna")
    table = console.table
    ready(table)
    table.staff("close_betting")
    table.shoe("2H", "KC", "7D", "7S")
    table.staff("announce")
    table.staff("settle")
    n = steps(browser)[-1]["view"]["cards"][3]["n"]
    table.staff("correct", who="anna", role="dealer", n=n, card="9S", reason="misread")
    table.staff("approve")
    table.staff("open_betting")
    table.staff("close_betting")
    table.shoe("9H", "2C")
    table.staff("report", who="anna", role="dealer", what="wrong_count")
    table.staff("approve")
    assert told(browser)[-3:] == [
        "Correction requested: 7♠ is 9♠",
        "Approved: correction of a card",
        "Corrected: 7♠ → 9♠",
    ]
    assert told(browser, 2)[-4:] == [
        "Reported: too many or too few cards in the decks",
        "Table stopped: too many or too few cards in the decks",
        "Approved: too many or too few cards in the decks",
        "Round void: all wagers returned",
    ]


@pytest.mark.parametrize("language", SHIPPED)
def test_every_language_has_the_cards_and_the_money(
    console: Console, browser: Browser, language: str
) -> None:
    browser.sign_in("anna")
    table = console.table
    ready(table)
    table.staff("close_betting")
    table.shoe("TH")
    words = catalogue(language, Currency("SGD"))
    texts = [words.text(msgspec.convert(pick(each["says"]), Sentence)) for each in steps(browser)]
    assert "SGD 500" in texts[1]
    assert texts[-1].startswith("10♥ ")
    assert (texts[0] == "Betting opened") == (language == "en")


def pick(said: dict[str, Any]) -> dict[str, Any]:
    return {"code": said["code"], "gaps": said["gaps"]}

"""No English is left on a Chinese page: every page in the states that people meet."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from support.console.english import english_on
from support.console.kept import HOUSE
from support.console.screens import Screen
from support.console.table_in_hand import Console

pytestmark = pytest.mark.second_tier

Serve = Callable[..., Console]
Open = Callable[..., Screen]

CHINESE = re.compile(r"[\u4e00-\u9fff]")
PIA = ("pia", "pit_supervisor")


class Looking:
    """Windows in Chinese; each look is at what the page shows of the table as it is."""

    def __init__(self, table: Console, at: Open) -> None:
        self.desk = table.desk
        self._table, self._at = table, at
        self.found: dict[str, list[str]] = {}

    def opened(self, who: str | None, path: str) -> Screen:
        size = {"width": 1280, "height": 800}
        return self._at(self._table, who, path, locale="zh-CN", viewport=size)

    def look(self, page: Screen, state: str) -> None:
        if page.find("html[data-seq]").count():
            page.up_to_date(self.desk.seq)
        assert CHINESE.search(page.find("body").inner_text()), state
        if english := english_on(page):
            self.found[state] = english

    def window(self, page: Screen, state: str, *keys: str) -> None:
        """What a press opens, and away with it."""
        page.press(*keys)
        expect(page.find("dialog[open]")).to_be_visible()
        self.look(page, state)
        page.page.keyboard.press("Escape")
        expect(page.find("dialog[open]")).to_have_count(0)


@pytest.fixture
def looking(serve: Serve, at: Open) -> Looking:
    return Looking(serve(**HOUSE), at)


def wagers(looking: Looking) -> None:
    for seat, wager in ((1, "banker"), (3, "player")):
        given: dict[str, Any] = {"player": f"seat {seat}", "wager": wager, "position": seat}
        looking.desk.act("place", amount=100000, **given)


def test_staff_read_no_english(looking: Looking) -> None:
    desk = looking.desk
    door = looking.opened(None, "/")
    door.press("dana")
    looking.look(door, "sign-in")
    dealer, pit = looking.opened("dana", "/dealer"), looking.opened("pia", "/pit")

    def look(state: str) -> None:
        looking.look(dealer, f"dealer: {state}")
        looking.look(pit, f"pit: {state}")

    dealer.waits_for("open_table")
    look("closed")
    desk.open_shoe("A")
    dealer.waits_for("open_betting")
    look("ready")
    looking.window(dealer, "one's own", "me")
    desk.act("open_betting")
    dealer.lay(3, "player", 2500)
    looking.window(dealer, "a wager by window", "place")
    look("betting")
    dealer.press("close_betting")
    expect(dealer.find("#refusal .do")).to_be_visible()
    look("refused")
    desk.act("withdraw", id=desk.view["wagers"][0]["id"])
    wagers(looking)
    desk.act("close_betting")
    desk.draw("9H", "2C", "KD", "5S")
    dealer.waits_for("take-player")
    look("passing")
    dealer.press("take-player", "take-banker", "expose-banker")
    look("confirm")
    dealer.press("take-back")
    looking.window(dealer, "what happened", "report")
    desk.act("report", "dana", "dealer", what="simultaneous", cards=[1, 2])
    dealer.waits_for("yes")
    look("question")
    desk.say("shoe", "lid_open")
    desk.act("suspend", *PIA)
    look("halted by three")
    desk.say("shoe", "lid_closed")
    desk.act("answer", value=False)
    look("after the answer")
    assert not looking.found, "\n".join(
        f"{state}: {texts}" for state, texts in looking.found.items()
    )


def test_staff_read_no_english_of_a_void_round(looking: Looking) -> None:
    desk = looking.desk
    desk.open_shoe()
    dealer, pit = looking.opened("dana", "/dealer"), looking.opened("max", "/pit")
    desk.act("open_betting", who="dana", role="dealer")
    wagers(looking)
    desk.act("close_betting")
    desk.draw("9H", "2C")
    dealer.up_to_date(desk.seq)
    looking.look(dealer, "dealing")
    looking.window(dealer, "a card to be put right", "correct")
    looking.window(dealer, "count", "count_cards")
    desk.say("shoe", "link_lost")
    looking.look(dealer, "link lost")
    desk.say("shoe", "link_up")
    pit.up_to_date(desk.seq)
    looking.look(pit, "link lost and found")
    looking.window(pit, "why play may go on", "resume")
    desk.act("resume", reason="看过")
    desk.act("report", "dana", "dealer", what="wrong_count")
    dealer.waits_for("approve")
    looking.look(dealer, "waits for a second person")
    looking.look(pit, "waits for the pit")
    looking.window(dealer, "a second person", "approve", "max")
    looking.window(pit, "one's own PIN", "approve")
    desk.act("approve", *PIA)
    desk.say("shoe", "still_plays")
    dealer.waits_for("put-aside")
    looking.look(dealer, "void")
    looking.look(pit, "void, the pit's")
    looking.window(dealer, "put aside", "put-aside")
    pit.press("limits")
    pit.key("minimum").fill("250")
    looking.look(pit, "limits")
    looking.window(pit, "method", "method")
    for path, shown in (
        ("/rounds", ".ledger .link"),
        ("/rounds/1/1", ".proof h3"),
        ("/report", "#report section"),
    ):
        pit.go(path)
        expect(pit.find(shown).first).to_be_visible()
        looking.look(pit, path)
    assert not looking.found, "\n".join(
        f"{state}: {texts}" for state, texts in looking.found.items()
    )

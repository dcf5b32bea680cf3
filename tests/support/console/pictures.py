"""Pictures of every page; `make generate ONLY=pictures` takes those of the manual anew.

One walk through a table's evening, with a picture wherever somebody should look; the second tier
takes the same walk in every language, light and dark, on a table PC and on a phone.
"""

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from support.console.public_pictures import write_public
from support.console.screens import ARGUMENTS, CHROMIUM, TABLE_PC, Screen, screen
from support.console.table_in_hand import Console, console
from support.devices.bench_picture import write_report
from support.floor.pictures import write_floor

Shot = Callable[[Screen, str], None]
Opened = Callable[[Console, str | None, str], Screen]

HOUSE: dict[str, Any] = {
    "hlga": True,
    "minimum": 10000,
    "maximum": 10000000,
    "differential": 20000000,
}
MANUAL = Path(__file__).parents[3] / "deploy" / "manual" / "pictures"
KEPT = {
    "dealer-squeeze": "dealer",
    "dealer-question": "question",
    "pit": "pit",
    "rounds": "rounds",
}
"""The pictures of the walk that the manual and the README show, and their names there."""

ROUNDS = 40
"""Enough to draw all five roads."""
DRAWING = ("dealing", "players_third", "bankers_third")


def dress(table: Console, method: str, cards: str) -> None:
    """A round with wagers and its first cards out."""
    desk = table.desk
    if desk.view["method"] != method:
        desk.act("method", method=method)
    desk.act("open_betting")
    for seat, wager, amount in ((1, "banker", 200000), (3, "player", 150000), (3, "tie", 10000)):
        desk.act("place", player=f"seat {seat}", wager=wager, amount=amount, position=seat)
    desk.act("place", player="seat 5", wager="player", amount=150000, position=5)
    desk.act("close_betting")
    desk.draw(*cards.split())


def evening(table: Console) -> None:
    """Rounds enough for the roads, from decks shuffled always alike."""
    table.desk.open_shoe()
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 8
    random.Random(7).shuffle(deck)
    for _ in range(ROUNDS):
        dress(table, "B", "")
        while table.desk.view["state"] in DRAWING:
            table.desk.draw(deck.pop())
        table.desk.act("announce")
        table.desk.act("settle")


def walk(table: Console, at: Opened, shot: Shot) -> None:
    """Everything somebody should look at, in the order of an evening."""
    door = at(table, None, "/")
    door.press("dana")
    shot(door, "sign-in")
    dealer, pit = at(table, "dana", "/dealer"), at(table, "max", "/pit")
    dealer.waits_for("open_table")
    shot(dealer, "dealer-closed")
    evening(table)
    squeeze(table, dealer, shot)
    public(table, at, shot)
    dealer.press("settle")
    question(table, dealer, pit, shot)
    correction(table, dealer, pit, shot)
    rounds(pit, shot)


def squeeze(table: Console, dealer: Screen, shot: Shot) -> None:
    dress(table, "A", "2H KC 3D 6S")
    dealer.up_to_date(table.desk.seq)
    shot(dealer, "dealer-squeeze")
    dealer.press("take-player", "take-banker", "expose-banker")
    dealer.waits_for("confirm")
    shot(dealer, "dealer-confirm")
    dealer.confirm()
    dealer.press("expose-player")
    table.desk.until("players_third")
    table.desk.draw("TD")
    dealer.press("expose-player", "announce")
    dealer.waits_for("settle")
    shot(dealer, "dealer-settling")


def question(table: Console, dealer: Screen, pit: Screen, shot: Shot) -> None:
    table.desk.until("ready")
    dress(table, "B", "9H 2C")
    dealer.up_to_date(table.desk.seq)
    dealer.press("report")
    dealer.waits_for("simultaneous")
    shot(dealer, "dealer-report")
    dealer.press("simultaneous")
    shot(dealer, "dealer-report-cards")
    dealer.confirm()
    dealer.waits_for("no")
    shot(dealer, "dealer-question")
    dealer.press("no")
    dealer.confirm()
    pit.waits_for("approve")
    shot(pit, "pit")
    dealer.press("approve")
    dealer.waits_for("max")
    shot(dealer, "dealer-second-person")
    dealer.page.keyboard.press("Escape")
    pit.press("approve")
    pit.own_pin("max")
    dealer.says(".stamp", "VOID")
    shot(dealer, "dealer-void")


def correction(table: Console, dealer: Screen, pit: Screen, shot: Shot) -> None:
    table.desk.until("ready")
    dress(table, "B", "2H KC 7D 7S")
    table.desk.act("announce")
    dealer.press("settle", "correct")
    numbers = [each["n"] for each in table.desk.view["cards"]]
    dealer.press(f"c{numbers[3]}")
    dealer.pick_card("9S")
    shot(dealer, "dealer-correct")
    dealer.find("dialog .reasons button").first.click()
    dealer.confirm()
    pit.waits_for("approve")
    shot(pit, "pit-correction")
    pit.press("approve")
    pit.own_pin("max")
    pit.gone("approve")
    shot(pit, "pit-quiet")
    table.desk.act("open_betting")
    dealer.press("place")
    dealer.press("chip-50000")
    shot(dealer, "dealer-place")


def public(table: Console, at: Opened, shot: Shot) -> None:
    for path in ("/display", "/overlay"):
        seen = at(table, None, path)
        seen.up_to_date(table.desk.seq)
        if path == "/display":
            seen.find(".bead_plate circle").first.wait_for()
        shot(seen, path[1:])


def rounds(pit: Screen, shot: Shot) -> None:
    pit.go("/rounds")
    pit.press(f"round-{ROUNDS + 1}")
    pit.find(".proof tbody .holds").first.wait_for()
    shot(pit, "rounds")


def opened_by(browser: Browser, **how: Any) -> Opened:
    def opened(table: Console, who: str | None, path: str) -> Screen:
        found = screen(browser, table, **how)
        return found.go(path) if who is None else found.sign_in(who, path)

    return opened


def write_manual(folder: Path) -> None:
    """The manual's pictures: JPEG, for they are looked at and not measured."""
    folder.mkdir(parents=True, exist_ok=True)

    def shot(taken: Screen, name: str) -> None:
        if name in KEPT:
            expect(taken.find(".resting")).to_have_count(0)
            taken.page.screenshot(path=folder / f"{KEPT[name]}.jpg", type="jpeg", quality=72)

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as kept:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with console(Path(kept), **HOUSE) as table:
            walk(table, opened_by(browser, viewport=TABLE_PC), shot)
        public = Path(kept) / "public"
        public.mkdir()
        write_public(browser, public, folder)
        bench = Path(kept) / "bench"
        bench.mkdir()
        write_report(browser, bench, folder)
        write_floor(browser, folder)
        browser.close()


if __name__ == "__main__":
    write_manual(Path(sys.argv[1]) if len(sys.argv) > 1 else MANUAL)

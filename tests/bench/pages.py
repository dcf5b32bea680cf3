"""From the wire to the screen: a card's frame on a pseudo-terminal to its face drawn by Chromium.

The clock starts before the frame is written and stops two frames of the browser after the page was
changed, when its pixels are out. Reader, driver, loop, journal, server, feed and page are the real
ones; clocks are the machine's own. Page weight is what the repository holds.
"""

import os
import statistics
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.devices import LIMIT_S, NUMBERS, WANTS_CARD, next_card, shuffled, staff, table
from controller.console.http.pages import STATIC
from controller.console.http.server import ConsoleServer, ListenAddress, Setup, bound, context_of
from controller.rulebooks import rulebook
from controller.runtime.loop import Loop
from controller.table.rules import HouseRules, Rules
from support.console.screens import ARGUMENTS, CHROMIUM, PATIENCE_MS, PINS, TABLE_PC
from support.console.table_in_hand import accounts_in
from support.devices.angel_frames import drawn, frame

CARDS = 150
WARM_UP = 20
AIM_MS = 100

WATCH = """() => {
    window.painted = {};
    const root = document.documentElement;
    const now = () => (performance.timeOrigin + performance.now()) / 1000;
    const note = () => {
        const seq = root.dataset.seq;
        requestAnimationFrame(() => requestAnimationFrame(() => { painted[seq] = now(); }));
    };
    new MutationObserver(note).observe(root, {attributeFilter: ["data-seq"]});
}"""


WHEN = """seq => new Promise(done => {
    const look = () => painted[seq] ? done(painted[seq]) : requestAnimationFrame(look);
    look();
})"""


def weight() -> None:
    files = [each for each in STATIC.rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    _say(f"pages: {len(files)} files, {size / 1000:.0f} kB of 300")


def served(loop: Loop, folder: Path) -> ConsoleServer:
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
    setup = Setup(rules, accounts_in(folder), time.time, time.monotonic, os.urandom)
    address = ListenAddress(port=0)
    server = ConsoleServer(context_of(loop, setup), address, bound(address))
    server.start()
    return server


def wire_to_pixels(folder: Path) -> None:
    with table(folder, "shoe_angel_eye") as (loop, shoe, _), sync_playwright() as playwright:
        server = served(loop, folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            context = browser.new_context(viewport=TABLE_PC)
            context.set_default_timeout(PATIENCE_MS)
            given = {"who": "dana", "secret": PINS["dana"]}
            origin = {"Origin": server.url}
            context.request.post(f"{server.url}/api/sign-in", data=given, headers=origin)
            page = context.new_page()
            page.goto(f"{server.url}/dealer")
            page.locator("#prompt .do").wait_for()
            page.evaluate(WATCH)
            _tell(sorted(_play(loop, shoe, page)[WARM_UP:]))
        finally:
            browser.close()
            server.stop()


def _play(loop: Loop, shoe: int, page: Any) -> list[float]:
    cards, times = shuffled(5), list[float]()
    while len(times) < CARDS + WARM_UP:
        loop.ask(staff("open_betting")).result(LIMIT_S)
        step = loop.ask(staff("close_betting")).result(LIMIT_S)
        while step.state in WANTS_CARD:
            page.locator(f'html[data-seq="{step.seq}"]').wait_for()
            hand, place = next_card(step)
            whole = frame(NUMBERS[len(times) % 9], drawn(hand, place, cards.pop()))
            seq, started = step.seq, time.time()
            os.write(shoe, whole)
            page.locator(f'html:not([data-seq="{seq}"])').wait_for()
            posted = loop.snapshots.after(seq)
            assert posted
            step = posted[-1].answer
            times.append(_painted(page, step.seq) - started)
        loop.ask(staff("announce")).result(LIMIT_S)
        loop.ask(staff("settle")).result(LIMIT_S)
    return times


def _painted(page: Any, seq: int) -> float:
    """When the browser had drawn it."""
    return float(page.evaluate(WHEN, str(seq)))


def _tell(times: list[float]) -> None:
    p50, p99 = 1e3 * statistics.median(times), 1e3 * times[int(len(times) * 0.99)]
    _say(f"a card's frame on a terminal to its pixels in Chromium, {len(times)} cards:")
    _say(f"  p50 {p50:6.1f} ms   p99 {p99:6.1f} ms   (aim: {AIM_MS} ms at p99)")


def _say(line: str) -> None:
    print(line)  # noqa: T201

"""A new screen of a floor with a thousand tables: its first whole message, and its first pixels.

The floor's real application on a real database, with tables that a script speaks for while screens
come: as many views a second as a thousand tables say. The clock of the page starts with the
navigation and stops two frames after the last tile is there; nothing is cached the first time.
"""

import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from urllib import request

from playwright.sync_api import Browser, sync_playwright
from websockets.sync.client import connect

from bench.targets import at_most
from controller.floor.embedded.postgres import Postgres
from support.console.screens import ARGUMENTS, CHROMIUM, PATIENCE_MS, PINS
from support.floor.servers import made_database, made_template
from support.floor.web import FloorInHand, floor_web

TABLES = 1000
PITS = 20
VIEWS_A_SECOND = 200
SCREENS = 7
AIM_MS = 1000.0
WHO = "gus"
PHASES = ("betting", "dealing", "outcome", "settling", "ready")

PAINTED = """count => new Promise(done => {
    const look = () => document.querySelectorAll(".t").length >= count
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))
        : requestAnimationFrame(look);
    look();
})"""


def main() -> None:
    with _floor() as floor, _living(floor):
        first, size = _first_messages(floor)
        _say(
            f"a new screen of {TABLES} tables: its first message ({size / 1000:.0f} kB) after "
            f"{first:.0f} ms; {at_most(first, AIM_MS)}"
        )
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            cold, warm = _paints(browser, floor)
            browser.close()
        _say(
            f"first paint of {TABLES} tiles, from the navigation on: {cold:.0f} ms with nothing "
            f"cached, {warm:.0f} ms again; {at_most(cold, AIM_MS)}"
        )


def _first_messages(floor: FloorInHand) -> tuple[float, int]:
    """The median from opening the socket to the whole board, and its size."""
    cookie = _signed_in(floor)
    times, size = [], 0
    for _ in range(SCREENS):
        began = time.perf_counter()
        with connect(
            f"{floor.url.replace('http', 'ws', 1)}/feed/floor",
            additional_headers={"Cookie": cookie, "Origin": floor.url},
            max_size=None,
            proxy=None,
        ) as screen:
            message = screen.recv()
            assert len(json.loads(message)["tiles"]) == TABLES
            times.append((time.perf_counter() - began) * 1000)
            size = len(message)
    return statistics.median(times), size


def _signed_in(floor: FloorInHand) -> str:
    jar = CookieJar()
    body = json.dumps({"who": WHO, "secret": PINS[WHO]}).encode()
    headers = {"Content-Type": "application/json", "Origin": floor.url}
    opener = request.build_opener(request.HTTPCookieProcessor(jar))
    with opener.open(request.Request(f"{floor.url}/api/sign-in", body, headers)):
        return "; ".join(f"{each.name}={each.value}" for each in jar)


def _paints(browser: Browser, floor: FloorInHand) -> tuple[float, float]:
    """Medians: in a new browser profile each time, and the same page once more."""
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(SCREENS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(PATIENCE_MS)
        given = {"who": WHO, "secret": PINS[WHO]}
        context.request.post(f"{floor.url}/api/sign-in", data=given, headers={"Origin": floor.url})
        page = context.new_page()
        for found in (cold, warm):
            page.goto(f"{floor.url}/floor", wait_until="commit")
            found.append(float(page.evaluate(PAINTED, TABLES)))
        context.close()
    return statistics.median(cold), statistics.median(warm)


@contextmanager
def _floor() -> Iterator[FloorInHand]:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name:
        server = Postgres(Path(name) / "postgres", durable=False)
        server.start()
        try:
            made_template(server)
            with floor_web(Path(name), made_database(server).as_("floor_web")) as floor:
                for number in range(TABLES):
                    floor.beat(f"t-{number:04}", f"P{number * PITS // TABLES:02}", every=600.0)
                    floor.live(f"t-{number:04}", 1)
                yield floor
        finally:
            server.stop()


@contextmanager
def _living(floor: FloorInHand) -> Iterator[None]:
    """Tables speak while screens come; in a thread, as the board's one writer."""
    ended, luck = threading.Event(), Random(1)

    def speak() -> None:
        seq = 1
        while not ended.wait(1 / 20):
            for _ in range(VIEWS_A_SECOND // 20):
                seq += 1
                phase = luck.choice(PHASES)
                floor.live(f"t-{luck.randrange(TABLES):04}", seq, phase=phase, state=phase)

    speaking = threading.Thread(target=speak, daemon=True)
    speaking.start()
    try:
        yield
    finally:
        ended.set()
        speaking.join()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

"""First load on a slow link: requests, bytes, first paint, and when a page shows what it is for.

Chromium's own network emulation: 1.6 Mbit/s down, 150 ms to the first byte of each answer, at most
six connections to a host, as HTTP/1.1 has it. Each load is a new browser profile; then the same
page once more with what the browser kept. The pages are built first, as a release has them.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from controller.floor.embedded.postgres import Postgres
from support.console import built_pages
from support.console.screens import ARGUMENTS, CHROMIUM, PATIENCE_MS, PINS, TABLE_PC
from support.console.table_in_hand import console
from support.floor.servers import made_database, made_template
from support.floor.web import floor_web

LATENCY_MS: Final = 150
BITS_A_SECOND: Final = 1_600_000
LOADS: Final = 5
WHO: Final = "gus"
PAINTED: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
NOW: Final = "performance.now()"
TABLE_PAGES: Final = {
    "/": "#people button",
    "/dealer": "#prompt .do",
    "/pit": "#waits h2",
    "/display": "#call p",
}
FLOOR_PAGES: Final = {"/floor": ".map .t"}


class Load(NamedTuple):
    """One load of a page; times in ms from the navigation on."""

    requests: int
    kilobytes: float
    painted: float
    shown: float


def main() -> None:
    built_pages.main()
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory(prefix="sabot-bench-") as name,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with console(Path(name)) as table:
            table.desk.open_shoe()
            for path, shows in TABLE_PAGES.items():
                _tell(browser, table.url, path, shows)
        with _floor(Path(name)) as url:
            for path, shows in FLOOR_PAGES.items():
                _tell(browser, url, path, shows)
        browser.close()


@contextmanager
def _floor(folder: Path) -> Iterator[str]:
    server = Postgres(folder / "postgres", durable=False)
    server.start()
    try:
        made_template(server)
        with floor_web(folder, made_database(server).as_("floor_web")) as floor:
            floor.beat("t-01", "P1", every=600.0)
            floor.live("t-01", 1)
            yield floor.url
    finally:
        server.stop()


def _tell(browser: Browser, url: str, path: str, shows: str) -> None:
    cold: list[Load] = []
    warm: list[Load] = []
    for _ in range(LOADS):
        context = browser.new_context(viewport=TABLE_PC, locale="en-US")
        context.set_default_timeout(PATIENCE_MS)
        if path != "/":
            given = {"who": WHO, "secret": PINS[WHO]}
            context.request.post(f"{url}/api/sign-in", data=given, headers={"Origin": url})
        load = _loader(context)
        cold.append(load(url + path, shows))
        warm.append(load(url + path, shows))
        context.close()
    for name, found in (("first", cold), ("again", warm)):
        requests, kilobytes, painted, shown = map(statistics.median, zip(*found, strict=True))
        sys.stdout.write(
            f"{path:9} {name}: {requests:3.0f} requests, {kilobytes:4.0f} kB, "
            f"first paint {painted:5.0f} ms, shown {shown:5.0f} ms\n"
        )
        sys.stdout.flush()


def _loader(context: BrowserContext) -> Callable[[str, str], Load]:
    """Loads a page over the slow link in a tab of its own."""
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    slow = {"offline": False, "latency": LATENCY_MS}
    rate = BITS_A_SECOND / 8
    devtools.send(
        "Network.emulateNetworkConditions",
        {**slow, "downloadThroughput": rate, "uploadThroughput": rate},
    )
    counted = {"requests": 0, "bytes": 0.0}

    def received(finished: dict[str, Any]) -> None:
        # What the browser's own cache answered came over no link.
        if finished["encodedDataLength"]:
            counted["requests"] += 1
            counted["bytes"] += finished["encodedDataLength"]

    devtools.on("Network.loadingFinished", received)

    def load(address: str, shows: str) -> Load:
        counted.update(requests=0, bytes=0.0)
        page.goto(address, wait_until="commit")
        page.locator(shows).first.wait_for()
        shown = float(page.evaluate(NOW))
        page.wait_for_load_state("networkidle")
        painted = float(page.evaluate(PAINTED))
        return Load(int(counted["requests"]), counted["bytes"] / 1000, painted, shown)

    return load

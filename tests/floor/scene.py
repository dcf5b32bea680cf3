"""What `make floor` promises, tried on `make floor` itself with a browser.

Twelve tables live; one stops; the pit signs in at the floor's page and approves there with the PIN;
the table goes on and its record says so. Then the database is killed and deleted while they play,
and at the end every record of every journal is at the floor, once. Pictures are left in a folder.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psycopg
from playwright.sync_api import Page, expect, sync_playwright

from support.console.screens import ARGUMENTS, CHROMIUM

TABLES = 12
WHO, PIN = "carla", "3333"
PATIENCE_S = 300
"""Bounds failures only: a slow machine takes minutes to start a dozen tables."""
ENDS = "Nothing is lost, nothing is doubled."


class Demo:
    """`sabot floor demo` as a person has it: what it prints, and what is typed there."""

    def __init__(self, program: "subprocess.Popen[str]", folder: Path) -> None:
        self._program = program
        self.folder = folder
        self.began = time.monotonic()

    @property
    def after_s(self) -> float:
        return time.monotonic() - self.began

    def said(self, pattern: str) -> str:
        """The first line from here on that has this in it."""
        out: IO[str] | None = self._program.stdout
        assert out is not None
        for line in out:
            sys.stdout.write(f"    | {line}")
            if found := re.search(pattern, line):
                return found.group(found.re.groups)
        raise AssertionError(f"the demo ended and never said {pattern!r}")

    def type(self, word: str) -> None:
        assert self._program.stdin is not None
        self._program.stdin.write(f"{word}\n")
        self._program.stdin.flush()

    def records(self, where: str) -> list[tuple[str, int]]:
        """Table and number of the records that hold these bytes, from the floor's own database."""
        sockets = next(self.folder.glob("sabot-floor-*/postgres/sockets"))
        reached = f"host={sockets} dbname=postgres user=floor_web"
        with psycopg.connect(reached) as connection:
            return connection.execute(
                "SELECT table_id, seq FROM floor.record WHERE position(%s::bytea in body) > 0",
                [where.encode()],
            ).fetchall()

    def counts(self) -> Counter[str]:
        """How many records the floor has of each table."""
        return Counter(table for table, _ in self.records(""))


@contextmanager
def demo(folder: Path) -> Iterator[Demo]:
    command = [sys.executable, "-m", "controller", "floor", "demo", "--port", "0"]
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        try:
            yield Demo(program, folder)
        finally:
            program.send_signal(signal.SIGINT)
            assert program.wait(PATIENCE_S) == 0
    left = list(folder.iterdir())
    assert left == [], f"left behind: {left}"


def sign_in(page: Page, url: str) -> None:
    """As somebody does who reads what the command has printed."""
    page.goto(url)
    page.click(f'[data-key="{WHO}"]')
    page.locator("#enter input").fill(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/floor")


def approve(page: Page, pictures: Path) -> str:
    """The first that has stopped and can be decided from here; gives its table."""
    solid = page.locator(".exceptions .primary")
    expect(solid).to_be_visible()
    key = solid.get_attribute("data-key") or ""
    table = key.removeprefix("approve-")
    page.screenshot(path=pictures / "1-stopped.png")
    solid.click()
    box = page.locator("dialog:not(.rests)")
    expect(box).to_be_visible()
    page.screenshot(path=pictures / "2-approving.png")
    box.locator("input").fill(PIN)
    box.locator('[data-key="approve"]').click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(f'[data-key="approve-{table}"]')).to_have_count(0)
    page.screenshot(path=pictures / "3-goes-on.png")
    return table


def all_back(running: Demo, before: Counter[str]) -> None:
    """Compared until every table has at least what it had; they play on meanwhile."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        running.type("compare")
        running.said(re.escape(ENDS))
        if before <= running.counts():
            return
        time.sleep(2)
    raise AssertionError("not all records came back")


def main(pictures: Path) -> None:
    pictures.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="sabot-scene-"))
    expect.set_options(timeout=PATIENCE_S * 1000)
    try:
        with sync_playwright() as playwright, demo(folder) as running:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(PATIENCE_S * 1000)
            play(running, page, pictures)
            browser.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"the scene is played; its pictures are in {pictures}\n")


def play(running: Demo, page: Page, pictures: Path) -> None:
    url = running.said(r"Open (http\S+)")
    sign_in(page, url)
    table = approve(page, pictures)
    sys.stdout.write(
        f"{table} was approved from the floor {running.after_s:.0f} s from the start\n"
    )
    running.said("(Ctrl-C)")
    sys.stdout.write(f"all {TABLES} tables run after {running.after_s:.0f} s\n")
    expect(page.locator(".t")).to_have_count(TABLES)
    words = [seq for name, seq in running.records('"via":"floor"') if name == table]
    assert words, f"no record of {table} says via: floor"
    sys.stdout.write(f"{table} has it in record {words[0]} as said by {WHO}, via: floor\n")
    before = running.counts()
    running.type("wipe")
    running.said("(everything in it is deleted)")
    running.said("(An empty one runs)")
    all_back(running, before)
    assert words[0] in [seq for name, seq in running.records('"via":"floor"') if name == table]
    page.goto(f"{url}/proof")
    expect(page.locator("#live")).to_have_text("live")
    page.screenshot(path=pictures / "4-all-back.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

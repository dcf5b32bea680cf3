"""No sealed card leaves the console: searched for in every byte, and compared between rounds.

Two rounds that differ only in what lies face down are played through the real application, with
readers on every feed and every request asked after every step. While the cards are sealed, all of
it must be the same, but for salts, commitments and digests.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import structlog

from controller.console.http.endpoints import endpoints
from controller.runtime.snapshots import AUDIENCES
from support.console.consoles import Browser, Console

READS = (
    "/api/staff", "/api/me", "/api/commands", "/api/table?audience=dealer",
    "/api/table?audience=pit", "/api/table?audience=public", "/api/table?audience=surveillance",
    "/api/irregularities", "/api/devices", "/api/roads", "/api/rounds", "/api/rounds/1/1",
    "/api/rounds/1/1/proof", "/api/rounds/export.csv", "/api/rounds/export.jsonl", "/api/about",
    "/api/limits", "/api/shift", "/api/report?since=0&until=99999", "/api/errors", "/api/clauses",
    "/api/languages", "/api/languages/zh-Hans", "/metrics", "/openapi.json", "/healthz", "/readyz",
)  # fmt: skip
SECRETS = re.compile(r"[0-9a-f]{32,}")
"""Salts, commitments, digests, CSRF tokens: made by chance, and meant to differ."""


class Listening:
    """Everything the console gives out: answers, feeds, logs."""

    def __init__(self, console: Console, browser: Browser, feeds: dict[str, Any]) -> None:
        self.console, self.browser, self._feeds = console, browser, feeds
        self.heard: list[str] = []

    def step(self, answer: Any = None, *, reads: bool = True) -> None:
        """After a step: what was answered, what every feed says, and every request there is."""
        if answer is not None:
            self._hear(answer)
        seq = self.console.context.latest().seq
        for audience, socket in self._feeds.items():
            while True:
                text = socket.receive_text()
                message = json.loads(text)
                if message["type"] != "beat":
                    self.heard.append(f"{audience}: {text}")
                if message["seq"] >= seq:
                    break
        for path in READS if reads else ():
            self._hear(self.browser.get(path))

    def _hear(self, answer: Any) -> None:
        headers = sorted((name, value) for name, value in answer.headers.items())
        self.heard.append(f"{answer.status_code} {headers} {answer.text}")


def played(folder: Path, method: str, cards: str, seed: int) -> Iterator[Listening]:
    """A round up to where all cards of the initial deal lie sealed; then whoever asked goes on."""
    console = Console(folder, seed=seed)
    with console.browser() as browser, ExitStack() as stack:
        browser.sign_in("kim")
        console.table.settle_down()  # the sign-in is on record before anybody listens
        sockets = {each: stack.enter_context(browser.feed(each)) for each in AUDIENCES}
        listening = Listening(console, browser, sockets)
        table = console.table
        table.staff("open_table")
        table.load_shoe()
        given = {"drawer": "bo"} if method == "C" else {}
        table.staff("method", "kim", "gaming_shift_manager", method=method, **given)
        table.staff("open_betting")
        table.staff("place", player="bo", position=1, wager="player", amount=2000)
        table.staff("close_betting")
        for card in cards.split():
            table.shoe(card)
            listening.step(reads=False)
        listening.step(browser.say("announce"))
        listening.step(browser.say("settle"), reads=False)
        listening.step(browser.say("correct", n=1, card="2C", reason="misread"), reads=False)
        listening.step(browser.say("report", what="not_passed", hand="banker"))
        yield listening


def same(text: str) -> str:
    """Without what is made by chance, and without this run's keys of taps."""
    return re.sub(r"key-\d+-", "key-", SECRETS.sub("*", text))


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Any:
    """Everything that was logged anywhere, also at the finest level."""
    caplog.set_level(logging.DEBUG)
    structlog.reset_defaults()
    return lambda: "".join(capsys.readouterr()) + caplog.text


@pytest.mark.parametrize("method", ["A", "C"])
def test_marked_cards_are_in_no_output_before_they_are_exposed(
    tmp_path: Path, logged: Any, method: str
) -> None:
    """The marks are cards named nowhere else: the book's own texts and examples have none."""
    marked = "7S JD 4S QD"
    found = played(tmp_path, method, marked, seed=3)
    listening = next(found)
    out = "\n".join(listening.heard) + logged()
    assert len(listening.heard) > 60
    for card in marked.split():
        name = re.compile(rf"\b{card}\b")
        assert not name.search(out), card
    # Exposed, they are everywhere: the search can find them.
    answer = listening.browser.say("expose", hand="player")
    listening.heard.clear()
    listening.step(answer)
    told = "\n".join(listening.heard)
    assert "7S" in told
    assert "4S" in told
    for card in ("JD", "QD"):
        assert not re.search(rf"\b{card}\b", told + logged()), card
    next(found, None)


@pytest.mark.parametrize("method", ["A", "C"])
def test_rounds_that_differ_in_sealed_cards_look_alike(tmp_path: Path, method: str) -> None:
    """Thirds due and not due, a natural, five in a row of a new deck, a ninth copy of a card."""
    heard = []
    for place, cards in enumerate(("2H KC 3D 6S", "9H KC KD 8S", "AS AS AS AS", "2S 3S 4S 5S")):
        folder = tmp_path / str(place)
        folder.mkdir()
        found = played(folder, method, cards, seed=place)
        listening = next(found)
        heard.append([same(each) for each in listening.heard])
        next(found, None)
    for first, *others in zip(*heard, strict=True):
        assert others == [first] * len(others)


def test_every_request_that_only_reads_is_listened_to(console: Console, browser: Browser) -> None:
    there = {each.path for each in endpoints(console.context) if each.method == "GET"}
    asked = {each.partition("?")[0] for each in READS}
    asked |= {each.replace("/1/1", "/{shoe}/{n}") for each in asked}
    asked |= {each.replace("/zh-Hans", "/{language}") for each in asked}
    assert there <= asked
    browser.sign_in("kim")
    for path in ("/api/languages/zh-Hans", "/api/report?since=0&until=99999", "/api/shift"):
        assert browser.get(path).status_code == 200, path


def test_examples_in_the_openapi_name_no_card(browser: Browser) -> None:
    assert not re.search(r"\"[2-9AJQKT][SHDC]\"", browser.get("/openapi.json").text)

"""`sabot demo` as a newcomer starts it: real emulators, a real server, a round over the wire."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

SABOT = Path(sys.executable).with_name("sabot")
LIMIT_S = 100


def read_until(program: "subprocess.Popen[bytes]", last: str) -> str:
    """What it prints up to the line with `last`."""
    assert program.stdout is not None
    out = b""
    while last.encode() not in out:
        assert select.select([program.stdout], [], [], LIMIT_S)[0], out
        piece = os.read(program.stdout.fileno(), 4096)
        assert piece, f"it ended after {out!r}"
        out += piece
    return out.decode()


@pytest.fixture
def told() -> Iterator[str]:
    """What a running demo prints; it ends by SIGTERM and ends well."""
    program = subprocess.Popen([SABOT, "demo", "--port", "0"], stdout=subprocess.PIPE)
    try:
        yield read_until(program, "Ctrl-C ends everything.")
        program.send_signal(signal.SIGTERM)
        assert program.wait(LIMIT_S) == 0
    finally:
        program.kill()
        program.wait()
        assert program.stdout is not None
        program.stdout.close()


class Screen:
    """A browser, as plain as it can be."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookie = self.csrf = ""
        self._taps = 0

    def ask(self, path: str, body: object = None) -> Any:
        headers = {"Cookie": self.cookie, "X-Sabot-Csrf": self.csrf}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            if answer.headers["Set-Cookie"]:
                self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            return json.load(answer)

    def sign_in(self, who: str, secret: str) -> None:
        self.csrf = self.ask("/api/sign-in", {"who": who, "secret": secret})["csrf"]

    def say(self, word: str, **given: Any) -> Any:
        self._taps += 1
        return self.ask(f"/api/words/{word}", {"key": f"tap-{self._taps:06}", "with": given})


def do(bench: str, word: str, **given: Any) -> Any:
    request = urllib.request.Request(
        f"{bench}/do/{word}",
        json.dumps(given).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
        return json.load(answer)


def test_newcomer_deals_a_round(told: str) -> None:
    url, bench, _ = re.findall(r"http://127\.0\.0\.1:\d+(?=\s)", told)
    assert "PIN 1111" in told
    screen = Screen(url)
    assert screen.ask("/api/staff")["demo"] is True
    screen.sign_in("anna", "1111")
    devices = {each["name"]: each for each in screen.ask("/api/devices")["devices"]}
    assert devices["shoe"]["bench"] == bench
    with connect(f"{url.replace('http', 'ws')}/feed/public") as feed:
        screen.say("open_betting")
        screen.say("close_betting")
        for card in ("9H", "2C", "KD", "3S"):
            do(bench, "draw", card=card)
        while True:
            message = json.loads(feed.recv(timeout=LIMIT_S))
            assert message["demo"] is True
            if message["type"] != "beat" and message["view"]["state"] == "outcome":
                break
        assert message["view"]["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "3S"]}
    screen.say("announce")
    screen.say("settle")
    assert screen.ask("/api/roads")["results"] == ["P"]
    assert screen.ask("/api/rounds/1/1/proof")["chain_holds"] is True

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

from plain_screens import LIMIT_S, Screen

SABOT = Path(sys.executable).with_name("sabot")


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
    with connect(f"{url.replace('http', 'ws')}/feed/public", proxy=None) as feed:
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

"""`sabot demo` as a newcomer starts it: real emulators, a real server, a round over the wire."""

import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.sync.client import connect

from support.console.demo_program import running_demo
from support.console.plain_screens import LIMIT_S, Screen


@pytest.fixture
def told() -> Iterator[str]:
    with running_demo() as said:
        yield said


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

"""`sabot demo` as a newcomer starts it: real emulators, a real server, a round over the wire."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.console.demo_program import running_demo
from support.console.plain_screens import LIMIT_S, Screen
from support.devices.packages import installed
from support.feeds import open_feed


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # `--demo` means the one started last of a machine
    with running_demo() as said:
        yield said


def sabot(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "controller", *arguments],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, **environment},
    )


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
    with open_feed(f"{url.replace('http', 'ws')}/feed/public") as feed:
        screen.say("open_betting")
        screen.say("close_betting")
        for card in ("9H", "2C", "KD", "3S"):
            do(bench, "draw", card=card)
        while True:
            message = json.loads(feed.recv(timeout=LIMIT_S))
            assert message["demo"] is True
            if message["type"] == "beat":
                continue
            assert message["view"]["state"] != "halted", screen.ask("/api/state")
            if message["view"]["state"] == "outcome":
                break
        assert message["view"]["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "3S"]}
    screen.say("announce")
    screen.say("settle")
    assert screen.ask("/api/roads")["results"] == ["P"]
    assert screen.ask("/api/rounds/1/1/proof")["chain_holds"] is True
    # And its report, from another terminal, with nothing to look up before.
    found = sabot("report", "day", "--demo")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("Demo table: ")
    assert re.search(r"\n  Anna +1 +0 ", found.stdout), "the dealer, by name"


def test_report_of_a_demo_says_what_to_do_where_none_runs(tmp_path: Path) -> None:
    found = sabot("report", "day", "--demo", TMPDIR=str(tmp_path))
    assert found.returncode == 1
    assert "start one with `sabot demo`" in found.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--shoe", "shuffler_batch"), "shuffler_batch is a shuffler; choose a shoe"),
        (("--shuffler", "shoe_feed"), "shoe_feed is a shoe; choose a shuffler"),
    ],
)
def test_a_device_of_the_other_kind_is_refused_in_one_line(
    words: tuple[str, ...], says: str
) -> None:
    found = sabot("demo", "--port", "0", *words)
    assert (found.returncode, found.stderr) == (1, f"sabot: {says}\n")


STATE = """
from drivers.contract import DataSheet

SHEET = DataSheet(
    "state", "shoe", "Acme", "One", "serial", numbered=False, checked="", serial_number=False
)

class Driver:
    pass
"""


def test_a_shoe_named_as_a_word_of_the_emulators_is_refused_in_one_line(tmp_path: Path) -> None:
    installed(tmp_path, "acme", "sabot.drivers", "state = acme_state")
    (tmp_path / "acme_state.py").write_text(STATE, encoding="utf-8")
    found = sabot("demo", "--port", "0", "--shoe", "state", PYTHONPATH=str(tmp_path))
    assert found.returncode == 1
    assert found.stderr.startswith("sabot: state is a word of `python -m simulators`")
    assert len(found.stderr.splitlines()) == 1


def test_an_emulator_named_as_a_word_is_told_of_and_the_demo_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    installed(tmp_path, "acme", "sabot.emulators", "state = acme_emulator")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running_demo() as told:
        assert "PIN 1111" in told
    assert "emulator 'state' in acme_emulator (package acme)" in capfd.readouterr().err

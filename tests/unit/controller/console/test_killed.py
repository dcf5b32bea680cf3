"""A console that is killed and comes back: nothing acknowledged is lost, nothing is done twice."""

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from consoles import accounts_in
from plain_screens import LIMIT_S, Screen

ROOT = Path(__file__).parents[4]


class Program:
    """The program under its real signals."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "tests.console_program", str(folder)]
        self._run = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        assert self._run.stdout is not None
        assert select.select([self._run.stdout], [], [], LIMIT_S)[0]
        self.url: str = json.loads(os.read(self._run.stdout.fileno(), 4096))["url"]

    def end(self, number: signal.Signals) -> int:
        self._run.send_signal(number)
        status = self._run.wait(LIMIT_S)
        assert self._run.stdout is not None
        self._run.stdout.close()
        return status

    def feed(self, screen: Screen, after: int | None = None) -> ClientConnection:
        query = "" if after is None else f"?after={after}"
        url = self.url.replace("http", "ws") + f"/feed/dealer{query}"
        return connect(url, additional_headers={"Cookie": screen.cookie}, proxy=None)


def test_screen_goes_on_where_the_killed_server_stopped(tmp_path: Path) -> None:
    accounts_in(tmp_path)
    program = Program(tmp_path)
    screen = Screen(program.url)
    screen.sign_in("sam", "2222")
    screen.say("open_table")
    screen.say("load_shoe", deck_set="red", verified_by="sam", cut=True)
    with program.feed(screen) as feed:
        json.loads(feed.recv(LIMIT_S))
        first = screen.say("open_betting", key="the-same-tap")
        assert first["accepted"]
        seen = first["seq"]
        assert program.end(signal.SIGKILL) == -signal.SIGKILL
        with suppress(ConnectionClosed):
            while True:
                feed.recv(LIMIT_S)

    again = Program(tmp_path)
    screen.url = again.url
    with again.feed(screen, after=seen) as feed:
        message = json.loads(feed.recv(LIMIT_S))
        assert message["seq"] > seen
        assert message["view"]["state"] == "suspended"
        assert message["view"]["round"] == 1
    assert screen.ask("/api/me")["locked"] is True
    assert screen.say("answer", value=False)["type"] == "/problems/locked"
    screen.csrf = screen.ask("/api/unlock", {"secret": "2222"})["csrf"]
    assert screen.say("answer", key="another-tap", value=False)["state"] == "betting"
    repeated = screen.say("open_betting", key="the-same-tap")
    assert (repeated["seq"], repeated["state"]) == (first["seq"], "betting")
    played = [each["what"] for each in screen.ask("/api/rounds/1/1")["phases"]]
    assert played.count("open_betting") == 1
    assert again.end(signal.SIGTERM) == 0

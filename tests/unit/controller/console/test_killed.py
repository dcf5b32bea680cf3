"""A console that is killed and comes back: nothing acknowledged is lost, nothing is done twice."""

import json
import signal
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from support.console.console_to_kill import Program
from support.console.consoles import accounts_in
from support.console.plain_screens import LIMIT_S, Screen
from support.feeds import open_feed


def feed_of(program: Program, screen: Screen, after: int | None = None) -> ClientConnection:
    query = "" if after is None else f"?after={after}"
    url = program.url.replace("http", "ws") + f"/feed/dealer{query}"
    return open_feed(url, additional_headers={"Cookie": screen.cookie})


def test_screen_goes_on_where_the_killed_server_stopped(tmp_path: Path) -> None:
    accounts_in(tmp_path)
    program = Program(tmp_path)
    screen = Screen(program.url)
    screen.sign_in("sam", "2222")
    screen.say("open_table")
    screen.say("load_shoe", deck_set="red", verified_by="mia", cut=True)
    other = Screen(program.url)
    other.sign_in("mia", "3333")
    other.say("approve")
    with feed_of(program, screen) as feed:
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
    with feed_of(again, screen, after=seen) as feed:
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

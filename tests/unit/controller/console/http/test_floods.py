"""Floods in a short form: dealer and pit get in and are heard, and nobody is answered 5xx."""

import asyncio
import json
import queue
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from controller.console.auth.client_origin import TABLE
from controller.console.data.feeds import TOO_MANY, FeedReader
from controller.console.data.staff_priority import HELD_BACK_S, StaffPriority
from controller.console.http import connections, server
from controller.console.http.connections import MAX_PER_ADDRESS, Connections, ReaderBudget
from controller.console.http.server import ConsoleServer, ListenAddress, bound
from controller.console.http.uvicorn_adapter import HttpConnection
from support.console.consoles import PINS, Console
from support.console.plain_screens import LIMIT_S, Screen
from support.feeds import open_feed

MOST = 40
GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HALVES = {
    "nothing": b"",
    "a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: 1",
    "a body": b'POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{"who":',
    "a chunk": b"POST /api/kiosk HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n9",
}


@contextmanager
def served(folder: Path) -> Iterator[tuple[Console, str, int]]:
    with served_with(folder) as (console, url, port, _):
        yield console, url, port


@contextmanager
def served_with(
    folder: Path, *already_sent: bytes
) -> Iterator[tuple[Console, str, int, list[socket.socket]]]:
    """A console, and connections whose bytes have come before it looks at any of them: a machine
    that stops in between makes none of them late."""
    console, address = Console(folder), ListenAddress(port=0)
    listening = bound(address)
    port = listening.getsockname()[1]
    server = ConsoleServer(console.context, address, listening)
    with ExitStack() as stack:
        stack.callback(console.table.close)
        lines = [half(port, each, stack) for each in already_sent]
        server.start()
        stack.callback(server.stop)
        yield console, server.url, port, lines


def half(port: int, sent: bytes, stack: ExitStack) -> socket.socket:
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), LIMIT_S))
    made.sendall(sent)
    return made


# --- half-sent requests -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", HALVES)
def test_half_sent_requests_keep_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(server, "MAX_CONNECTIONS", MOST)
    with served(tmp_path) as (_, url, port), ExitStack() as stack:
        sam = Screen(url)
        sam.sign_in("sam", PINS["sam"][1])
        halves = [half(port, HALVES[kind], stack) for _ in range(MOST * 3)]
        assert sam.say("open_table")["accepted"], "who was there"
        late = Screen(url)
        late.sign_in("mia", PINS["mia"][1])
        assert late.ask("/api/me")["who"] == "mia", "and who comes now"
        assert halves[0].recv(99) == b"", "the oldest made room"


@pytest.mark.parametrize("kind", HALVES)
def test_a_request_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(connections, "HEADER_S", 0.05)
        patched.setattr(connections, "BODY_S", 0.05)
        with served_with(tmp_path, HALVES[kind]) as (_, url, _, [slow]):
            assert slow.recv(999).startswith(b"HTTP/1.1 408 ")
            assert slow.recv(999) == b""
            patched.undo()
            assert Screen(url).ask("/healthz") == {"lives": True}


def test_dripping_bytes_gives_no_more_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is heard later does not move the moment at which the request is given up."""
    ends: queue.Queue[float] = queue.Queue()
    take = HttpConnection._take

    def taken(self: HttpConnection, data: bytes) -> None:
        take(self, data)
        self._look()
        assert self._late is not None
        ends.put(self._late.when())

    monkeypatch.setattr(HttpConnection, "_take", taken)
    with served(tmp_path) as (_, _, port), ExitStack() as stack:
        slow = half(port, b"GET / HTTP/1.1\r\n", stack)
        first = ends.get(timeout=LIMIT_S)
        for _ in range(5):
            slow.sendall(b"X: y\r\n")
            assert ends.get(timeout=LIMIT_S) == first


# --- readers ----------------------------------------------------------------------------------


def public(url: str) -> ClientConnection:
    return open_feed(url.replace("http", "ws") + "/feed/public")


def test_places_of_readers_are_kept_for_staff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.console.data.feeds.MAX_PUBLIC", 5)
    with served(tmp_path) as (_, url, _), ExitStack() as stack:
        readers = [stack.enter_context(public(url)) for _ in range(5)]
        assert [json.loads(each.recv(LIMIT_S))["type"] for each in readers] == ["snapshot"] * 5
        with pytest.raises(ConnectionClosed) as closed:
            stack.enter_context(public(url)).recv(LIMIT_S)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TOO_MANY
        sam = Screen(url)
        sam.sign_in("sam", PINS["sam"][1])
        address = url.replace("http", "ws") + "/feed/dealer"
        with open_feed(address, additional_headers={"Cookie": sam.cookie}) as feed:
            assert json.loads(feed.recv(LIMIT_S))["type"] == "snapshot"
            assert sam.say("open_table")["accepted"]


def test_one_address_takes_few_places_of_readers(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.console.data.feeds.MAX_PER_ADDRESS", 2)
    feeds = console.context.feeds

    def reader(address: str | None) -> FeedReader:
        return FeedReader("public", lambda: False, address)

    for _ in range(2):
        feeds.join(reader("10.0.0.66"), None)
    assert not feeds._has_room_for(reader("10.0.0.66"))
    assert feeds._has_room_for(reader("10.0.0.5"))
    assert feeds._has_room_for(reader(None)), "the table itself"
    console.table.close()


UPGRADE = (
    b"GET /feed/public HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
SAID = {"empty texts": b"\x81\x80", "pongs": b"\x8a\x80"}


@pytest.mark.parametrize("kind", SAID)
def test_a_reader_who_talks_is_dropped_before_it_is_heard(tmp_path: Path, kind: str) -> None:
    """A hundred of them kept everybody waiting for half a minute."""
    with served(tmp_path) as (_, url, port), ExitStack() as stack:
        quiet = stack.enter_context(public(url))
        talks = half(port, UPGRADE, stack)
        assert talks.recv(9).startswith(b"HTTP/1.1 ")
        frames = (SAID[kind] + bytes(4)) * 10_000
        with pytest.raises(OSError, match=r"reset|Broken"):
            talks.sendall(frames * 100)
        sam = Screen(url)
        sam.sign_in("sam", PINS["sam"][1])
        assert sam.say("open_table")["accepted"]
        while json.loads(quiet.recv(LIMIT_S))["type"] != "step":
            pass


def test_a_reader_may_answer_pings_as_long_as_it_likes() -> None:
    budget = ReaderBudget(0.0)
    now = 0.0
    for _ in range(1000):
        now += 10
        assert budget.takes(2 + 4 + 125, now)
    assert not budget.takes(1025, now)


# --- what waits for its turn --------------------------------------------------------------------


def test_what_nobody_has_looked_at_stays_with_the_sender(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever sends fast while strangers wait fills the console's memory."""
    monkeypatch.setattr(Connections, "later", lambda *_: None)
    with served(tmp_path) as (_, _, port), ExitStack() as stack:
        sender = half(port, b"GET / HTTP/1.1\r\n", stack)
        sender.settimeout(1)
        with pytest.raises(TimeoutError):
            sender.sendall(b"X: y\r\n" * 7_000_000)


def test_who_sent_in_time_is_not_told_that_it_was_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_S", 0.05)
    monkeypatch.setattr(connections, "LOOKED_AT_S", 0.05)
    monkeypatch.setattr(Connections, "later", lambda _, loop, hear: loop.call_later(0.5, hear))
    with served_with(tmp_path, GET) as (_, _, _, [waits]):
        assert waits.recv(999).startswith(b"HTTP/1.1 200 ")


def test_requests_in_one_piece_have_a_turn_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a few who send thousands in one piece are heard as often as everybody else together."""
    turns = list[object]()

    def later(_: object, loop: asyncio.AbstractEventLoop, hear: Callable[[], None]) -> None:
        turns.append(hear)
        loop.call_soon(hear)

    monkeypatch.setattr(Connections, "later", later)
    with served(tmp_path) as (_, _, port), ExitStack() as stack:
        line = half(port, GET * 20, stack)
        said = b""
        while said.count(b"HTTP/1.1 200 ") < 20:
            said += line.recv(65536)
        assert len(turns) >= 20


def test_bytes_that_nobody_can_take_cost_nobody_else_their_turn() -> None:
    async def run() -> list[str]:
        loop, heard = asyncio.get_running_loop(), list[str]()
        loop.set_exception_handler(lambda _, told: heard.append(type(told["exception"]).__name__))
        places = Connections(nobody)
        nothing: dict[str, None] = {}
        places.later(loop, lambda: nothing["a mistake of ours"])
        places.later(loop, lambda: heard.append("the next one"))
        while len(heard) < 2:
            await asyncio.sleep(0)
        return heard

    assert asyncio.run(asyncio.wait_for(run(), LIMIT_S)) == ["KeyError", "the next one"]


# --- sign-ins ---------------------------------------------------------------------------------


def test_a_dozen_strangers_at_the_door_keep_nobody_out(tmp_path: Path) -> None:
    with served(tmp_path) as (console, url, _):

        def strangers(n: int) -> list[int]:
            screen = Screen(url)
            body = {"secret": "123456"}
            told = [screen.ask("/api/sign-in", {"who": f"no{n}x{k}", **body}) for k in range(10)]
            return [each["status"] for each in told]

        with ThreadPoolExecutor(12) as pool:
            flood = [pool.submit(strangers, n) for n in range(12)]
            for who in ("anna", "sam", "mia"):
                Screen(url).sign_in(who, PINS[who][1])
            statuses = [status for each in flood for status in each.result(LIMIT_S)]
        assert statuses == [401] * 120
        failed = [each for each in noted(console) if each == "sign_in_failed"]
        assert 0 < len(failed) <= 20, "and the journal is not filled with it"


def noted(console: Console) -> list[str]:
    console.table.settle_down()
    said = [json.loads(record.body).get("in", {}) for record in console.journal.records()]
    return [each["with"]["what"] for each in said if each.get("event") == "noted"]


# --- places -----------------------------------------------------------------------------------


class Line:
    """A connection that only knows whether it was dropped."""

    def __init__(self) -> None:
        self.dropped = False

    def abort(self) -> None:
        self.dropped = True


def line() -> asyncio.Transport:
    return cast(asyncio.Transport, Line())


def dropped(lines: list[asyncio.Transport]) -> list[int]:
    return [n for n, each in enumerate(lines) if cast(Line, each).dropped]


def nobody(_: str) -> bool:
    return False


def test_one_address_has_few_places_and_drops_its_own() -> None:
    places = Connections(nobody)
    lines = [line() for _ in range(MAX_PER_ADDRESS)]
    assert all(places.admit(each, "10.0.0.66") for each in lines)
    other = line()
    assert places.admit(other, "10.0.0.5")
    assert places.admit(line(), "10.0.0.66")
    assert dropped([*lines, other]) == [0]
    for each in lines:
        places.works(each)
    assert places.admit(line(), "10.0.0.66"), "the one that still waits makes room"
    assert dropped([*lines, other]) == [0]


def test_who_is_answered_is_never_dropped() -> None:
    places = Connections(nobody, most=3 + connections.KEPT_FOR_TABLE)
    lines = [line() for _ in range(3)]
    for each in lines:
        assert places.admit(each, TABLE)
        places.works(each)
    assert not places.admit(line(), "10.0.0.66"), "the last places are the table's"
    here = line()
    assert places.admit(here, TABLE)
    assert not places.admit(line(), "10.0.0.66"), "nor does a stranger take one that waits there"
    places.gone(lines[0])
    places.gone(lines[1])
    assert places.admit(line(), "10.0.0.66")
    assert dropped([*lines, here]) == []
    assert len(places) == 3


def test_staff_are_heard_before_strangers() -> None:
    token = "ab" * 32
    places = Connections(lambda given: given == token)
    assert places.staff(
        b"POST /api/kiosk HTTP/1.1\r\nCookie: x=1; sabot=" + token.encode() + b"\r\n\r\n"
    )
    assert places.staff(b"Cookie: __Host-sabot=" + token.encode())
    assert not places.staff(b"Cookie: sabot=" + b"cd" * 32)
    assert not places.staff(b"GET / HTTP/1.1\r\n\r\n")


def test_strangers_are_heard_a_few_at_a_time_and_in_order() -> None:
    async def run() -> list[object]:
        loop, heard = asyncio.get_running_loop(), list[object]()
        places = Connections(nobody)
        for n in range(6):
            places.later(loop, lambda n=n: heard.append(n))  # type: ignore[misc]
        loop.call_soon(heard.append, "somebody else")
        while len(heard) < 7:
            await asyncio.sleep(0)
        return heard

    heard = asyncio.run(run())
    assert [each for each in heard if each != "somebody else"] == [0, 1, 2, 3, 4, 5]
    assert heard.index("somebody else") <= 1


def test_strangers_wait_while_staff_speak_and_no_longer_than_a_moment() -> None:
    async def run() -> None:
        loop, heard, first = asyncio.get_running_loop(), list[int](), StaffPriority()
        places = Connections(nobody, first=first)
        with first.word():
            places.later(loop, lambda: heard.append(1))
            for _ in range(5):
                await asyncio.sleep(0)
            assert heard == []
            while not heard:  # whatever becomes of the word
                await asyncio.sleep(HELD_BACK_S)
        places.later(loop, lambda: heard.append(2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert heard == [1, 2]

    asyncio.run(run())

"""The live feed: snapshot, steps, resuming, who may read it, who is dropped."""

import asyncio
import json
from contextlib import nullcontext
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from controller.console.data.feeds import (
    MAX_RESUME,
    MAX_WAITING,
    SLOW,
    WOKEN_AT_ONCE,
    FeedReader,
    Feeds,
    frame,
)
from controller.console.data.staff_priority import HELD_BACK_S, StaffPriority
from controller.runtime.snapshots import KEPT, Snapshot, SnapshotLog
from controller.views.structs.setup import TableAbout
from support.console.consoles import Browser, Console, accounts_in
from support.rows import each_row
from support.table.snapshots import snapshot


def told(socket: Any, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds; beats come in between."""
    while True:
        message: dict[str, Any] = json.loads(socket.receive_text())
        if message["type"] in kinds:
            return message


def read_until(socket: Any, what: str) -> None:
    """The step comes; the note of a sign-in may come before it."""
    while told(socket, "step")["what"] != what:
        pass


def closed_with(socket: Any) -> int:
    """The code the feed ends with."""
    with pytest.raises(WebSocketDisconnect) as closed:
        told(socket, "nothing")
    return closed.value.code


def test_snapshot_then_steps(console: Console, browser: Browser) -> None:
    with browser.feed("public") as socket:
        first = told(socket, "snapshot")
        assert first["view"]["state"] == "closed"
        console.table.staff("open_table")
        step = told(socket, "step")
        assert step["what"] == "open_table"
        assert step["seq"] > first["seq"]
        assert step["view"]["state"] == "changing_shoe"
        assert step["at"] > 0
        assert step["sent"] == console.clock.now


def test_the_name_a_round_has_elsewhere_goes_through(console: Console, browser: Browser) -> None:
    console.table.staff("open_table")
    console.table.load_shoe()
    with browser.feed("public") as socket:
        assert told(socket, "snapshot")["view"]["ref"] is None
        console.table.staff("open_betting", ref="studio-7/0042")
        assert told(socket, "step")["view"]["ref"] == "studio-7/0042"
    with browser.feed("public") as socket:
        assert told(socket, "snapshot")["view"]["ref"] == "studio-7/0042"


def test_beats_come_by_themselves(browser: Browser) -> None:
    with browser.feed("public") as socket:
        beat = told(socket, "beat")
        assert beat["locked"] is False
        assert beat["stopped"] is None
        assert beat["demo"] is False


def test_reader_resumes_where_it_was(console: Console, browser: Browser) -> None:
    with browser.feed("public") as socket:
        seen = told(socket, "snapshot")["seq"]
    console.table.staff("open_table")
    console.table.staff("close_table")
    with browser.feed(f"public?after={seen}") as socket:
        assert [told(socket, "step", "snapshot")["what"] for _ in range(2)] == [
            "open_table",
            "close_table",
        ]


@pytest.mark.parametrize("after", ["999999", "-1", "x", "1" * 400, "٣"])
def test_reader_with_a_number_from_elsewhere_gets_a_snapshot(browser: Browser, after: str) -> None:
    with browser.feed(f"public?after={after}") as socket:
        assert told(socket, "step", "snapshot")["type"] == "snapshot"


@pytest.mark.parametrize(
    ("who", "reads"),
    [
        (None, {"public"}),
        ("anna", {"public", "dealer"}),
        ("sam", {"public", "dealer", "pit"}),
        ("mia", {"public", "dealer", "pit", "surveillance"}),
        ("eve", {"public", "dealer", "pit", "surveillance"}),
    ],
)
def test_each_reads_what_their_role_reaches(
    browser: Browser, who: str | None, reads: set[str]
) -> None:
    if who is not None:
        browser.sign_in(who)
    for audience in ("public", "dealer", "pit", "surveillance"):
        with browser.feed(audience) as socket:
            if audience in reads:
                assert told(socket, "snapshot")
            else:
                assert closed_with(socket) == (4401 if who is None else 4403)


def test_unknown_audience_is_turned_away(browser: Browser) -> None:
    with browser.feed("everything") as socket:
        assert closed_with(socket) == 4403


def test_another_sites_page_cannot_read_what_is_not_public(browser: Browser) -> None:
    browser.sign_in("anna")
    elsewhere = "http://evil.example"
    with browser.feed("dealer", Origin=elsewhere) as socket:
        assert closed_with(socket) == 4403
    with browser.feed("public", Origin=elsewhere) as socket:
        assert told(socket, "snapshot")


def test_locked_screen_keeps_its_feed_and_is_told(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    with browser.feed("pit") as socket:
        told(socket, "snapshot")
        browser.post("/api/lock")
        while not told(socket, "beat")["locked"]:
            pass
        console.table.staff("open_table")
        read_until(socket, "open_table")


def test_feed_ends_with_the_session(browser: Browser) -> None:
    browser.sign_in("sam")
    with browser.feed("pit") as socket:
        told(socket, "snapshot")
        browser.post("/api/sign-out")
        assert closed_with(socket) == 4401


def test_feed_ends_when_the_role_no_longer_reaches(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    with browser.feed("pit") as socket:
        told(socket, "snapshot")
        accounts_in(console.folder, {"sam": ("dealer", "2222")})
        assert closed_with(socket) == 4401


def test_broken_file_of_accounts_throws_nobody_out(console: Console, browser: Browser) -> None:
    browser.sign_in("sam")
    with browser.feed("pit") as socket:
        told(socket, "snapshot")
        (console.folder / "staff.json").write_bytes(b"{")
        assert told(socket, "beat")["locked"] is False
        console.table.staff("open_table")
        read_until(socket, "open_table")
    assert browser.get("/api/me").json()["who"] == "sam"
    assert "not a file of accounts" in browser.get("/api/staff").json()["detail"]


def test_stopped_table_is_told_by_the_beat(console: Console, browser: Browser) -> None:
    with browser.feed("public") as socket:
        told(socket, "snapshot")
        console.table.close()
        while told(socket, "beat")["stopped"] is None:
            pass


# --- without a server ------------------------------------------------------------------------


def posted(seq: int) -> Snapshot:
    return snapshot(seq, "card", float(seq), round=seq)


def feeds(snapshots: SnapshotLog) -> Feeds:
    return Feeds(snapshots, lambda: 5.0, TableAbout(False, "live", "T"))


async def drained(reader: FeedReader, count: int) -> list[dict[str, Any]]:
    found = [await reader.take() for _ in range(count)]
    return [json.loads(each) for each in found if each is not None]


def test_slow_reader_is_dropped_and_others_are_not() -> None:
    async def run() -> None:
        snapshots = SnapshotLog()
        hub = feeds(snapshots)
        slow, quick = FeedReader("public", lambda: False), FeedReader("public", lambda: False)
        snapshots.post(posted(1))
        hub.join(slow, None)
        hub.join(quick, None)
        await drained(quick, 1)
        for seq in range(2, MAX_WAITING + 3):
            snapshots.post(posted(seq))
            hub.deliver()
            assert (await drained(quick, 1))[0]["seq"] == seq
        assert slow.closes == SLOW
        assert await slow.take() is None
        assert quick.closes is None

    asyncio.run(run())


def test_reader_that_joins_misses_nothing_and_gets_nothing_twice() -> None:
    async def run() -> None:
        snapshots = SnapshotLog()
        hub = feeds(snapshots)
        for seq in range(1, 4):
            snapshots.post(posted(seq))
        reader = FeedReader("public", lambda: False)
        hub.join(reader, 1)
        snapshots.post(posted(4))
        hub.deliver()
        assert [each["seq"] for each in await drained(reader, 3)] == [2, 3, 4]

    asyncio.run(run())


def test_reader_that_was_away_too_long_gets_a_snapshot() -> None:
    async def run() -> None:
        snapshots = SnapshotLog()
        hub = feeds(snapshots)
        for seq in range(1, MAX_RESUME + 3):
            snapshots.post(posted(seq))
        reader = FeedReader("public", lambda: False)
        hub.join(reader, 1)
        (first,) = await drained(reader, 1)
        assert (first["type"], first["seq"]) == ("snapshot", MAX_RESUME + 2)

    asyncio.run(run())


def test_hub_that_fell_behind_the_board_sends_a_snapshot() -> None:
    async def run() -> None:
        snapshots = SnapshotLog()
        hub = feeds(snapshots)
        snapshots.post(posted(1))
        reader = FeedReader("public", lambda: False)
        hub.join(reader, None)
        for seq in range(2, KEPT + 4):
            snapshots.post(posted(seq))
        hub.deliver()
        first, second = await drained(reader, 2)
        assert (first["type"], first["seq"]) == ("snapshot", 1)
        assert (second["type"], second["seq"]) == ("snapshot", KEPT + 3)

    asyncio.run(run())


def test_empty_board_gives_beats_only() -> None:
    async def run() -> None:
        hub = feeds(SnapshotLog())
        reader = FeedReader("public", lambda: False)
        hub.join(reader, None)
        hub.beat()
        (beat,) = await drained(reader, 1)
        assert (beat["type"], beat["seq"]) == ("beat", 0)

    asyncio.run(run())


# --- the public's lines -----------------------------------------------------------------------


class Line:
    """Takes what it is given, as long as it is ready."""

    def __init__(self) -> None:
        self.ready = True
        self.ended = False
        self.pieces: list[bytes] = []

    def takes_more(self) -> bool:
        return self.ready

    def write_frames(self, frames: bytes) -> None:
        self.pieces.append(frames)

    def hang_up(self) -> None:
        self.ended = True


def messages(pieces: list[bytes]) -> list[bytes]:
    """As a real client reads them."""
    client = ClientProtocol(parse_uri("ws://127.0.0.1"), state=State.OPEN, max_size=None)
    for piece in pieces:
        client.receive_data(piece)
    events = [each for each in client.events_received() if isinstance(each, Frame)]
    assert all(each.fin and each.opcode is Opcode.TEXT for each in events)
    return [bytes(each.data) for each in events]


@each_row("length", [0, 1, 125, 126, 127, 65535, 65536, 70000])
def test_a_frame_is_what_a_client_reads(length: int) -> None:
    assert messages([frame(b"x" * length), frame(b"next")]) == [b"x" * length, b"next"]


def test_what_gathered_for_a_line_that_was_busy_is_written_in_one_piece() -> None:
    snapshots, line = SnapshotLog(), Line()
    hub = feeds(snapshots)
    reader = FeedReader("public", lambda: False, line=line)
    snapshots.post(posted(1))
    hub.join(reader, None)
    line.ready = False
    for seq in range(2, 6):
        snapshots.post(posted(seq))
        hub.deliver()
        reader.wake()
    assert len(line.pieces) == 1, "nothing is put on top of what has not left"
    line.ready = True
    reader.wake()
    reader.wake()
    assert len(line.pieces) == 2
    assert [json.loads(each)["seq"] for each in messages(line.pieces)] == [1, 2, 3, 4, 5]


def test_a_line_that_takes_nothing_is_dropped_and_written_to_no_more() -> None:
    snapshots, line = SnapshotLog(), Line()
    hub = feeds(snapshots)
    reader = FeedReader("public", lambda: False, line=line)
    line.ready = False
    hub.join(reader, None)
    for seq in range(1, MAX_WAITING + 3):
        snapshots.post(posted(seq))
        hub.deliver()
    assert reader.closes == SLOW
    line.ready = True
    reader.wake()
    assert (line.pieces, line.ended) == ([], True)


def test_the_public_waits_while_staff_speak_and_no_longer_than_a_moment() -> None:
    async def run(*, speaking: bool) -> int:
        snapshots, first = SnapshotLog(), StaffPriority()
        hub = Feeds(snapshots, lambda: 5.0, TableAbout(False, "live", "T"), first)
        lines = [Line() for _ in range(3 * WOKEN_AT_ONCE)]
        for line in lines:
            hub.join(FeedReader("public", lambda: False, line=line), None)
        with first.word() if speaking else nullcontext():
            running = asyncio.create_task(hub.run())
            snapshots.post(posted(1))
            for _ in range(20):
                await asyncio.sleep(0)
            early = sum(bool(line.pieces) for line in lines)
            while not all(line.pieces for line in lines):
                await asyncio.sleep(HELD_BACK_S)
        running.cancel()
        return early

    assert asyncio.run(run(speaking=True)) == WOKEN_AT_ONCE
    assert asyncio.run(run(speaking=False)) == 3 * WOKEN_AT_ONCE

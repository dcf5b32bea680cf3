"""The live feed: snapshot, steps, resuming, who may read it, who is dropped."""

import asyncio
import json
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from controller.console.data.feeds import RESUME_MOST, SLOW, WAITING_MOST, FeedReader, Feeds
from controller.runtime.snapshots import KEPT, Snapshot, SnapshotLog
from support.console.consoles import Browser, Console, accounts_in


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
    return Snapshot(seq, float(seq), "card", {"dealer": {}, "public": {"n": seq}}, {})


def feeds(snapshots: SnapshotLog) -> Feeds:
    return Feeds(snapshots, lambda: 5.0, {"demo": False, "table": "T"})


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
        for seq in range(2, WAITING_MOST + 3):
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
        for seq in range(1, RESUME_MOST + 3):
            snapshots.post(posted(seq))
        reader = FeedReader("public", lambda: False)
        hub.join(reader, 1)
        (first,) = await drained(reader, 1)
        assert (first["type"], first["seq"]) == ("snapshot", RESUME_MOST + 2)

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

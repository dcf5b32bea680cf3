"""The board takes what tables say and tells screens what changed, never backwards."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller.floor.web.live.board import Board
from controller.floor.web.live.exceptions import rows
from controller.protocol.live import Beat, LiveView
from controller.protocol.names import TableName

VIEW: dict[str, Any] = {
    "state": "betting",
    "phase": "betting",
    "round": 7,
    "shoe": 2,
    "method": "B",
    "dealer": "anna",
    "limits": {"min": 2500, "max": 100000, "differential": None, "wagers": {}},
    "results": list("BPTBBPPB"),
    "held": [],
    "asks": [],
    "can": ["close_betting"],
}
HELD: dict[str, Any] = {
    "kind": "case",
    "what": "simultaneous",
    "code": "held_reported",
    "gaps": {"by": "anna"},
    "text": "anna reports: two at once",
    "since": 50.0,
    "role": "dealer",
    "clause": "5.8",
    "second": False,
    "remedy": {"code": "held_for_an_answer", "gaps": {}, "text": "Answer the question"},
    "ends": {"code": "ends_by_role", "gaps": {}, "text": "A dealer can end it"},
    "detail": None,
}


def live(seq: int, table: str = "bac-01", **view: Any) -> LiveView:
    return LiveView("s", table, seq, 100.0, 100.1, "card", {**VIEW, **view}, {}, instance="one")


def beat(table: str = "bac-01", at: float = 100.0) -> Beat:
    return Beat("s", table, "one", "boot", "0.2.0", "mbs-baccarat-8", 5, 0, at, 9000, pit="A")


def test_a_tile_shows_the_table_as_its_view_has_it() -> None:
    board = Board("s")
    assert board.live(live(5), now=100.0)
    (tile,) = board.tiles()
    assert (tile.phase, tile.dealer, tile.round, tile.limits.min) == ("betting", "anna", 7, 2500)
    assert tile.results == tuple("TBBPPB")
    assert board.counts().in_play == 1


def test_a_view_that_comes_late_takes_no_screen_back() -> None:
    board = Board("s")
    board.live(live(9, phase="dealing", state="dealing"), now=100.0)
    assert not board.live(live(8), now=101.0)
    (tile,) = board.tiles()
    assert (tile.seq, tile.phase) == (9, "dealing")
    # Another program under this name begins where its own journal stands.
    assert board.live(replace(live(3), instance="two"), now=102.0)
    assert board.tiles()[0].seq == 3
    # And what comes late of the one before is not news again.
    assert not board.live(live(10), now=103.0)
    assert board.live(replace(live(4), instance="two"), now=104.0)
    assert board.tiles()[0].seq == 4


def test_a_screen_gets_only_what_has_changed_since() -> None:
    board = Board("s")
    board.live(live(5), now=100.0)
    board.live(live(5, table="bac-02"), now=100.0)
    seen = board.revision
    assert board.tiles(after=seen) == []
    board.live(live(6, round=8), now=101.0)
    assert [each.table for each in board.tiles(after=seen)] == ["bac-01"]


def test_being_heard_again_is_no_change() -> None:
    board = Board("s")
    board.beat(beat(), now=100.0)
    seen = board.revision
    board.beat(beat(at=102.0), now=102.0)
    assert board.revision == seen
    assert board.tick(now=107.9) == []
    assert board.tick(now=108.1) == [TableName("s", "bac-01")]
    assert board.tick(now=110.0) == []
    assert board.counts().away == 1
    board.beat(beat(at=111.0), now=111.0)
    assert board.counts().away == 0


@pytest.mark.parametrize(("every", "still", "silent"), [(1e18, 279.0, 281.0), (0.0, 101.4, 101.6)])
def test_a_table_does_not_say_how_long_it_may_be_silent(
    every: float, still: float, silent: float
) -> None:
    board = Board("s")
    board.beat(replace(beat(), every=every), now=100.0)
    assert board.tick(now=still) == []
    assert board.tick(now=silent) == [TableName("s", "bac-01")]


def test_a_stopped_table_is_counted_as_stopped_and_says_why() -> None:
    board = Board("s")
    board.live(live(5, state="halted", held=[HELD]), now=100.0)
    counts = board.counts()
    assert (counts.stopped, counts.in_play) == (1, 0)
    (stop,) = board.tiles()[0].stops
    assert (stop.code, stop.clause, stop.since) == ("held_reported", "5.8", 50.0)
    assert stop.ends is not None
    assert stop.ends.code == "ends_by_role"


def test_a_view_that_cannot_be_read_is_said_and_the_old_one_not_shown_on() -> None:
    board = Board("s")
    board.live(live(5, state="halted", held=[HELD]), now=100.0)
    assert not board.live(replace(live(6), view={"state": 7}), now=101.0)
    (tile,) = board.tiles()
    assert (tile.unread, tile.stops, tile.seq) == (True, (), 6)
    assert board.view("bac-01") is None
    assert [row.kind for row in rows([tile], [])] == ["unread"]
    board.live(live(7), now=102.0)
    assert [row.kind for row in rows(board.tiles(), [])] == []


def test_an_enrolled_table_that_never_spoke_is_away() -> None:
    board = Board("s")
    board.enrolled("bac-09", "Baccarat 9", "C", 50.0)
    (tile,) = board.tiles()
    assert (tile.away, tile.title, tile.pit) == (True, "Baccarat 9", "C")
    assert board.counts().away == 1
    assert [(row.kind, row.since) for row in rows([tile], [])] == [("away", 50.0)]
    board.beat(replace(beat("bac-09"), title="Salon"), now=100.0)
    board.enrolled("bac-09", "Baccarat 9", "C", 50.0)
    assert (board.tiles()[0].title, board.counts().away) == ("Salon", 0)
    board.removed("bac-09")
    assert board.tiles() == []

"""The lobby tells guests what they may know, once and then what changed."""

from typing import Any

import msgspec

from controller.floor.web.live.board import Board
from controller.floor.web.live.lobby import Lobby, LobbyMessage
from support.floor.web import beat, live

HELD = {
    "kind": "case",
    "code": "held_reported",
    "gaps": {"by": "dana"},
    "text": "dana reports: a card is missing",
    "since": 1.0,
}


def board(**view: Any) -> Board:
    found = Board("site")
    found.beat(beat("b-07", "B"), 100.0)
    public = {"results": ["B", "Pp", "T"]}
    said = live("b-07", 5, **view)
    found.live(msgspec.structs.replace(said, public=public), 100.0)
    return found


def read(lobby: Lobby, after: int) -> LobbyMessage:
    lobby.look()
    return msgspec.json.decode(lobby.encoded(after, 1.0), type=LobbyMessage)


def test_a_guest_gets_every_table_once_and_then_what_changed() -> None:
    tables = board()
    lobby = Lobby(tables)
    first = read(lobby, 0)
    assert first.whole
    (row,) = first.tables
    assert (row.state, row.limits.min, row.counts.banker) == ("betting", 2500, 1)
    assert [cell[2] for cell in row.big_road] == ["B", "Pp"]
    assert read(lobby, first.revision).tables == []
    tables.live(live("b-07", 6, phase="dealing", state="dealing"), 101.0)
    news = read(lobby, first.revision)
    assert not news.whole
    assert [row.state for row in news.tables] == ["dealing"]


def test_what_staff_alone_may_know_changes_nothing_there() -> None:
    tables = board()
    lobby = Lobby(tables)
    seen = read(lobby, 0).revision
    tables.beat(beat("b-07", "B", documents={"people": 3}), 101.0)
    tables.played({"b-07": 61})
    lobby.look()
    assert lobby.revision == seen


def test_a_stopped_table_pauses_and_nobody_there_learns_why() -> None:
    lobby = Lobby(board(state="halted", held=[HELD]))
    lobby.look()
    sent = lobby.encoded(0, 1.0)
    assert msgspec.json.decode(sent, type=LobbyMessage).tables[0].state == "paused"
    for word in (b"dana", b"missing", b"held", b"9H"):
        assert word not in sent


def test_dealers_are_named_where_the_site_wants_it() -> None:
    assert read(Lobby(board()), 0).tables[0].dealer is None
    assert read(Lobby(board(), names_dealers=True), 0).tables[0].dealer == "dana"


def test_a_table_that_is_taken_off_goes_and_one_not_heard_says_so() -> None:
    tables = board()
    lobby = Lobby(tables)
    seen = read(lobby, 0).revision
    tables.tick(1000.0)
    assert [row.state for row in read(lobby, seen).tables] == ["away"]
    tables.removed("b-07")
    assert read(lobby, seen).gone == ["b-07"]
    assert read(lobby, 0).tables == []


def test_readers_who_have_seen_the_same_get_the_same_bytes() -> None:
    lobby = Lobby(board())
    lobby.look()
    assert lobby.encoded(0, 1.0) is lobby.encoded(0, 2.0)

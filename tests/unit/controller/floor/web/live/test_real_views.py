"""The board against views of real tables at which a robot errs: every one of them is read."""

from typing import Any

from controller.floor.web.live.board import Board
from controller.floor.web.live.exceptions import rows
from controller.protocol.live import LiveView
from judge.erring.found import Tally
from judge.erring.shoes import ErringTable
from judge.erring.ways import WAYS
from support.rows import each_row


def played(way: int) -> list[dict[str, Any]]:
    views: list[dict[str, Any]] = []
    ErringTable(WAYS[way], 7, Tally(), spoils=lambda view: views.append(dict(view))).play(8)
    return views


@each_row("way", [0, 1, 5])
def test_whatever_a_table_shows_its_pit_the_floor_shows_too(way: int) -> None:
    board, waited = Board("s"), set[str]()
    for seq, view in enumerate(played(way), 1):
        assert board.live(LiveView("s", "t", seq, 1.0, 1.0, "card", view, {}, "one"), now=1.0)
        (tile,) = board.tiles()
        assert (tile.seq, tile.state, len(tile.asks)) == (seq, view["state"], len(view["asks"]))
        waited |= {row.waits_for or "" for row in rows([tile], [])}
    assert "approve" in waited, "the word that a floor is there for"

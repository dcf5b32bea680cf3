"""The lobby: every table as guests may see it, in one stream: a snapshot, then changes.

It uses the tables' public views alone: it shows no reason for a stop, no player and no face-down
card. A reader gets the changes since the last message that it read; readers at the same revision
get the same bytes, encoded once.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.floor.web.live.board import Board, BoardLimits, Tile
from controller.views.scoreboard import Ring, ShoeCounts, scoreboard

LOOK_S: Final = 0.5
BEAT_S: Final = 5.0
TAKEN_S: Final = 10.0
MAX_READERS: Final = 2000
FULL: Final = 4429

AWAY: Final = "away"
PAUSED: Final = "paused"
_STOPPED: Final = ("halted", "suspended")


class LobbyRow(msgspec.Struct, frozen=True):
    """One table for guests."""

    table: str
    title: str
    state: str
    """The phase; `paused` while it is stopped, `away` while it is silent."""
    rulebook: str
    shoe: int | None
    round: int | None
    limits: BoardLimits
    currency: str
    minor_units: int
    dealer: str | None
    """Set if the site shows the names of dealers."""
    big_road: list[Ring]
    counts: ShoeCounts


class LobbyMessage(msgspec.Struct, frozen=True, tag_field="type", tag="lobby"):
    """`whole`: these are all tables; else those that have changed, and the names of removed
    ones."""

    revision: int
    whole: bool
    now: float
    tables: list[LobbyRow]
    gone: list[str]


class Lobby:
    """The guests' data, with the revision of each part's last change."""

    def __init__(self, board: Board, names_dealers: bool = False) -> None:
        self._board = board
        self._names_dealers = names_dealers
        self.revision = 0
        self.readers = 0
        self._rows: dict[str, LobbyRow] = {}
        self._changed: dict[str, int] = {}
        self._gone: dict[str, int] = {}
        self._encoded: tuple[int, int, bytes] | None = None

    def look(self) -> None:
        """Copies changes from the board."""
        seen = {tile.table: tile for tile in self._board.tiles()}
        for table in self._rows.keys() - seen.keys():
            self.revision += 1
            self._gone[table] = self.revision
            del self._rows[table], self._changed[table]
        for tile in seen.values():
            row = _row(tile, self._board.public_results(tile.table), self._names_dealers)
            if self._rows.get(tile.table) != row:
                self.revision += 1
                self._rows[tile.table] = row
                self._changed[tile.table] = self.revision
                self._gone.pop(tile.table, None)

    def encoded(self, after: int, now: float) -> bytes:
        """The encoded message, made once for all readers at the same revision."""
        known = self._encoded
        if known is not None and known[:2] == (after, self.revision):
            return known[2]
        made = msgspec.json.encode(self.message(after, now))
        self._encoded = (after, self.revision, made)
        return made

    def message(self, after: int, now: float) -> LobbyMessage:
        """The message for a reader at a revision; 0 for a new reader."""
        rows = [self._rows[table] for table, at in self._changed.items() if at > after]
        gone = [table for table, at in self._gone.items() if at > after] if after else []
        rows.sort(key=lambda row: row.table)
        return LobbyMessage(self.revision, not after, now, rows, gone)


def _row(tile: Tile, results: tuple[str, ...], names_dealers: bool) -> LobbyRow:
    board = scoreboard(results)
    state = tile.phase if tile.state not in _STOPPED and not tile.stops else PAUSED
    return LobbyRow(
        table=tile.table,
        title=tile.title,
        state=AWAY if tile.away else state,
        rulebook=tile.rulebook,
        shoe=tile.shoe,
        round=tile.round,
        limits=tile.limits,
        currency=tile.currency,
        minor_units=tile.minor_units,
        dealer=tile.dealer if names_dealers else None,
        big_road=board.big_road,
        counts=board.counts,
    )


# --- serving ----------------------------------------------------------------------------------


async def serve(lobby: Lobby, wall: Callable[[], float], socket: WebSocket) -> None:
    """Serves a guest, who sends nothing; a reader that is too slow is disconnected."""
    await socket.accept()
    if lobby.readers >= MAX_READERS:
        await socket.close(FULL)
        return
    lobby.readers += 1
    try:
        await _send(lobby, wall, socket)
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        pass
    finally:
        lobby.readers -= 1


async def _send(lobby: Lobby, wall: Callable[[], float], socket: WebSocket) -> None:
    loop, seen, answer = asyncio.get_running_loop(), 0, float("-inf")
    while True:
        if lobby.revision > seen or loop.time() - answer >= BEAT_S:
            message = lobby.encoded(seen, wall())
            seen, answer = lobby.revision, loop.time()
            await asyncio.wait_for(socket.send_text(message.decode()), TAKEN_S)
        await asyncio.sleep(LOOK_S)

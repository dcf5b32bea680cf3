"""The lobby: every table as guests may see it, all in one stream, a snapshot and then changes.

Made of the tables' own public views and nothing else: why a table has stopped, who plays and what
lies face down is nobody's business there. Whoever reads gets what has changed since they last took
something; readers who have seen the same get the same bytes, made once.
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
    """The phase; `paused` while it is stopped, `away` while it is not heard."""
    rulebook: str
    shoe: int | None
    round: int | None
    limits: BoardLimits
    currency: str
    minor_units: int
    dealer: str | None
    """Where the site wants dealers named."""
    big_road: list[Ring]
    counts: ShoeCounts


class LobbyMessage(msgspec.Struct, frozen=True, tag_field="type", tag="lobby"):
    """`whole`: these are all tables; else those that have changed, and the names of those gone."""

    revision: int
    whole: bool
    now: float
    tables: list[LobbyRow]
    gone: list[str]


class Lobby:
    """What guests see, and when each part of it last changed."""

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
        """Take over what has changed on the board."""
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
        """The message as it is sent, made once for all who have seen the same."""
        known = self._encoded
        if known is not None and known[:2] == (after, self.revision):
            return known[2]
        made = msgspec.json.encode(self.message(after, now))
        self._encoded = (after, self.revision, made)
        return made

    def message(self, after: int, now: float) -> LobbyMessage:
        """For whoever has seen a revision; 0 has seen nothing."""
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
    """Guests read and say nothing; a reader who does not take what is sent is cut off."""
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

"""The floor's feed: the whole board once, then changes.

Nothing is queued for a screen: each message is made after the one before was sent, from the
revision that the screen has. A screen that does not read costs nothing.
"""

import asyncio
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import Counts, MapTile, on_the_map
from controller.floor.web.live.exceptions import ExceptionRow

LOOK_S: Final = 0.15
BEAT_S: Final = 1.0
TAKEN_S: Final = 10.0
"""Time-out of sending to a screen; it reconnects by itself."""
SIGNED_OUT: Final = 4401


class FloorMessage(msgspec.Struct, frozen=True, tag_field="type", tag="floor"):
    """`whole`: these are all tables; else those that have changed."""

    revision: int
    whole: bool
    now: float
    tiles: list[MapTile]
    counts: Counts
    exceptions: list[ExceptionRow] | None
    """None: unchanged."""
    store_down: str | None


class FloorFeed:
    """The position of one screen in the feed."""

    def __init__(self, context: FloorContext) -> None:
        self._context = context
        self._seen = 0
        self._rows: list[ExceptionRow] | None = None
        self._said = float("-inf")
        self._down: str | None = None

    def next(self, now: float) -> bytes | None:
        """The next message; None while nothing has changed and no beat is due."""
        board = self._context.board
        rows = self._context.exceptions()
        down = self._context.store_down
        changed = board.revision > self._seen or rows != self._rows or down != self._down
        if not changed and now - self._said < BEAT_S:
            return None
        whole = self._seen < board.whole_since or self._rows is None
        message = FloorMessage(
            board.revision,
            whole,
            self._context.wall(),
            [on_the_map(each) for each in board.tiles(0 if whole else self._seen)],
            board.counts(),
            None if rows == self._rows else rows,
            down,
        )
        self._seen, self._rows, self._said, self._down = board.revision, rows, now, down
        return msgspec.json.encode(message)


async def serve(context: FloorContext, socket: WebSocket) -> None:
    """Serves a screen until it disconnects or its session ends."""
    await socket.accept()
    feed, loop = FloorFeed(context), asyncio.get_running_loop()
    gone = asyncio.create_task(_gone(socket))
    try:
        while not gone.done():
            if context.people.present(socket) is None:
                await socket.close(SIGNED_OUT)
                return
            if (message := feed.next(loop.time())) is not None:
                await asyncio.wait_for(socket.send_text(message.decode()), TAKEN_S)
            await asyncio.wait([gone], timeout=LOOK_S)
    except (TimeoutError, WebSocketDisconnect):
        pass
    finally:
        gone.cancel()


async def _gone(socket: WebSocket) -> None:
    """Waits until the screen disconnects; it sends nothing."""
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, KeyError):
        return

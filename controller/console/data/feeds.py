"""The live feed: a snapshot, then every step, for each reader of an audience.

One task reads the snapshots and puts messages into every reader's queue. A reader whose queue is
full is dropped, so that it delays no other. A message is encoded once for all readers of an
audience. Public readers may be many: frames are written directly to their connections, joined into
one write, a few readers at a time, and only for a part of the console's time.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, Literal, Protocol

import anyio
from msgspec.structs import astuple
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.console.data.staff_priority import HELD_BACK_S, MAX_HELD_BACK, StaffPriority
from controller.runtime.snapshots import AUDIENCES, Snapshot, SnapshotLog
from controller.views.structs.audience_views import PageView, page_view
from controller.views.structs.encoding import encode
from controller.views.structs.messages import FeedBeat, FeedStep, step_message
from controller.views.structs.setup import TableAbout

MAX_WAITING: Final = 256
"""Messages that may wait for a reader: some minutes of a table. More means a stuck network."""
MAX_READERS: Final = 1000
MAX_PUBLIC: Final = 800
"""Public readers; the other places are reserved for staff."""
MAX_PER_ADDRESS: Final = 50
"""Public readers at one address other than the table."""
WOKEN_AT_ONCE: Final = 8
"""Public readers that are served in one turn: a dealer's command waits for these only, not for a
thousand."""
RESTS: Final = 3
MAX_REST_S: Final = 0.25
"""Limit of the pause after a pass over the public, which is a multiple of the time the pass took:
many readers get several steps in one write, a few get each step at once."""
BEAT_S: Final = 0.75
"""Interval of the beat. A page shows "stale" after two seconds without a message; this leaves room
for a slow network."""
MAX_RESUME: Final = MAX_WAITING // 2
"""Missed steps that are sent one by one; a reader that missed more gets a snapshot."""

SLOW, SIGNED_OUT, NOT_ALLOWED, TOO_MANY = 4408, 4401, 4403, 4429

Locked = Callable[[], bool | None]
"""Whether the reader's screen is locked; None when the reader is signed out."""


LINE: Final = "sabot.line"
"""The ASGI scope extension that contains a reader's connection."""


class FrameConnection(Protocol):
    """A connection to which encoded frames can be written."""

    def takes_more(self) -> bool:
        """Whether its earlier data has been sent."""

    def write_frames(self, frames: bytes) -> None: ...

    def hang_up(self) -> None:
        """Marks the connection as closed and wakes the task that serves it."""


class FeedReader:
    """One subscriber. With a line, waiting messages are written to it in turn; without one, the
    serving task takes them one by one."""

    def __init__(
        self,
        audience: str,
        locked: Locked,
        address: str | None = None,
        line: FrameConnection | None = None,
    ) -> None:
        self.audience = audience
        self.locked = locked
        self.address = address
        """The address; None for the table."""
        self.public = audience == "public"
        self.line = line
        self.closes: int | None = None
        self._waiting: deque[bytes] = deque()
        self._wake = asyncio.Event()

    def put(self, message: bytes) -> None:
        if self.closes is None and len(self._waiting) >= MAX_WAITING:
            self.close(SLOW)
        if self.closes is None:
            self._waiting.append(message)
            if not self.public:
                self._wake.set()

    def wake(self) -> None:
        """Sends the waiting messages: writes them to the line, or wakes the serving task."""
        if self._waiting and self.line is None:
            self._wake.set()
        elif self._waiting and self.line is not None and self.line.takes_more():
            self.line.write_frames(b"".join(map(frame, self._waiting)))
            self._waiting.clear()

    def close(self, code: int) -> None:
        """Closes the reader and discards its waiting messages."""
        self.closes = self.closes or code
        self._waiting.clear()
        self._wake.set()
        if self.line is not None:
            self.line.hang_up()

    async def take(self) -> bytes | None:
        """Returns the next message; None when the reader is to be dropped."""
        while self.closes is None and not self._waiting:
            self._wake.clear()
            await self._wake.wait()
        return None if self.closes is not None else self._waiting.popleft()

    async def closed(self) -> None:
        while self.closes is None:
            self._wake.clear()
            await self._wake.wait()


def frame(message: bytes) -> bytes:
    """A WebSocket text frame of a server (RFC 6455, 5.2): whole, not masked."""
    length = len(message)
    if length < 126:
        return bytes((0x81, length)) + message
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big") + message
    return b"\x81\x7f" + length.to_bytes(8, "big") + message


class Feeds:
    """All readers of one table's snapshots; used only from the event loop."""

    def __init__(
        self,
        snapshots: SnapshotLog,
        wall: Callable[[], float],
        about: TableAbout,
        first: StaffPriority | None = None,
    ) -> None:
        self._snapshots = snapshots
        self._first = first or StaffPriority()
        self._wall = wall
        self._about = about
        """Fields of every view: demo, table."""
        self._readers: set[FeedReader] = set()
        self._last: Snapshot | None = None
        self._news = asyncio.Event()
        self._due = asyncio.Event()
        """Set while messages wait for public readers."""

    @property
    def readers(self) -> int:
        return len(self._readers)

    async def run(self) -> None:
        """Delivers steps as they come, and a beat, until cancelled."""
        loop = asyncio.get_running_loop()
        stop = self._snapshots.watch(lambda: _call(loop, self._news.set))
        background = [
            asyncio.create_task(self._beats()),
            asyncio.create_task(self._to_the_public()),
        ]
        try:
            while True:
                self.deliver()
                await self._news.wait()
                self._news.clear()
        finally:
            stop()
            for each in background:
                each.cancel()
            await asyncio.gather(*background, return_exceptions=True)

    async def _to_the_public(self) -> None:
        """Sends to a few public readers at a time and yields between them."""
        loop = asyncio.get_running_loop()
        while True:
            await self._due.wait()
            self._due.clear()
            began = loop.time()
            for n, reader in enumerate(tuple(each for each in self._readers if each.public), 1):
                reader.wake()
                if n % WOKEN_AT_ONCE == 0:
                    await asyncio.sleep(0)
                    await self._after_words()
            await asyncio.sleep(min(MAX_REST_S, RESTS * (loop.time() - began)))

    async def _after_words(self) -> None:
        for _ in range(MAX_HELD_BACK):
            if not self._first.speaking:
                return
            await asyncio.sleep(HELD_BACK_S)

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self.beat()

    def beat(self) -> None:
        made: dict[bool, bytes] = {}
        for reader in tuple(self._readers):
            locked = reader.locked()
            if locked is None:
                reader.close(SIGNED_OUT)
                continue
            if locked not in made:
                made[locked] = self._beat_message(locked)
            reader.put(made[locked])
        self._due.set()

    def _beat_message(self, locked: bool) -> bytes:
        return encode(
            FeedBeat(
                "beat",
                0 if self._last is None else self._last.seq,
                None,
                self._wall(),
                locked,
                self._snapshots.stop_reason,
                *astuple(self._about),
            )
        )

    def deliver(self) -> None:
        """Delivers all steps since the last call to all readers."""
        kind: Literal["snapshot", "step"] = "step"
        news = self._snapshots.after(0 if self._last is None else self._last.seq)
        if news is None or self._last is None:
            latest = self._snapshots.latest
            kind, news = "snapshot", [] if latest is None else [latest]
        for posted in news:
            self._last = posted
            made: dict[str, bytes] = {}
            for reader in tuple(self._readers):
                if not reader.public and reader.locked() is None:
                    reader.close(SIGNED_OUT)  # no step after the session has ended
                    continue
                if reader.audience not in made:
                    made[reader.audience] = self.message(kind, posted, reader.audience)
                reader.put(made[reader.audience])
            self._due.set()

    def message(self, kind: Literal["snapshot", "step"], posted: Snapshot, audience: str) -> bytes:
        view, now = self.view(posted, audience), self._wall()
        step = FeedStep(kind, posted.seq, posted.at, now, posted.what, *astuple(self._about))
        return encode(step_message(step, view))

    def view(self, posted: Snapshot, audience: str) -> PageView:
        return page_view(posted.views.of(audience), self._about)

    def join(self, reader: FeedReader, after: int | None) -> None:
        """Sends the reader its missed steps, then subscribes it."""
        assert reader.audience in AUDIENCES
        self.deliver()  # so that every reader gets the current step exactly once
        self._readers.add(reader)
        last = self._last
        if last is None:
            return
        missed = None if after is None or after > last.seq else self._snapshots.after(after)
        if missed is None or len(missed) > MAX_RESUME:
            reader.put(self.message("snapshot", last, reader.audience))
            reader.wake()
            return
        for posted in missed:
            if posted.seq <= last.seq:
                reader.put(self.message("step", posted, reader.audience))
        reader.wake()

    def _has_room_for(self, reader: FeedReader) -> bool:
        if not reader.public:
            return len(self._readers) < MAX_READERS
        public = [each for each in self._readers if each.public]
        here = sum(each.address == reader.address for each in public)
        crowded = reader.address is not None and here >= MAX_PER_ADDRESS
        return len(public) < MAX_PUBLIC and not crowded

    async def serve(self, socket: WebSocket, reader: FeedReader, after: int | None) -> None:
        """Sends until the reader leaves, is dropped or the server stops."""
        if not self._has_room_for(reader):
            await socket.close(TOO_MANY)
            return
        self.join(reader, after)
        try:
            if reader.line is not None:  # there may be a thousand: no second task for each
                await _until_gone(socket)
            else:
                await _sent_to(socket, reader)
        finally:
            self._readers.discard(reader)
        if reader.closes is not None:
            await _say_goodbye(socket, reader.closes)


async def _sent_to(socket: WebSocket, reader: FeedReader) -> None:
    async with anyio.create_task_group() as group:
        for work in (partial(_send, socket, reader), partial(_until_gone, socket), reader.closed):
            group.start_soon(_first_to_end, group.cancel_scope, work)


async def _first_to_end(scope: anyio.CancelScope, work: Callable[[], Awaitable[None]]) -> None:
    """Runs work and cancels the scope when it ends: reader gone, dropped, or connection stuck."""
    with suppress(WebSocketDisconnect, RuntimeError, OSError):
        await work()
    scope.cancel()


async def _send(socket: WebSocket, reader: FeedReader) -> None:
    while (message := await reader.take()) is not None:
        await socket.send_text(message.decode())


async def _until_gone(socket: WebSocket) -> None:
    """Waits for the disconnection; ignores what a reader sends."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _say_goodbye(socket: WebSocket, code: int) -> None:
    """Closes a connection with a code; drops it if the reader is stuck."""
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(1):
            await socket.close(code)


def _call(loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
    """Wakes the loop from the table's thread; does nothing once the server has stopped."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(wake)

"""A running table on standard input and output: lines in, what it makes of them out.

One thread waits for three things at once: a line, a step that was posted, a signal. Steps are
written in the order of their records, whoever caused them. SIGTERM and SIGINT end it cleanly: what
the table was told is dealt with, what was answered is on disk.
"""

import os
import select
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Final, Protocol

from controller.runtime.client import Busy, Stopped, TableClient
from controller.runtime.snapshots import Snapshot
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.views.answers import StepAnswer

MAX_LINE_BYTES: Final = 1_000_000
"""A longer line is refused, whatever it holds."""
READ_BYTES: Final = 65536


class Frontend(Protocol):
    """How lines are understood and steps are told."""

    def parse(self, line: bytes) -> Message[Payload] | None:
        """What a line asks of the table; None when it was answered here and now."""

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        """One step was taken; `answers`: it is the one the last line asked for."""

    def missed(self) -> None:
        """Some steps went by too fast to be told: this is where the table stands now."""

    def failed(self, why: str) -> None:
        """The last line could not be carried out."""


class Wake:
    """A pipe that ends a wait: for a step, for answers, and for signals."""

    def __init__(self) -> None:
        self.reads, self._writes = os.pipe()
        os.set_blocking(self.reads, False)
        os.set_blocking(self._writes, False)
        self.ended = False
        """Somebody wants it to end: a signal, or a person."""

    def end(self, *_: object) -> None:
        self.ended = True

    def __call__(self, *_: object) -> None:
        try:
            os.write(self._writes, b"\0")
        except BlockingIOError:
            return  # it is full: the reader wakes anyhow

    def drain(self) -> None:
        try:
            while os.read(self.reads, READ_BYTES):
                pass
        except BlockingIOError:
            return

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """SIGTERM and SIGINT set a flag and end the wait; nothing is interrupted half-way."""
        before = {each: signal.signal(each, self.end) for each in (signal.SIGTERM, signal.SIGINT)}
        fd = signal.set_wakeup_fd(self._writes, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(fd)
            for each, handler in before.items():
                signal.signal(each, handler)

    def close(self) -> None:
        os.close(self.reads)
        os.close(self._writes)


class StdioLoop:
    """One table, one stream of lines."""

    def __init__(self, client: TableClient, frontend: Frontend, fd: int, wake: Wake) -> None:
        self._client = client
        self._frontend = frontend
        self._fd: int | None = fd
        self._wake = wake
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._asked: Future[StepAnswer] | None = None
        self._told: int | None = None
        """The record of the last step that was written; None: all steps since the table opened are
        still to be written, though its thread may have taken several before this one came to it."""

    def run(self) -> bool:
        """Until the lines end, a signal comes or the table stops; False when it stopped itself."""
        stop_watching = self._client.snapshots.watch(self._wake)
        try:
            while not self._wake.ended and self._client.snapshots.stop_reason is None:
                self._tell()
                if self._asked is None and not self._next_line():
                    if self._fd is None:
                        break
                    self._wait(self._fd)
                elif self._asked is not None:
                    self._wait()
        finally:
            stop_watching()
        self._tell()
        if self._client.snapshots.stop_reason is not None:
            self._frontend.failed(self._client.snapshots.stop_reason)
        return self._client.snapshots.stop_reason is None

    def _wait(self, *fds: int) -> None:
        ready, _, _ = select.select([self._wake.reads, *fds], [], [])
        if self._wake.reads in ready:
            self._wake.drain()
        if self._fd in ready:
            self._read()

    def _read(self) -> None:
        assert self._fd is not None
        data = os.read(self._fd, READ_BYTES)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines.extend(lines)
        if not data or len(self._rest) > MAX_LINE_BYTES:
            self._lines.extend([self._rest] if self._rest else [])
            self._rest = b""
        if not data:
            self._fd = None

    def _next_line(self) -> bool:
        """Take the next line, if there is one; the table is asked one at a time."""
        if not self._lines:
            return False
        line = self._lines.popleft()
        message = self._frontend.parse(line)
        if message is None:
            return True
        try:
            self._asked = self._client.ask(message)
        except (Busy, Stopped) as error:
            self._frontend.failed(str(error))
            return True
        self._asked.add_done_callback(self._wake)
        return True

    def _tell(self) -> None:
        """Everything that was posted since, in order; then the way is free for the next line."""
        asked, self._asked = self._asked, None
        if asked is not None and not asked.done():
            self._asked = asked  # it is told when it is known which step answers it
            return
        answer = None if asked is None else _answer(asked)
        posted = self._client.snapshots.after(self._told)
        if posted is None:
            self._frontend.missed()
            latest = self._client.snapshots.latest
            posted = [latest] if latest else []
        for each in posted:
            self._told = each.seq
            self._frontend.step(each, answers=each.seq == answer)


def _answer(asked: Future[StepAnswer]) -> int | None:
    """The number of the step that answers; None where the table stopped: `snapshots` says why."""
    try:
        return int(asked.result().seq)
    except Stopped:
        return None

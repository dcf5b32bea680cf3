"""A running table on standard input and output.

One thread waits for three things at once: a line, a posted step, a signal. Steps are written in the
order of their records, whatever their source. SIGTERM and SIGINT end it cleanly: accepted lines are
completed, and answered steps are on disk.
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
"""Longest line; a longer one is refused, whatever it contains."""
READ_BYTES: Final = 65536


class Frontend(Protocol):
    """Parses lines and prints steps."""

    def parse(self, line: bytes) -> Message[Payload] | None:
        """The message of a line; None when the front end has answered it itself."""

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        """Prints one step; with `answers` it is the answer to the last line."""

    def missed(self) -> None:
        """Reports that steps were skipped, and prints the current state."""

    def failed(self, why: str) -> None:
        """Reports that the last line could not be carried out."""


class Wake:
    """A pipe that ends a wait: on a step, on answers, and on signals."""

    def __init__(self) -> None:
        self.reads, self._writes = os.pipe()
        os.set_blocking(self.reads, False)
        os.set_blocking(self._writes, False)
        self.ended = False
        """Set by a signal or a person to end the loop."""

    def end(self, *_: object) -> None:
        self.ended = True

    def __call__(self, *_: object) -> None:
        try:
            os.write(self._writes, b"\0")
        except BlockingIOError:
            return  # a full pipe wakes the reader as well

    def drain(self) -> None:
        try:
            while os.read(self.reads, READ_BYTES):
                pass
        except BlockingIOError:
            return

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Makes SIGTERM and SIGINT set a flag and end the wait; no step is interrupted."""
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
    """Runs one table on one stream of lines."""

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
        still to be written, and its thread may already have taken several."""

    def run(self) -> bool:
        """Runs until the lines end, a signal arrives or the table stops; returns False when it
        stopped itself."""
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
        """Takes the next line, if there is one; one request at a time is sent to the table."""
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
        """Prints all steps posted since the last call, in order; then the next line may be
        taken."""
        asked, self._asked = self._asked, None
        if asked is not None and not asked.done():
            self._asked = asked  # printed once the step that answers it is known
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
    """The number of the answering step; None where the table stopped: `snapshots` has the
    reason."""
    try:
        return int(asked.result().seq)
    except Stopped:
        return None

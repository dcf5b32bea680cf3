"""The robot's connections: lines of text to a table, back-door commands to a shoe.

Tests pass their own objects; a program uses the ones here.
"""

import json
import os
import select
import subprocess
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Protocol

from simulators.kit.contract import Refused
from simulators.panel import panel

Line = dict[str, Any]

WAIT_S: Final = 60.0
"""Time-out for a failure: a table answers within milliseconds."""


class Stuck(Exception):
    """The robot cannot continue; the message names what it waited for."""


class TableSilent(Stuck):
    """The table sent nothing within the robot's time-out."""


class Stopped(Exception):
    """The robot was asked to end."""


class Table(Protocol):
    def say(self, line: Line) -> list[Line]:
        """Send a line and return the table's lines up to the answer, which is the last."""

    def wait(self) -> Line:
        """Return the next unsolicited line; raises `Stuck`."""


class Shoe(Protocol):
    def do(self, word: str, **given: object) -> Any:
        """Run a back-door command; raises `Refused`."""

    def look(self) -> dict[str, Any]:
        """Return the shoe's current state."""


class BackDoor:
    """The back door of a running emulator, by its address."""

    def __init__(self, url: str) -> None:
        self._url = url

    def do(self, word: str, **given: object) -> Any:
        try:
            return panel.do(self._url, word, **given)
        except panel.DoorError as error:
            raise Refused(str(error)) from None

    def look(self) -> dict[str, Any]:
        try:
            state: dict[str, Any] = panel.ask(self._url, "/state")["device"]
        except panel.DoorError as error:
            raise Stuck(str(error)) from None
        return state


class TableProcess:
    """A table as a child process: lines to its input, lines from its output."""

    def __init__(
        self, command: Sequence[str], begins: int | None = None, wake: int | None = None
    ) -> None:
        """`begins`: lines carry `at`, one second more each, for a table whose time moves only by
        it. `wake`: a descriptor that ends every wait with `Stopped`."""
        # A Ctrl-C is for the robot only: the table ends at the end of its input, not in the middle
        # of a line.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._wake = [] if wake is None else [wake]
        self._rest = b""
        self._heard: deque[Line] = deque()
        self._at = begins

    def say(self, line: Line) -> list[Line]:
        if self._at is not None:
            self._at += 1
            line = {"at": self._at, **line}
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(line).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Stuck("the table has ended") from None
        answer = [self._next()]
        while answer[-1].get("unasked"):
            answer.append(self._next())
        return answer

    def wait(self) -> Line:
        return self._next()

    def _next(self) -> Line:
        while not self._heard:
            self._read()
        return self._heard.popleft()

    def _read(self) -> None:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        ready, _, _ = select.select([descriptor, *self._wake], [], [], WAIT_S)
        if self._wake and self._wake[0] in ready:
            raise Stopped
        if not ready:
            raise TableSilent(f"the table has said nothing for {WAIT_S:.0f} s")
        data = os.read(descriptor, 65_536)
        if not data:
            raise Stuck("the table has ended")
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._heard.extend(json.loads(line) for line in lines)

    def close(self) -> int:
        """Close the table's input and return its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # the process ended before the last line was written
            self._process.stdin.close()
        try:
            status = self._process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._process.stdout.close()
        return status

    def __enter__(self) -> "TableProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

"""A real `sabot table` process with a shoe on a pseudo-terminal, for tests.

The test holds the shoe's end of the wire and writes its bytes. Everything is waited for by a line
that must come; the limit only bounds a failure.
"""

import json
import os
import select
import signal
import sys
import tty
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from support import programs
from support.limits import MAX_WAIT_S

SABOT = Path(sys.executable).with_name("sabot")
LIMIT_S = MAX_WAIT_S


class Wire:
    """The shoe's end of a serial cable; the table opens `port`."""

    def __init__(self) -> None:
        self.shoe, self._table = os.openpty()
        tty.setraw(self._table)
        self.port = os.ttyname(self._table)

    def send(self, data: bytes) -> None:
        os.write(self.shoe, data)

    def close(self) -> None:
        os.close(self.shoe)
        os.close(self._table)


class LiveTable:
    """The process; one JSON line in, and every step out."""

    def __init__(
        self,
        port: str,
        journal: Path | None,
        *more: str,
        jsonl: bool = True,
        shoe: str = "shoe_angel_eye",
        env: dict[str, str] | None = None,
    ) -> None:
        kept = ["--journal", str(journal)] if journal else []
        how = ["--jsonl"] if jsonl else []
        plugged = ["--shoe", shoe, *(["--port", port] if port else [])]
        words = ["table", *how, *plugged, *kept, *more]
        self.process = programs.start(*words, stderr=DEVNULL, env=env)
        self._rest = b""

    def line(self) -> bytes:
        """The next line; empty at the end of the output."""
        assert self.process.stdout is not None
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], LIMIT_S)
            assert ready, "the table said nothing"
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return b""
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read on until a step is as wanted."""
        while line := self.line():
            found: dict[str, Any] = json.loads(line)
            if wanted(found):
                return found
        raise AssertionError("the table ended before that")

    def what(self, word: str) -> dict[str, Any]:
        return self.until(lambda found: found.get("what") == word)

    def write(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def say(self, do: str, who: str = "dan", role: str = "dealer", **given: Any) -> dict[str, Any]:
        self.write(json.dumps({"from": "staff", "who": who, "role": role, "do": do, "with": given}))
        return self.until(lambda found: "line" in found)

    def pit(self, do: str, **given: Any) -> dict[str, Any]:
        return self.say(do, "pia", "pit_supervisor", **given)

    def open(self) -> dict[str, Any]:
        """To the first card of a round, with the shoe on the line."""
        self.what("link_up")
        self.pit("open_table")
        self.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
        self.pit("approve")
        self.say("open_betting")
        return self.say("close_betting")

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(LIMIT_S)
        self.close()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and give back its exit status."""
        os.kill(self.process.pid, how)
        while self.line():
            pass
        status = self.process.wait(LIMIT_S)
        self.close()
        return status

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(LIMIT_S)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue

"""An emulator as its own program, the way people start one; for tests on a wire."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from simulators.bench import panel

LIMIT_S: Final = 60.0
"""Only bounds a failure: whatever is waited for comes within milliseconds."""


class Emulated:
    """A running emulator: its ready line and its back door."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        self.process = process
        self.ready: dict[str, Any] = json.loads(process.stdout.readline())

    @property
    def port(self) -> str:
        return str(self.ready["port"])

    @property
    def address(self) -> tuple[str, int]:
        host, _, number = self.port.removeprefix("socket://").rpartition(":")
        return host, int(number)

    def do(self, word: str, **given: object) -> Any:
        return panel.do(self.ready["panel"], word, **given)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = panel.ask(self.ready["panel"], "/state")
        return state

    def words(self) -> dict[str, Any]:
        words: dict[str, Any] = panel.ask(self.ready["panel"], "/words")
        return words

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(LIMIT_S)


@contextmanager
def emulated(
    name: str, *options: str | Path, env: dict[str, str] | None = None
) -> Iterator[Emulated]:
    """`python -m simulators NAME OPTIONS --panel 0`, stopped at the end."""
    command = [sys.executable, "-m", "simulators", name, *map(str, options), "--panel", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--tied"], stdin=pipe, stdout=pipe, text=True, env=env
    ) as process:
        try:
            yield Emulated(process)
        finally:
            process.terminate()


def read(descriptor: int, count: int) -> bytes:
    """So many bytes, or fewer when the other end goes away."""
    out = b""
    while len(out) < count:
        ready, _, _ = select.select([descriptor], [], [], LIMIT_S)
        assert ready, f"only {out.hex(' ')} came"
        try:
            data = os.read(descriptor, count - len(out))
        except OSError:
            return out
        if not data:
            return out
        out += data
    return out

"""An emulator as its own program, the way people start one: its ready line and its back door."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, Final, Protocol, TypeAlias

from simulators.panel import panel

END_S: Final = 60.0
"""Only bounds a failure."""


class Program(Protocol):
    """Of `subprocess.Popen` what is needed here."""

    @property
    def stdout(self) -> IO[Any] | None: ...

    def terminate(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


Start: TypeAlias = Callable[[Sequence[str]], AbstractContextManager[Program]]
"""Starts `python -m simulators` with these words."""


def started(words: Sequence[str]) -> AbstractContextManager[Program]:
    return subprocess.Popen(
        [sys.executable, "-m", "simulators", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


class Emulated:
    """A running emulator."""

    def __init__(self, process: Program) -> None:
        assert process.stdout is not None
        self.process = process
        line = process.stdout.readline()
        assert line, "the emulator does not start: it has said why"
        self.ready: dict[str, Any] = json.loads(line)

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
        return self.process.wait(END_S)


@contextmanager
def emulated(name: str, *options: str | Path, start: Start = started) -> Iterator[Emulated]:
    """`python -m simulators NAME OPTIONS --panel 0`, stopped at the end."""
    with start([name, *map(str, options), "--panel", "0", "--tied"]) as process:
        try:
            yield Emulated(process)
        finally:
            process.terminate()

"""An emulator as its own program, as a user starts it: its ready line and its control interface."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from simulators.panel import panel

END_S: Final = 60.0
"""A limit for failures only."""


class Emulated:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
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
def emulated(
    name: str, *options: str | Path, env: Mapping[str, str] | None = None
) -> Iterator[Emulated]:
    """Run `python -m simulators NAME OPTIONS --panel 0`, and stop it at the end."""
    words = (name, *map(str, options), "--panel", "0", "--tied")
    with subprocess.Popen(
        [sys.executable, "-m", "simulators", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    ) as process:
        try:
            yield Emulated(process)
        finally:
            process.terminate()

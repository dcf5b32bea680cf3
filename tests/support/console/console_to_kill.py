"""`tests/support/console/console_program.py` as a program of its own, under its real signals."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

from support.console.plain_screens import LIMIT_S

ROOT = Path(__file__).parents[3]


class Program:
    def __init__(self, folder: Path, log: IO[bytes] | None = None) -> None:
        """`log` gets what it says of itself, where that is more than anybody wants to see."""
        command = [sys.executable, "-m", "tests.support.console.console_program", str(folder)]
        self._run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=ROOT)
        assert self._run.stdout is not None
        assert select.select([self._run.stdout], [], [], LIMIT_S)[0]
        self.url: str = json.loads(os.read(self._run.stdout.fileno(), 4096))["url"]

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    @property
    def cpu_s(self) -> float:
        """What it took of the machine so far, all its threads."""
        after_name = Path(f"/proc/{self._run.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number: signal.Signals) -> int:
        self._run.send_signal(number)
        status = self._run.wait(LIMIT_S)
        self.close()
        return status

    def close(self) -> None:
        """Nothing is left of it, whatever a test came to."""
        self._run.kill()
        self._run.wait(LIMIT_S)
        assert self._run.stdout is not None
        self._run.stdout.close()

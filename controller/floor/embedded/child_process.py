"""A server as a child that does not outlive us, whatever ends us."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

END_S: Final = 20.0
_PR_SET_PDEATHSIG: Final = 1


class EmbeddedError(Exception):
    """A server does not start, and why."""


def start(command: list[str], log: Path, stop: signal.Signals) -> "subprocess.Popen[bytes]":
    """The kernel gives it the signal `stop` when the thread that called this is gone."""
    # An interrupt from the terminal is for us: we end our servers in our own order.
    with log.open("ab") as out:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            env=_environment(os.environ),
            preexec_fn=_dies_with_us(stop, os.getpid()),  # noqa: PLW1509
        )


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    """What a database's client or server would take from it is not for this one."""
    return {name: value for name, value in ours.items() if not name.startswith("PG")}


def _dies_with_us(stop: signal.Signals, parent: int) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def after_fork() -> None:
        prctl(_PR_SET_PDEATHSIG, int(stop), 0, 0, 0)
        if os.getppid() != parent:  # gone already: the signal will not come
            os._exit(1)

    return after_fork


def end(program: "subprocess.Popen[bytes]", stop: signal.Signals) -> None:
    """Cleanly where it goes, by force where it does not."""
    if program.poll() is None:
        program.send_signal(stop)
    try:
        program.wait(END_S)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


def last_lines(log: Path) -> str:
    """What a server said before it ended, for whoever has to see why."""
    try:
        return " | ".join(log.read_text("utf-8", errors="replace").splitlines()[-5:])
    except OSError:
        return ""

"""A server as a child process that ends with its parent, however the parent ends."""

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
    """A server does not start; the text has the reason."""


def start(command: list[str], log: Path, stop: signal.Signals) -> "subprocess.Popen[bytes]":
    """Starts a server. The kernel sends it the signal `stop` when the thread that called this
    ends."""
    # The parent handles an interrupt from the terminal: it stops the servers in its own order.
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
    """The environment without the variables of database clients and servers, which are for
    others."""
    return {name: value for name, value in ours.items() if not name.startswith("PG")}


def _dies_with_us(stop: signal.Signals, parent: int) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def after_fork() -> None:
        prctl(_PR_SET_PDEATHSIG, int(stop), 0, 0, 0)
        if os.getppid() != parent:  # the parent has ended: the signal will not come
            os._exit(1)

    return after_fork


def end(program: "subprocess.Popen[bytes]", stop: signal.Signals) -> None:
    """Stops a server with its signal, and kills it after a time-out."""
    if program.poll() is None:
        program.send_signal(stop)
    try:
        program.wait(END_S)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


def last_lines(log: Path) -> str:
    """The last lines of a server's log, to show why it ended."""
    try:
        return " | ".join(log.read_text("utf-8", errors="replace").splitlines()[-5:])
    except OSError:
        return ""

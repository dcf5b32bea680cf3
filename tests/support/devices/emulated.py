"""An emulator as its own program, forked from one that has everything imported; for tests."""

import os
import select
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen

from drivers.testing.bench import emulated as bench
from drivers.testing.bench.emulated import Emulated
from support import programs
from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


@contextmanager
def emulated(
    name: str, *options: str | Path, env: dict[str, str] | None = None
) -> Iterator[Emulated]:
    """`python -m simulators NAME OPTIONS --panel 0`, stopped at the end. With an environment of its
    own it is imported anew: that may be what it is about."""
    start = forked if env is None else partial(_imported, env=env)
    with bench.emulated(name, *options, start=start) as found:
        yield found


def forked(words: Sequence[str]) -> programs.Program:
    return programs.Program(*words, module="simulators", text=True)


def _imported(words: Sequence[str], env: dict[str, str]) -> "Popen[str]":
    command = [sys.executable, "-m", "simulators", *words]
    return Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=env)


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

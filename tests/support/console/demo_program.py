"""`sabot demo`: a program of its own that ends by SIGTERM and ends well."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.devices.emulated import LIMIT_S

SABOT = Path(sys.executable).with_name("sabot")


def read_until(program: "subprocess.Popen[bytes]", last: str) -> str:
    """What it prints up to the line with `last`."""
    assert program.stdout is not None
    out = b""
    while last.encode() not in out:
        assert select.select([program.stdout], [], [], LIMIT_S)[0], out
        piece = os.read(program.stdout.fileno(), 4096)
        assert piece, f"it ended after {out!r}"
        out += piece
    return out.decode()


@contextmanager
def running_demo(*options: str, sabot: Path = SABOT) -> Iterator[str]:
    """What a running demo prints."""
    words = ("demo", "--port", "0", *options)
    program = subprocess.Popen([sabot, *words], stdout=subprocess.PIPE)
    try:
        yield read_until(program, "Press Ctrl-C to stop.")
        program.send_signal(signal.SIGTERM)
        assert program.wait(LIMIT_S) == 0
    finally:
        program.kill()
        program.wait()
        assert program.stdout is not None
        program.stdout.close()

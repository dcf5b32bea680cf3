"""What tests need beside an emulator that runs as its own program."""

import os
import select

from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


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

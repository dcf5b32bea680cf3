"""Memory protection of a running table, which contains keys and unseen cards.

The systemd unit has the same protection, but the program may also be started without it. A process
that is not dumpable leaves no core, cannot be traced and has no readable memory under /proc, except
for root.
"""

import contextlib
import resource
from typing import Final

_PR_SET_DUMPABLE: Final = 4


def close_to_others() -> bool:
    """Make the process non-dumpable, before any key is read; return whether the kernel accepted
    it."""
    # A unit may forbid this call; then it has set the limit itself.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        import ctypes  # noqa: PLC0415  # where memory may not be made executable it may not load

        return int(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)) == 0
    except (ImportError, OSError, MemoryError, AttributeError):
        return False

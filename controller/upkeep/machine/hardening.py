"""Nobody looks into the memory of a running table: it holds its keys, and cards nobody has seen.

The unit reports so too, but whoever starts the program otherwise has no unit. A process that is not
dumpable leaves no core, cannot be traced and has no readable memory under /proc, for anybody but
root.
"""

import contextlib
import resource
from typing import Final

_PR_SET_DUMPABLE: Final = 4


def close_to_others() -> bool:
    """Before any key is read; whether the kernel took it."""
    # A unit may forbid this call, and then it has set the limit itself.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        import ctypes  # noqa: PLC0415  # where memory may not be made executable it may not load

        return int(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)) == 0
    except (ImportError, OSError, MemoryError, AttributeError):
        return False

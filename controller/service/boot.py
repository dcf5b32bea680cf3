"""The kernel's steady clock: time since boot, independent of changes to the wall clock."""

import time
from pathlib import Path
from typing import Final

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def since_boot() -> float:
    """Return seconds since boot, including suspend. All processes read the same clock, so it
    continues across a restart of the program."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def boot_id(path: Path = _BOOT_ID) -> str:
    """Return the kernel's boot id; empty where it cannot be read."""
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""

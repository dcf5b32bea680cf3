"""Steady time as the kernel counts it: since the machine started, whoever sets the clock."""

import time
from pathlib import Path
from typing import Final

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


def since_boot() -> float:
    """Seconds since the start, those included in which the machine slept; the same for every
    process, so that it goes on across a restart of the program."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def boot_id(path: Path = _BOOT_ID) -> str:
    """Which start it is; empty where nobody can say."""
    try:
        return path.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""

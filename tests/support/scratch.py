"""Where tests keep their files: in memory, where the machine has room for that.

A database is a thousand files, and tests make one after the other: on a disk most of the kernel's
time goes into that, and every journal waits for it. What is written survives a killed process in
memory as it does on a disk. What a disk loses when the power goes is tested with a disk of our own
making (`tests/unit/controller/journal/test_power_cut.py`); what a real one costs `make bench` says.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOM: Final = 4 << 30
"""Bytes that must be free: ten times what a run has kept at once."""


def in_memory(environment: Mapping[str, str], memory: Path) -> Path | None:
    """The folder to use; None where somebody named another, or there is no room."""
    if "TMPDIR" in environment or not os.access(memory, os.W_OK):
        return None
    return memory if shutil.disk_usage(memory).free >= ROOM else None

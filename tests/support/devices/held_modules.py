"""Which of our packages a program held: an emulator and a table share nothing but bytes."""

import os
from pathlib import Path

HOOK = Path(__file__).with_name("held")
PRODUCT = frozenset({"controller", "drivers"})
EMULATORS = frozenset({"simulators"})


def telling(file: Path) -> dict[str, str]:
    """The environment for a program that writes what it held to this file when it ends."""
    return {**os.environ, "PYTHONPATH": str(HOOK), "SABOT_TEST_HELD": str(file)}


def held(file: Path) -> frozenset[str]:
    """Ours among the packages the program held."""
    tops = {line.partition(".")[0] for line in file.read_text("utf-8").splitlines()}
    return frozenset(tops & (PRODUCT | EMULATORS))

"""How long a command takes to say what it can do, beside the least that it could take."""

import subprocess
import sys
import time
from typing import Final

from house.source import ROOT

HELP: Final = ("-m", "controller", "--help")
LEAST: Final = ("-c", "import typer, msgspec")
"""What any command that is built on these two pays before it has done a thing."""


def help_ratio(turns: int = 5) -> float:
    """The best of some turns each, taken in turn, as a ratio: seconds are the machine's."""
    taken = [(_took(HELP), _took(LEAST)) for _ in range(turns)]
    return min(best for best, _ in taken) / min(least for _, least in taken)


def _took(arguments: tuple[str, ...]) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=60
    )
    return time.perf_counter() - started

"""`python -m support.once_more`: tests with real processes that failed, once more, by themselves.

Two cores that a whole gate keeps busy can make a browser or a server late in a way that no table
has. A test that fails there and passes alone does not stop the gate, and the last lines of the run
name it: it is a fault of the test or of the product and has to be mended, not lived with. Tests
without processes, pages and servers have no such excuse, nor have more than a few at once.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

REAL: Final = ("tests/browser/", "tests/floor/", "tests/scenario/")
MOST: Final = 3
CACHE: Final = Path(".pytest_cache/v/cache/lastfailed")


def excusable(failed: Sequence[str]) -> bool:
    """Few, each a test and not a file that cannot be read, each with real parts."""
    return 0 < len(failed) <= MOST and all(
        "::" in each and each.startswith(REAL) for each in failed
    )


def _say(what: str, failed: Sequence[str]) -> None:
    sys.stdout.write("\n  ".join([what, *failed]) + "\n")
    sys.stdout.flush()


def main() -> int:
    failed = sorted(json.loads(CACHE.read_text("utf-8"))) if CACHE.exists() else []
    if not excusable(failed):
        return 1
    _say("\nOnce more, by themselves:", failed)
    again = subprocess.run([sys.executable, "-m", "pytest", *failed], check=False)
    if again.returncode == 0:
        _say("FAILED AMONG OTHERS, PASSED ALONE, to be mended:", failed)
    return again.returncode


if __name__ == "__main__":
    sys.exit(main())

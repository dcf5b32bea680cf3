"""`python -m tiers.repeat --idle 10 --loaded 10`: runs `make test` again and again.

Prints a row for each run: how busy the machine was, wall time, cases, failures and the seed of the
order. Loaded means that something else keeps every core busy: one endless loop a core.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tiers.everything import count_cases, format_time, print_line
from tiers.groups import ROOT

FOLDER: Final = ROOT / "dist" / "repeat"


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run_once(number: int, load: str, seed: int) -> bool:
    report, log = FOLDER / f"{number}.xml", FOLDER / f"{number}.log"
    report.unlink(missing_ok=True)
    arguments = f"PYTEST_ARGS=--randomly-seed={seed} --junitxml={report}"
    started = time.monotonic()
    with log.open("wb") as output, busy_loops((os.cpu_count() or 1) if load == "loaded" else 0):
        status = subprocess.run(
            ["make", "test", arguments], cwd=ROOT, stdout=output, stderr=output, check=False
        ).returncode
    spent = format_time(time.monotonic() - started)
    cases, failed, left_out = count_cases(report) if report.exists() else (0, 0, 0)
    result = "passed" if status == 0 else f"FAILED, see {log.relative_to(ROOT)}"
    print_line(
        f"{number:>3}  {load:<7}{spent:>7}  {cases - failed - left_out} passed, {failed} failed,"
        f" {left_out} left out"
        f"  seed {seed}  {result}"
    )
    return status == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=10)
    parser.add_argument("--loaded", type=int, default=10)
    parser.add_argument("--until-failure", action="store_true")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    loads = ["idle"] * given.idle + ["loaded"] * given.loaded
    runs = failed = 0
    for load in loads:
        runs += 1
        failed += not run_once(runs, load, random.randrange(2**32))
        if failed and given.until_failure:
            break
    print_line(f"{runs} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m bench.against REVISION [NAME ...]`: the same benchmarks before and after, in one run.

The revision's tree and this one run in turns, each with its own benchmarks. Every figure that both
print is shown as the median of its turns, with the ratio of after to before.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DEFAULT_NAMES: Final = ("wire", "shoe")
"""From a card on the wire to the card durable, and the robot's rounds a second."""
TURNS: Final = 5
NUMBER: Final = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w.])")

Figures = dict[tuple[str, int], float]
"""By the heading and the line they stand in, without its numbers, and by their place in it."""


def figures(printed: str) -> Figures:
    """Every number of a benchmark's output; what it is held to is left out."""
    found: Figures = {}
    heading = ""
    for whole in printed.splitlines():
        line = whole.partition(";")[0]
        words = " ".join(NUMBER.sub("#", line).split())
        if not whole.startswith(" "):
            heading = words
        name = words if heading == words else f"{heading} {words}"
        for place, number in enumerate(NUMBER.findall(line)):
            found[name, place] = float(number.replace(",", ""))
    return found


def run(tree: Path, names: list[str]) -> Figures:
    environment = {**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{tree / 'tests'}"}
    command = [sys.executable, "-m", "bench", *names]
    done = subprocess.run(
        command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return figures(done.stdout)


def export(revision: str, folder: Path) -> None:
    """The revision's files, without a worktree that git would have to forget."""
    archive = subprocess.run(
        ["git", "archive", revision], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)


def compared(before: list[Figures], after: list[Figures]) -> Iterator[str]:
    every = [*before, *after]
    for key in before[0]:
        if not all(key in each for each in every) or len({each[key] for each in every}) == 1:
            continue  # only one of them prints it, or it is no measurement
        old, new = (statistics.median(each[key] for each in turns) for turns in (before, after))
        name, place = key
        yield f"{new / old:6.2f}  {old:10,.2f} {new:10,.2f}  {name} ({place + 1})"


def main(revision: str, names: list[str]) -> None:
    before: list[Figures] = []
    after: list[Figures] = []
    with tempfile.TemporaryDirectory(prefix="sabot-before-") as name:
        export(revision, Path(name))
        trees = [(Path(name), before), (ROOT, after)]
        for turn in range(TURNS):
            _say(f"turn {turn + 1} of {TURNS}")
            for tree, found in trees if turn % 2 == 0 else reversed(trees):
                found.append(run(tree, names))
    _say(f"medians of {TURNS} turns: ratio, {revision}, this tree")
    for line in compared(before, after):
        _say(line)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or list(DEFAULT_NAMES))

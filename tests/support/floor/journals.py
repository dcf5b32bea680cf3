"""Journals for many simulated tables, made once by the real table and its robot.

`python -m support.floor.journals FOLDER [COUNT] [ROUNDS]`: one journal a seed, some with mistakes.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

BEGINS: Final = 1_793_000_000
"""Late October 2026: records lie in a month, as those of a real table do."""
WRONG: Final = 10
"""Percent of the rounds in which something goes wrong."""


def made(folder: Path, count: int = 4, rounds: int = 60) -> list[Path]:
    """`folder` with so many journals, each of a table that was stopped in order."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_made(folder / f"{seed}.db", seed, rounds) for seed in range(1, count + 1)]


def _made(path: Path, seed: int, rounds: int) -> Path:
    if path.exists():
        return path
    robot = [sys.executable, "-m", "simulators", "dealer", "--seed", str(seed)]
    robot += ["--rounds", str(rounds), "--wrong", str(WRONG), "--begins", str(BEGINS)]
    table = [sys.executable, "-m", "controller", "table", "--jsonl", "--journal", str(path)]
    done = subprocess.run([*robot, "--", *table], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return path


if __name__ == "__main__":
    where, *numbers = sys.argv[1:]
    for each in made(Path(where), *map(int, numbers)):
        sys.stdout.write(f"{each}\n")

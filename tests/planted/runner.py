"""Runs the tests against a copy of the tree that has one fault in it.

The tests run in stages, those nearest to the changed file first, and stop at the first failure:

1. the tests whose path mirrors the file, e.g. `tests/unit/controller/game/money/test_limits.py`;
2. all unit tests of the same room, e.g. `tests/unit/controller/game`, and its other tests, e.g.
   `tests/floor`;
3. the stories and the clauses at a table in memory;
4. all other unit tests;
5. everything else in the first tier;
6. the second tier.

A fault is noticed when a test fails, or cannot be imported, and passes without the fault. Only
tests count: what mypy, ruff or import-linter report does not. A stage that runs longer than its
limit is stopped and notices nothing.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from planted.edits import ROOT, Fault, StaleEdit

TIERS: Final[dict[str, tuple[str, ...]]] = {
    "first": (),
    "second": ("-m", "second_tier"),
}
"""What selects the tests of each tier; the first is what pytest collects by default."""

STORIES: Final = (
    "tests/scenario/test_stories.py",
    "tests/scenario/test_clauses_in_play.py",
    "tests/scenario/test_rulings_prevented.py",
    "tests/scenario/test_random_tables.py",
)
ABOUT_THE_FAULTS: Final = "tests/proofs/test_lone_adversary.py::test_a_planted_fault_is_found"
"""It plants the same faults itself, and would fail only because the text is changed already."""
IN_MEMORY: Final = ("-k", "not test_stories or memory")
STAGE_S: Final = 1800
"""The longest that one stage may run, in seconds."""
LINKED: Final = (".venv", "tests/pages/node_modules")
"""What is installed and not part of the tree: the copies share it."""


class Stage(NamedTuple):
    name: str
    tier: str
    paths: tuple[str, ...]
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """Which test noticed a fault, in which stage; none did where `test` is None."""

    test: str | None
    stage: str | None
    tier: str | None
    seconds: float
    remark: str = ""


def stages(fault: Fault, tier: str) -> Iterator[Stage]:
    """The stages that have tests, nearest first. `tier`: near, first or all."""
    mirrored: list[str] = []
    rooms: list[str] = []
    for file in dict.fromkeys(edit.file for edit in fault.edits):
        unit = Path("tests/unit") / Path(file).parent
        mirrored += _existing(*sorted((ROOT / unit).glob(f"test_{Path(file).stem}*.py")))
        rooms += _existing(ROOT / _room(unit), ROOT / "tests" / _room(unit).name)
    if mirrored:
        yield Stage("same file", "first", tuple(dict.fromkeys(mirrored)))
    if rooms:
        yield Stage("same room", "first", tuple(dict.fromkeys(rooms)), _left_out(mirrored))
    yield Stage("stories", "first", _existing(*(ROOT / each for each in STORIES)), IN_MEMORY)
    if tier != "near":
        yield Stage("unit tests", "first", ("tests/unit",), _left_out([*mirrored, *rooms]))
        others = _left_out(["tests/unit", *rooms])
        yield Stage("first tier", "first", ("tests",), others)
    if tier == "all":
        yield Stage("second tier", "second", ("tests",))


def _room(unit: Path) -> Path:
    """tests/unit/controller/floor of tests/unit/controller/floor/web; tests/unit/drivers of all."""
    parts = unit.parts
    return Path(*parts[: 3 if parts[2] == "drivers" else 4])


def _existing(*paths: Path) -> tuple[str, ...]:
    return tuple(path.relative_to(ROOT).as_posix() for path in paths if path.exists())


def _left_out(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"--ignore={path}" for path in paths)


class Stopped(Exception):
    """The faults are not planted any further."""


class Copy:
    """A copy of the tree, as it is now, in a folder of its own. Tests and the programs that they
    start import the product from there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._stopped = False
        self._running: subprocess.Popen[str] | None = None
        listed = ["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"]
        names = subprocess.run(listed, capture_output=True, check=True, text=True).stdout
        for name in filter(None, names.split("\0")):
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)
        for name in LINKED:
            if (ROOT / name).exists():
                (root / name).symlink_to(ROOT / name)

    def notices(self, fault: Fault, tier: str) -> Outcome:
        """The first test that fails with the fault and passes without it."""
        began, remark = time.monotonic(), ""
        try:
            fault.texts(self.root)
        except StaleEdit as stale:
            return Outcome(None, None, None, 0.0, str(stale))
        for stage in stages(fault, tier):
            with fault.planted(self.root):
                test, remark = self._first_failure(stage)
            if test is None:
                continue
            if self._passes(test, stage):
                return Outcome(test, stage.name, stage.tier, _since(began))
            remark = f"{test} fails without the fault as well"
        return Outcome(None, None, None, _since(began), remark)

    def _first_failure(self, stage: Stage) -> tuple[str | None, str]:
        code, output = self._pytest(*TIERS[stage.tier], *stage.options, *stage.paths)
        if code is None:
            return None, f"{stage.name}: stopped after {STAGE_S} s"
        if code in (0, 5):  # 5: no test was selected
            return None, ""
        failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", output, re.MULTILINE)
        # Where nothing can be imported there is no test to name.
        return (failed[1] if failed else stage.paths[0]), ""

    def _passes(self, test: str, stage: Stage) -> bool:
        whole = "::" not in test
        options = ("--collect-only",) if whole else ()
        code, _ = self._pytest(*TIERS[stage.tier], *options, test)
        return code == 0

    def _pytest(self, *arguments: str) -> tuple[int | None, str]:
        command = [
            sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--no-header", "--tb=no",
            "-p", "no:randomly", "-p", "no:cacheprovider",
            "--deselect", ABOUT_THE_FAULTS, *arguments,
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(self.root), "COLUMNS": "1000"}
        process = subprocess.Popen(
            command, cwd=self.root, env=environment, text=True, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._running = process
        if self._stopped:
            self._end()
            raise Stopped
        try:
            output, _ = process.communicate(timeout=STAGE_S)
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            self._end()
        return process.returncode, output

    def stop(self) -> None:
        """Ends the run that is under way; no other begins."""
        self._stopped = True
        self._end()

    def _end(self) -> None:
        """Ends what is left of a run, with the programs that its tests had started."""
        process, self._running = self._running, None
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _since(began: float) -> float:
    return round(time.monotonic() - began, 1)

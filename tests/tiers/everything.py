"""`python -m tiers.everything [GROUP ...]`: runs all groups of checks and prints one table.

Results are kept for the present state of the tree in `dist/test-all`. A run that was interrupted
goes on with the first group that has not passed. A run stops when a file changes under it, and any
change starts anew.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from tiers.groups import ROOT, Group, all_groups, can_run

FOLDER: Final = ROOT / "dist" / "test-all"
DEFAULT_HOURS: Final = 0.1


class Result(msgspec.Struct):
    command: tuple[str, ...]
    cases: int
    failed: int
    left_out: int
    seconds: float

    @property
    def passed(self) -> bool:
        return self.failed == 0 and (self.left_out == 0 or os.environ.get("CI") != "true")

    def stands_for(self, group: Group) -> bool:
        """Whether the group need not run again: the same command passed and left nothing out."""
        return self.command == group.command and self.failed == 0 and self.left_out == 0


class State(msgspec.Struct):
    """The results of one tree, and how long each group last took on any tree."""

    tree: str
    results: dict[str, Result] = {}
    last_seconds: dict[str, float] = {}


def hash_of_tree() -> str:
    """A name for the present content of all files that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    content = hashlib.sha256()
    for name in sorted(filter(None, listed.split(b"\0"))):
        path = ROOT / name.decode()
        if path.is_file():
            content.update(name + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()[:16]


def read_state(file: Path, tree: str) -> State:
    try:
        state = msgspec.json.decode(file.read_bytes(), type=State)
    except (OSError, msgspec.MsgspecError):
        return State(tree)
    return state if state.tree == tree else State(tree, {}, state.last_seconds)


def write_state(file: Path, state: State) -> None:
    """Replaces the file at once: an interruption leaves the old state or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(state)))
    part.replace(file)


def run_group(group: Group, folder: Path) -> Result:
    if not can_run(group):
        return Result(group.command, 0, 0, 1, 0.0)
    report = folder / f"{group.name}.xml"
    report.unlink(missing_ok=True)
    option = [group.report_option.format(report)] if group.report_option else []
    started = time.monotonic()
    status = subprocess.run([*group.command, *option], cwd=ROOT, check=False).returncode
    seconds = time.monotonic() - started
    cases, failed, left_out = count_cases(report) if report.exists() else (1, int(status != 0), 0)
    return Result(group.command, cases, max(failed, int(status != 0)), left_out, seconds)


def count_cases(report: Path) -> tuple[int, int, int]:
    """Cases, failures and skips in a JUnit report."""
    suites = ET.parse(report).getroot().iter("testsuite")
    counts = [
        tuple(int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped"))
        for suite in suites
    ]
    cases, failures, errors, skipped = map(sum, zip(*counts, strict=True))
    return cases, failures + errors, skipped


def format_table(groups: list[Group], results: dict[str, Result]) -> str:
    done = [results[group.name] for group in groups if group.name in results]
    total = Result(
        (),
        sum(each.cases for each in done),
        sum(each.failed for each in done),
        sum(each.left_out for each in done),
        sum(each.seconds for each in done),
    )
    rows = [f"{'group':<26}{'cases':>8}{'failed':>8}{'left out':>10}{'time':>9}"]
    rows += [format_row(group.name, results.get(group.name)) for group in groups]
    return "\n".join([*rows, format_row("all", total)])


def format_row(name: str, result: Result | None) -> str:
    if result is None:
        return f"{name:<26}{'not run':>8}"
    spent = format_time(result.seconds)
    return f"{name:<26}{result.cases:>8}{result.failed:>8}{result.left_out:>10}{spent:>9}"


def format_time(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run_all(groups: list[Group], folder: Path, read_tree: Callable[[], str]) -> bool:
    file = folder / "state.json"
    state = read_state(file, read_tree())
    for number, group in enumerate(groups, start=1):
        before = state.results.get(group.name)
        if before is not None and before.stands_for(group):
            print_line(f"[{number}/{len(groups)}] {group.name}: passed before on this tree")
            continue
        last = state.last_seconds.get(group.name)
        estimate = "" if last is None else f", {format_time(last)} the last time"
        left = sum(state.last_seconds.get(each.name, 0) for each in groups[number - 1 :])
        print_line(
            f"[{number}/{len(groups)}] {group.name}{estimate}; about {format_time(left)} to go"
        )
        result = run_group(group, folder)
        if read_tree() != state.tree:
            print_line("A file has changed since the run began: its results are for no one tree.")
            return False
        state.results[group.name] = result
        state.last_seconds[group.name] = result.seconds
        write_state(file, state)
    print_line("")
    print_line(format_table(groups, state.results))
    return all(state.results[group.name].passed for group in groups)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make test-all", description=__doc__)
    parser.add_argument("only", nargs="*", help="names of groups; all without any")
    parser.add_argument("--hours", type=float, default=DEFAULT_HOURS, help="for each search")
    given = parser.parse_args()
    groups = all_groups(given.hours)
    known = {group.name for group in groups}
    if unknown := sorted(set(given.only) - known):
        parser.error(f"no group {unknown[0]!r}; there are {', '.join(sorted(known))}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = [group for group in groups if not given.only or group.name in given.only]
    passed = run_all(chosen, FOLDER, hash_of_tree)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())

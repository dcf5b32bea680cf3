"""What every test costs in processor time, with all the programs it starts, and `make slowest`.

On a machine that does other work as well seconds on the clock say little. What a process and its
children used does: they are followed while they live, and remembered when they are gone.
"""

import os
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

TICK: Final = os.sysconf("SC_CLK_TCK")
SHOWN: Final = 40


def used() -> float:
    """Processor time in seconds: of this process, of those below it, and of those that ended."""
    return sum(_used(each) for each in _family(os.getpid())) / TICK


def _family(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        for task in _names(f"/proc/{each}/task"):
            found += map(int, _text(f"/proc/{each}/task/{task}/children").split())
    return found


def _used(pid: int) -> int:
    """utime, stime, cutime and cstime: fields 14 to 17 of proc_pid_stat(5)."""
    after_name = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return sum(map(int, after_name[11:15]))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # it ended in the meantime
        return []


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


class Costs:
    """Writes every test, its fixtures included, with what it cost. At once, so that a run that is
    cut short has something to show. Copies of the process (`--forks`) write into the same file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{os.getpid()}.tsv"
        self._told = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._tell("(between tests)")
        try:
            return (yield)
        finally:
            self._tell(item.nodeid)

    def pytest_collection_finish(self) -> None:
        self._tell("(start and collection)")

    def _tell(self, what: str) -> None:
        now = used()
        if now > self._told:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{now - self._told:.2f}\t{what}\n")
        self._told = now


def register(config: pytest.Config, folder: str) -> None:
    config.pluginmanager.register(Costs(Path(folder)))


def _shown(title: str, costs: Counter[str]) -> None:
    print(f"{title}: {sum(costs.values()):.0f} s in all")  # noqa: T201
    for name, cost in costs.most_common(SHOWN):
        print(f"{cost:8.1f}  {name}")  # noqa: T201


def main(folder: str) -> None:
    tests: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for each in Path(folder).glob("*.tsv"):
        for line in each.read_text(encoding="utf-8").splitlines():
            cost, _, name = line.partition("\t")
            tests[name] += float(cost)
            files[name.partition("::")[0]] += float(cost)
    _shown("Processor time by file", files)
    _shown("Processor time by test", tests)


if __name__ == "__main__":
    main(sys.argv[1])

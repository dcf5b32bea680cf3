"""How much of a long run is left, told every minute: `make torture` takes the better part of an
hour, and whoever waits wants to know.

What a test cost before, in processor time, is in `torture_costs.json` by the test's function, as
`make torture-costs` takes it from the last run. The share of it that is done tells how long the
rest takes on this machine as it is now.
"""

import json
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

NAME: Final = "how-long"
KNOWN: Final = Path(__file__).with_name("torture_costs.json")
UNKNOWN_S: Final = 0.3
"""Of a test that was not there when the costs were taken."""
EVERY_S: Final = 60.0
_PARAMETERS: Final = re.compile(r"\[.*", re.DOTALL)


def function_of(nodeid: str) -> str:
    return _PARAMETERS.sub("", nodeid)


def cost_of(nodeid: str, known: dict[str, float]) -> float:
    return known.get(function_of(nodeid), UNKNOWN_S)


def sentence(done: int, count: int, share: float, elapsed_s: float) -> str:
    said = f"{done} of {count} tests, {share:.0%} of the work, after {elapsed_s / 60:.0f} min"
    return f"{said}; about {elapsed_s * (1 - share) / share / 60:.0f} min to go" if share else said


class HowLong:
    """Where the tests' reports come in, not where they run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._known: dict[str, float] = json.loads(KNOWN.read_text("utf-8"))
        self._all_s, self._count, self._done_s, self._done = 0.0, 0, 0.0, 0
        self._began = self._said = time.monotonic()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._expect([item.nodeid for item in session.items])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # pytest names it when all is over, and that may be an hour from now
            self._say(f"{report.nodeid} has failed")
        if report.when != "teardown":
            return
        self._done += 1
        self._done_s += cost_of(report.nodeid, self._known)
        now = time.monotonic()
        if now - self._said >= EVERY_S:
            self._said = now
            share = min(1.0, self._done_s / self._all_s)
            self._say(sentence(self._done, self._count, share, now - self._began))

    def _expect(self, ids: list[str]) -> None:
        if not ids:
            return
        self._count = len(ids)
        self._all_s = sum(cost_of(each, self._known) for each in ids)
        self._began = self._said = time.monotonic()
        self._say(f"{self._count} tests: about {self._all_s / 60:.0f} min of processor time")

    def _say(self, text: str) -> None:
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        assert reporter is not None
        reporter.ensure_newline()
        reporter.write_line(text)


def register(config: pytest.Config) -> None:
    config.pluginmanager.register(HowLong(config), NAME)


def kept(folder: Path) -> dict[str, float]:
    """The mean cost of each test function in a run's costs, dearest in all first."""
    costs, counts = Counter[str](), Counter[str]()
    for each in folder.glob("*.tsv"):
        for line in each.read_text(encoding="utf-8").splitlines():
            cost, _, name = line.partition("\t")
            costs[function_of(name)] += float(cost)
            counts[function_of(name)] += 1
    return {
        name: round(total / counts[name], 2) for name, total in costs.most_common() if "::" in name
    }


if __name__ == "__main__":
    KNOWN.write_text(json.dumps(kept(Path(sys.argv[1])), indent=1) + "\n", encoding="utf-8")

"""Settings of the test run: options, clause marks of all tests, and no group left out in CI."""

import gc
import json
import os
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from support import scratch
from support.clauses import clause_marks

if (folder := scratch.in_memory(os.environ, Path("/dev/shm"))) is not None:
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)

# A busy machine must not fail a property: no limit on time, and the same examples in every run.
settings.register_profile(
    "reproducible", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("reproducible")


@pytest.fixture(autouse=True)
def reset_structlog() -> Iterator[None]:
    """A command that a test calls configures logging for a stream that the test closes."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def shared_tmp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all worker processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def pytest_sessionstart() -> None:
    """Browsers load the pages as a release has them, where the tool that builds them is there."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    from support.console import built_pages

    if built_pages.TOOL.exists():
        built_pages.main()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-clause-tests",
        metavar="FILE",
        help="write which tests prove which clause (with --collect-only)",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freezes the collected tests: the garbage collector would search thousands of long-lived
    objects again and again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Reads the clause marks of all tests before `-m` and `-k` take some away."""
    config.stash[clause_marks.COLLECTED] = clause_marks.Collected.of(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    target = session.config.getoption("--write-clause-tests")
    if target:
        found = session.config.stash[clause_marks.COLLECTED].tests_by_clause
        Path(target).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says in one line what was left out, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        listed = "; ".join(f"{count}: {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"Left out are {len(skipped)} tests ({listed})")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true a test that is left out fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped") and os.environ.get("CI") == "true":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

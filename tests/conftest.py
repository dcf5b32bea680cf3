"""Options and the net under every test: clause marks, and no group left out in CI."""

import gc
import json
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from support import forked, scratch
from support.clauses.clause_marks import tests_by_clause

if (folder := scratch.in_memory(os.environ, Path("/dev/shm"))) is not None:
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)

# A busy machine must not fail a property: no limit on time, and the same examples in every run.
settings.register_profile(
    "gate", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("gate")


@pytest.fixture(autouse=True)
def own_log() -> Iterator[None]:
    """A command run inside a test sets logging up for a stream that is closed after it."""
    yield
    structlog.reset_defaults()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-clause-tests",
        metavar="FILE",
        help="write which tests prove which clause (with --collect-only)",
    )
    parser.addoption(
        "--covered",
        action="store_true",
        help="follow which lines of the product the unit tests run; `make coverage` lists the rest",
    )
    parser.addoption(
        "--costs",
        metavar="FOLDER",
        help="write what every test costs in processor time; `make slowest` shows the dearest",
    )
    parser.addoption(
        "--forks", type=int, default=0, metavar="N", help="N copies of this process run the tests"
    )
    parser.addoption(
        "--how-long",
        action="store_true",
        help="say every minute how much is left, by what each test cost before",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--covered"):
        from house import covered  # before anything of the product is imported

        covered.register(config)
    if folder := config.getoption("--costs"):
        from support import costs

        costs.register(config, folder)
    if processes := config.getoption("--forks"):
        forked.register(config, processes)
    if config.getoption("--how-long"):
        from support import how_long

        how_long.register(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests live as long as the run: looking through them for cycles again and again
    takes a good part of it. They are set aside, and what comes after is looked through less often.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


def pytest_collection_finish(session: pytest.Session) -> None:
    target = session.config.getoption("--write-clause-tests")
    if target:
        found = tests_by_clause(session.items)
        Path(target).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true a test that is left out fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    left_out = reporter.stats.get("skipped") if reporter else None
    if left_out and os.environ.get("CI") == "true":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"CI: {len(left_out)} tests were left out", red=True)

"""`pytest --forks N`: the tests are read once, and N copies of the process that read them run them.

To read them takes 20 s, and processes that are started one by one (pytest-xdist) read them each.
Who is free takes the next test of the file it is at, else a file that nobody has begun: every
second process from the end where those lie that take long, the others from the other end, so that
not all are at their browsers at once. When all are begun it takes the last test of whoever has
most.
"""

import atexit
import os
import sys
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, Final, NoReturn

import pytest
from _pytest.config import create_terminal_writer

from support import how_long
from support.order import long_files_first

AHEAD: Final = 3
"""Tests a process is given before it has run any: while one runs its next is known already, and
nobody waits for an answer between two tests."""
TELL_A_PERSON: Final = ("terminalreporter", how_long.NAME)


class Shares:
    """Which test a process runs next. A test is its place in the list."""

    def __init__(self, files: Sequence[Sequence[int]]) -> None:
        self._untouched = deque(deque(each) for each in files)
        self._at: dict[int, deque[int]] = {}

    def next_for(self, process: int) -> int | None:
        if not self._at.get(process) and self._untouched:
            take = self._untouched.pop if process % 2 else self._untouched.popleft
            self._at[process] = take()
        if own := self._at.get(process):
            return own.popleft()
        most = max(self._at.values(), key=len, default=None)
        return most.pop() if most else None

    def back(self, places: Iterable[int]) -> None:
        """What was given to a process that did not come to it."""
        self._untouched.extend([left] if (left := deque(places)) else [])


class Copy:
    """A copy of this process that runs tests: the line to it, and what it was given to run."""

    def __init__(
        self, number: int, session: pytest.Session, others: Collection[Connection]
    ) -> None:
        self.number = number
        self.given: deque[int] = deque()
        """Places of tests whose outcome it has not told yet. It is at the first of them."""
        self.line, its_end = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            for line in (self.line, *others):  # else it would keep them open for its siblings
                line.close()
            _live(session, its_end)
        its_end.close()


class Forks:
    """Stands in for pytest's loop over all tests."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._copies: dict[Connection, Copy] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.config.option.collectonly or session.testsfailed:
            return None
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one for all
        places = {item.nodeid: place for place, item in enumerate(session.items)}
        files = long_files_first(session.items)
        self._shares = Shares([[places[each.nodeid] for each in file] for file in files])
        for number in range(self._processes):
            self._begin(number, session)
        try:
            self._listen(session)
        finally:
            self._end()
        return True

    def _end(self) -> None:
        """Who is left finds its line closed after the test it is at, and takes down what it keeps:
        no server and no browser is left behind."""
        for line in self._copies:
            line.close()
        for copy in self._copies.values():
            os.waitpid(copy.pid, 0)

    def _begin(self, number: int, session: pytest.Session) -> None:
        copy = Copy(number, session, self._copies)
        self._copies[copy.line] = copy
        for _ in range(AHEAD):
            self._give(copy)

    def _give(self, copy: Copy) -> None:
        place = self._shares.next_for(copy.number)
        copy.given.extend([] if place is None else [place])
        copy.line.send(place)

    def _listen(self, session: pytest.Session) -> None:
        while self._copies:
            for line in wait(list(self._copies)):
                assert isinstance(line, Connection)
                self._hear(self._copies[line], session)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)

    def _hear(self, copy: Copy, session: pytest.Session) -> None:
        try:
            reports = copy.line.recv()
        except (EOFError, ConnectionResetError):
            self._ended(copy, session)
            return
        item = session.items[copy.given.popleft()]
        with suppress(BrokenPipeError, ConnectionResetError):  # it has died since: that comes next
            self._give(copy)
        hook = session.config.hook
        for told in reports:
            hook.pytest_runtest_logreport(report=_read(told, item))

    def _ended(self, copy: Copy, session: pytest.Session) -> None:
        """In good order, or in the middle of a test: that one has failed, and another goes on."""
        del self._copies[copy.line]
        copy.line.close()
        _, status = os.waitpid(copy.pid, 0)
        if status == 0:
            return
        if copy.given:
            item = session.items[copy.given.popleft()]
            why = f"the process that ran it ended with {os.waitstatus_to_exitcode(status)}"
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")
            session.config.hook.pytest_runtest_logreport(report=report)
        self._shares.back(copy.given)
        self._begin(copy.number, session)


class _TerminalOfACopy:
    """In a copy: where others write to the terminal (stacks, when a test has run its time). It is
    captured, and told with the test."""

    def __init__(self, config: pytest.Config) -> None:
        self._tw = create_terminal_writer(config, sys.__stderr__)


Told = tuple[str, float, float, float] | dict[str, Any]
"""A report on its way: of what passed and said nothing, which are nearly all, when and how long."""


def _written(report: pytest.TestReport, config: pytest.Config) -> Told:
    if report.passed and not report.sections and not report.user_properties:
        return report.when or "", report.duration, report.start, report.stop
    written: dict[str, Any] = config.hook.pytest_report_to_serializable(
        config=config, report=report
    )
    return written


def _read(told: Told, item: pytest.Item) -> pytest.TestReport:
    if isinstance(told, dict):
        report: pytest.TestReport = item.config.hook.pytest_report_from_serializable(
            config=item.config, data=told
        )
        return report
    when, duration, start, stop = told
    return pytest.TestReport(
        item.nodeid,
        item.location,
        {},
        "passed",
        None,
        when,  # type: ignore[arg-type]
        duration=duration,
        start=start,
        stop=stop,
    )


class _Teller:
    """In a copy: what a test led to is told to the process that shows it, when the test is over."""

    def __init__(self, config: pytest.Config, line: Connection) -> None:
        self._config, self._line = config, line
        self._found: list[Told] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._found.append(_written(report, self._config))

    def pytest_runtest_logfinish(self) -> None:
        self._line.send(self._found)
        self._found = []


def _live(session: pytest.Session, line: Connection) -> NoReturn:
    """The life of a copy, which never comes back from here."""
    status = 1
    try:
        plugins = session.config.pluginmanager
        capture = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()  # all copies would write into one file
        capture.start_global_capturing()
        for each in filter(plugins.has_plugin, TELL_A_PERSON):
            plugins.unregister(name=each)
        plugins.register(_TerminalOfACopy(session.config), "terminalreporter")
        plugins.register(_Teller(session.config, line))
        _run(session, line)
        status = 0
    finally:
        _leave(session, status)


def _leave(session: pytest.Session, status: int) -> NoReturn:
    """Fixtures are taken down already, but for a copy that was cut short."""
    try:
        session._setupstate.teardown_exact(None)
        atexit._run_exitfuncs()
    finally:
        os._exit(status)


def _run(session: pytest.Session, line: Connection) -> None:
    """One test is always known ahead: what both use is not taken down between them."""

    def given() -> pytest.Item | None:
        place = line.recv()
        return None if place is None else session.items[place]

    item = given()
    while item:
        following = given()
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        item = following


def register(config: pytest.Config, processes: int) -> None:
    config.pluginmanager.register(Forks(processes))

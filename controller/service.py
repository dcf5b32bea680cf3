"""`sabot run`: devices, table, journal and console as one supervised service.

The order of a start: the installed files and the configuration are checked, the journal is opened
and verified from its last checkpoint, the machine tests itself; only then is any device talked to.
A changed file refuses the start. A self-test that fails holds the table where everybody can see
why, and is tried again until it passes.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import structlog

from controller import captures, config, logs, tables
from controller.app import Around, Plug, Running, running
from controller.config import Config, Device
from controller.console.accounts import Accounts
from controller.console.recall import OnDisk
from controller.console.serving import Address, Server, Setup, bound, room_of
from controller.desk import Busy, Stopped
from controller.journal.seal import Sealer, load_key
from controller.loop import Clock, Loop
from controller.round.rules import Message
from controller.session import Session
from controller.tables import Places
from controller.upkeep import backups, nightly, selftest
from controller.upkeep.metrics import Metrics
from controller.upkeep.selftest import Machine
from controller.upkeep.supervision import Notifier, Pulse

FILES_CHANGED: Final = 78
"""The exit status after which systemd does not try again: somebody has to look first."""
BEAT_S: Final = 1.0
RETEST_S: Final = 5.0
_HOUR_S: Final = 3600.0

log = structlog.get_logger()


class FilesChanged(Exception):
    """An installed file or the configuration is not as it was signed: nothing is started."""


@dataclass(frozen=True)
class House:
    """What a service is given: its file, and the world around it."""

    config_file: Path
    config: Config
    machine: Machine
    environment: Mapping[str, str]
    clock: Clock
    stop: threading.Event = field(default_factory=threading.Event)


def run(config_file: Path) -> None:
    """Until it is told to stop; raises what refuses the start."""
    loaded = config.load(config_file)
    clock = Clock(time.monotonic, time.time)
    house = House(config_file, loaded, Machine(time.time), os.environ, clock)
    with _signals(house.stop), _logging(loaded.logs):
        serve(house)


def serve(house: House) -> None:
    """The whole life of a service, from the file check to the last record."""
    notifier = Notifier(house.environment)
    _check_files(house)
    metrics = Metrics()
    places = _places(house.config)
    rules = house.config.rules()
    with tables.opened(
        rules, places, around=lambda journal: metrics.timed(journal, house.clock.monotonic)
    ) as session:
        _record_what_was_put_back(session, places.journal, house)
        while not _self_test(house, session) and not house.stop.is_set():
            with _playing(house, session, metrics, []):
                notifier.ready("the self-test failed: see the pit's page")
                _wait_for_a_good_test(house, notifier)
        if not house.stop.is_set():
            with _playing(house, session, metrics, _plugs(house.config)) as at_work:
                notifier.ready(f"{house.config.site.name} is up")
                _tend(house, at_work, notifier)
        notifier.stopping()


def _check_files(house: House) -> None:
    bad = [str(each) for each in _file_findings(house) if not each.good]
    if bad:
        raise FilesChanged("; ".join(bad))


def _file_findings(house: House) -> list[nightly.Finding]:
    return nightly.check_files(house.config, house.config_file)


def _places(loaded: Config) -> Places:
    """A training table has a journal of its own: it cannot write to the live one."""
    own = ".training" if loaded.site.mode == "training" else ""
    files = loaded.journal
    return Places(*(Path(f"{each}{own}") for each in (files.path, files.head, files.key)))


def _plugs(loaded: Config) -> list[Plug]:
    found: list[tuple[str, Device | None]] = [
        ("shoe", loaded.shoe),
        ("shuffler", loaded.shuffler),
    ]
    return [
        Plug(name, device.driver, device.port, dict(device.settings), device.identity or "")
        for name, device in found
        if device is not None
    ]


def _record_what_was_put_back(session: Session, journal: Path, house: House) -> None:
    """Somebody put a backup back while the table was stopped: that is the first thing recorded."""
    restored = backups.waiting(journal)
    if restored is not None:
        given = {"says": restored.says}
        session.handle(Message("system", at=_now(house), event="journal_loss", given=given))
        backups.recorded(journal)


def _self_test(house: House, session: Session) -> bool:
    """Test and record, before any device is talked to; whether all was good."""
    results = selftest.run(house.config, house.machine)
    bad = [str(each) for each in selftest.bad(results)]
    good = [str(each) for each in results if str(each) not in bad]
    for each in bad:
        log.error("self_test", says=each)
    given = {"bad": bad, "good": good}
    session.handle(Message("system", at=_now(house), event="self_test", given=given))
    return not bad


def _now(house: House) -> float:
    assert house.clock.wall is not None
    return house.clock.wall()


# --- at work ----------------------------------------------------------------------------------


@contextmanager
def _playing(
    house: House, session: Session, metrics: Metrics, plugs: list[Plug]
) -> Iterator[Running]:
    """Loop, readers and console, until the block ends."""
    with ExitStack() as stack:
        around = stack.enter_context(_captures(house, plugs))
        at_work = stack.enter_context(running(session, plugs, house.clock, around))
        metrics.look_at(at_work.loop.devices, at_work.loop.waiting)
        stack.callback(metrics.watch(at_work.loop.board))
        stack.enter_context(_console(house, at_work.loop, metrics))
        yield at_work


def _captures(house: House, plugs: list[Plug]) -> AbstractContextManager[Around | None]:
    folder = house.config.logs.capture
    key = load_key(_places(house.config).key)
    return captures.sealed(Path(folder) if folder else None, key, plugs, house.clock.monotonic)


def _tell(loop: Loop, event: str, given: dict[str, object]) -> None:
    """The table is told something by its own machine; a table that stops says so itself."""
    try:
        loop.ask(Message("system", event=event, given=given))
    except (Busy, Stopped) as error:
        log.warning("not_told", what=event, why=str(error))


@contextmanager
def _console(house: House, loop: Loop, metrics: Metrics) -> Iterator[Server]:
    loaded, chosen = house.config, house.config.console
    places = _places(loaded)
    accounts = Accounts(Path(chosen.staff))
    runtime = house.environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    setup = Setup(
        rules=loaded.rules(),
        accounts=accounts,
        wall=house.clock.wall or time.time,
        steady=house.clock.monotonic,
        entropy=os.urandom,
        records=OnDisk(places.journal),
        sealer=Sealer(load_key(places.key), os.urandom),
        sessions_file=Path(runtime) / "sessions.json" if runtime else None,
        table=loaded.site.name,
        mode=loaded.site.mode,
        chip_unit=loaded.money.chip_unit,
        metrics=metrics.text,
    )
    address = Address(
        chosen.host,
        chosen.port,
        Path(chosen.tls_cert) if chosen.tls_cert else None,
        Path(chosen.tls_key) if chosen.tls_key else None,
    )
    listening = bound(address)
    server = Server(room_of(loop, setup, secure=address.secure), address, listening)
    server.start()
    log.info("console", url=server.url)
    if not accounts.everybody():
        log.warning(
            "nobody_can_sign_in",
            do=f"sabot staff add NAME --role pit_manager --config {house.config_file}",
        )
    try:
        yield server
    finally:
        server.stop()


def _wait_for_a_good_test(house: House, notifier: Notifier) -> None:
    """No device is opened: people see what is wrong, and it is tried again."""
    while not house.stop.wait(RETEST_S):
        notifier.alive()
        if not selftest.bad(selftest.run(house.config, house.machine)):
            return


def _tend(house: House, at_work: Running, notifier: Notifier) -> None:
    """Feed the watchdog, watch the clock, check the files once a day, until told to stop."""
    loop = at_work.loop
    counters: dict[str, Callable[[], int]] = {"table": lambda: loop.turns}
    for reader in at_work.readers:
        counters[f"reader of {reader.device}"] = lambda reader=reader: reader.advanced  # type: ignore[misc]
    pulse = Pulse(counters)
    clock = _ClockWatch(house.clock, house.config.checks.clock_step_s)
    files = _FileWatch(house, loop)
    beat_s = min(BEAT_S, (notifier.watchdog_s or BEAT_S * 3) / 3)
    while not house.stop.wait(beat_s):
        if (why := loop.board.stopped) is not None:
            raise Stopped(why)
        if still := pulse.still():
            log.debug("stands_still", what=still)
        else:
            notifier.alive()
        if (step := clock.stepped()) is not None:
            log.warning("clock_stepped", seconds=round(step, 1))
            _tell(loop, "clock_stepped", {"seconds": round(step, 1)})
        files.look()


class _ClockWatch:
    """Notices when the wall clock jumps against the steady one."""

    def __init__(self, clock: Clock, most_s: float) -> None:
        self._clock = clock
        self._most = most_s
        self._apart = self._measured()

    def _measured(self) -> float:
        assert self._clock.wall is not None
        return self._clock.wall() - self._clock.monotonic()

    def stepped(self) -> float | None:
        """By how much it jumped since the last call, if by more than is allowed."""
        apart = self._measured()
        step = apart - self._apart
        if abs(step) <= self._most:
            return None
        self._apart = apart
        return step


class _FileWatch:
    """Checks the installed files every so often, beside the table."""

    def __init__(self, house: House, loop: Loop) -> None:
        self._house = house
        self._loop = loop
        self._every = house.config.checks.verify_every_h * _HOUR_S
        self._next = house.clock.monotonic() + self._every

    def look(self) -> None:
        if self._house.clock.monotonic() < self._next:
            return
        self._next = self._house.clock.monotonic() + self._every
        threading.Thread(target=self._check, name="file check", daemon=True).start()

    def _check(self) -> None:
        bad = [str(each) for each in _file_findings(self._house) if not each.good]
        log.log(40 if bad else 20, "files_checked", bad=bad)
        if bad:
            _tell(self._loop, "self_test", {"bad": bad})


# --- the process ------------------------------------------------------------------------------


@contextmanager
def _signals(stop: threading.Event) -> Iterator[None]:
    """SIGTERM and SIGINT only set the event: whatever is under way is finished and recorded."""
    before = {
        each: signal.signal(each, lambda *_: stop.set()) for each in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def _logging(chosen: config.Logs) -> Iterator[None]:
    level = logs.LEVELS[chosen.level]
    if chosen.file is None:
        logs.configure(sys.stderr, level)
        yield
        return
    file = logs.RotatingFile(Path(chosen.file), chosen.file_mb * 1_000_000, chosen.keep)
    logs.configure(sys.stderr, level, also=file)
    try:
        yield
    finally:
        file.close()

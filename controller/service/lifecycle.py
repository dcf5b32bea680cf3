"""`sabot run`: devices, table, journal and console as one supervised service.

The start has a fixed order: check the installed files and the configuration, open the journal and
verify it from its last checkpoint, run the self-test, and only then open devices. A changed file
refuses the start. A failed self-test holds the table, shows the reason, and is repeated until it
passes. If the journal cannot be opened or written, the pages show the reason and the service tries
again.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import structlog

from controller.config import file as config
from controller.config import rulebook_fit
from controller.config.file import Config, Device
from controller.console.auth.accounts import Accounts
from controller.console.data.round_history import OnDisk
from controller.console.http.server import ConsoleServer, ListenAddress, Setup, bound, context_of
from controller.engine.release import CannotGoOn
from controller.engine.session import Session
from controller.journal.errors import JournalError
from controller.journal.seal import load_key
from controller.runtime import open_table
from controller.runtime.build import Around, Plug, RunningTable, running_table
from controller.runtime.client import Busy, Stopped
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import JournalPlaces
from controller.service import captures, first_records, floor, logs
from controller.service.boot import boot_id, since_boot
from controller.service.floor import AtFloor
from controller.service.metrics import Metrics
from controller.service.supervision import Notifier, Pulse
from controller.service.watchers import ClockWatch, FileWatch, Holding, MisreadWatch, ResultWatch
from controller.table.commands.device_events import NoticeEvent, SelfTestEvent
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.upkeep import integrity, nightly, selftest
from controller.upkeep.selftest import Machine

TABLE: Final = "table"
BEAT_S: Final = 1.0
RETEST_S: Final = 2.0

NO_JOURNAL: Final = (JournalError, CannotGoOn)

log = structlog.get_logger()


class FilesChanged(Exception):
    """An installed file or the configuration differs from what was signed; nothing is started."""


@dataclass(frozen=True)
class ServiceContext:
    """The inputs of a service: its file and its environment."""

    config_file: Path
    config: Config
    machine: Machine
    environment: Mapping[str, str]
    clock: Clock
    site_key: Path | None = None
    """Path of the site's key, if it is not next to the file."""
    stop: threading.Event = field(default_factory=threading.Event)


def run(config_file: Path, site_key: Path | None = None) -> None:
    """Run until a stop signal; raises the error that refuses the start."""
    loaded = config.load(config_file)
    if not _places(loaded).journal.exists():
        loaded = config.complete(config_file)
    clock = Clock(time.monotonic, time.time)
    context = ServiceContext(config_file, loaded, Machine(time.time), os.environ, clock, site_key)
    with _signals(context.stop), _logging(loaded.logs):
        serve(context)


def serve(context: ServiceContext) -> None:
    """Run a service from the file check to the last record."""
    notifier = Notifier(context.environment)
    _check_files(context)
    while not context.stop.is_set():
        metrics = Metrics()
        try:
            with _opened(context, metrics) as session:
                _serve_table(context, session, metrics, notifier)
        except NO_JOURNAL as error:
            log.error("no_journal", why=str(error))
            _say_why(context, f"the table cannot go on: {error}", notifier)
    notifier.stopping()


def _check_files(context: ServiceContext) -> None:
    if bad := integrity.bad(context.config_file, context.site_key):
        raise FilesChanged("; ".join(map(str, bad)))


def _opened(context: ServiceContext, metrics: Metrics) -> AbstractContextManager[Session]:
    places, clock = _places(context.config), context.clock.monotonic
    loaded = context.config
    return open_table.open_table(
        loaded.rules(),
        places,
        around=lambda journal: metrics.timed(journal, clock),
        pseudonyms=loaded.pseudonyms,
    )


def _serve_table(
    context: ServiceContext, session: Session, metrics: Metrics, notifier: Notifier
) -> None:
    """Run from the self-test to the stop; raises `JournalError` where nothing can be recorded."""
    places, now = _places(context.config), _now(context)
    first_records.record_restored_backup(session, places.journal, now)
    first_records.record_other_machine(session, places, context.machine.identity(), now)
    if (at_floor := _at_floor(context.config)) is not None:
        floor.compare_with_floor(session, at_floor, now)
    for lacks in rulebook_fit.shortcomings(context.config.rules()):
        session.handle(Message("system", NoticeEvent(note=lacks), at=now))
    while not _self_test(context, session) and not context.stop.is_set():
        with _playing(context, session, metrics, []) as at_work:
            notifier.ready("the self-test failed: see the pit's page")
            _wait(context, notifier, at_work, lambda: not _bad(context))
    if not context.stop.is_set():
        with _playing(context, session, metrics, _plugs(context.config)) as at_work:
            notifier.ready(f"{context.config.site.name} is up")
            _tend(context, at_work, notifier)


def _say_why(context: ServiceContext, why: str, notifier: Notifier) -> None:
    """Show the reason on the pages until the journal opens again; nothing can be recorded, so the
    table accepts no command meanwhile."""
    with (
        open_table.open_table(context.config.rules(), None) as nothing,
        running_table(nothing, [], context.clock) as at_work,
    ):
        at_work.loop.stop(why)
        with _console(context, at_work.loop, _setup(context)):
            notifier.ready(why)
            _wait(context, notifier, None, lambda: not _bad(context) and _can_open(context))


def _can_open(context: ServiceContext) -> bool:
    return nightly.can_open(context.config).good


def _places(loaded: Config) -> JournalPlaces:
    """Return the journal's paths. A training table has its own journal, so it cannot write to the
    live one."""
    own = ".training" if loaded.site.mode == "training" else ""
    files = loaded.journal
    return JournalPlaces(
        *(Path(f"{each}{own}") for each in (files.path, files.head, files.key, files.signing))
    )


def _at_floor(loaded: Config) -> AtFloor | None:
    """Return the floor identity; None for a training table, whose records are not those of the
    table on the floor."""
    if loaded.floor is None or loaded.site.mode != "live":
        return None
    site = loaded.site
    return AtFloor(loaded.floor, _places(loaded), loaded.rules(), site.name, site.mode)


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


def _self_test(context: ServiceContext, session: Session) -> bool:
    """Run and record the self-test before any device is opened; return whether all checks
    passed."""
    results = selftest.run(context.config, context.machine)
    bad = selftest.bad(results)
    good = [each for each in results if each not in bad]
    for each in bad:
        log.error("self_test", says=str(each))
    test = SelfTestEvent(
        bad=tuple(each.check for each in bad), good=tuple(each.check for each in good)
    )
    session.handle(Message("system", test, at=_now(context)))
    return not bad


def _bad(context: ServiceContext) -> list[selftest.CheckResult]:
    return selftest.bad(selftest.run(context.config, context.machine))


def _now(context: ServiceContext) -> float:
    assert context.clock.wall is not None
    return context.clock.wall()


# --- at work ----------------------------------------------------------------------------------


@contextmanager
def _playing(
    context: ServiceContext, session: Session, metrics: Metrics, plugs: list[Plug]
) -> Iterator[RunningTable]:
    """Run loop, readers and console until the block ends."""
    with ExitStack() as stack:
        shoe = tuple(session.journal.since_checkpoint())
        around = stack.enter_context(_captures(context, plugs))
        at_work = stack.enter_context(running_table(session, plugs, context.clock, around))
        metrics.look_at(at_work.loop.devices, at_work.loop.waiting)
        stack.callback(metrics.watch(at_work.loop.snapshots))
        status = None
        if (at_floor := _at_floor(context.config)) is not None:
            loop = at_work.loop
            up = floor.uplink(at_floor, loop, loop.devices, context.clock)
            status = stack.enter_context(up)
        setup = replace(_setup(context, metrics), shoe=shoe, floor=status)
        stack.enter_context(_console(context, at_work.loop, setup))
        yield at_work


def _captures(context: ServiceContext, plugs: list[Plug]) -> AbstractContextManager[Around | None]:
    folder = context.config.logs.capture
    key = load_key(_places(context.config).key)
    return captures.sealed_captures(
        Path(folder) if folder else None, key, plugs, context.clock.monotonic
    )


def _tell(loop: Loop, payload: Payload) -> None:
    """Send the table a command of its own machine. A stopped table reports its stop itself, so the
    refusal is only logged here."""
    try:
        loop.ask(Message("system", payload))
    except (Busy, Stopped) as error:
        log.warning("not_told", what=type(payload).__name__, why=str(error))


def _setup(context: ServiceContext, metrics: Metrics | None = None) -> Setup:
    """Return the console's setup. Without metrics there is no journal to read from either."""
    loaded, places = context.config, _places(context.config)
    runtime = context.environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Setup(
        rules=loaded.rules(),
        accounts=Accounts(Path(loaded.console.staff), fewest=loaded.console.pin_fewest),
        wall=context.clock.wall or time.time,
        steady=since_boot,
        boot=boot_id(),
        entropy=os.urandom,
        records=OnDisk(places.journal) if metrics else None,
        sealer=places.sealer() if metrics else None,
        sessions_file=Path(runtime) / "sessions.json" if runtime else None,
        table=loaded.site.name,
        mode=loaded.site.mode,
        chip_unit=loaded.money.chip_unit,
        metrics=metrics.text if metrics else None,
    )


@contextmanager
def _console(context: ServiceContext, loop: Loop, setup: Setup) -> Iterator[ConsoleServer]:
    chosen = context.config.console
    address = ListenAddress(
        chosen.host,
        chosen.port,
        Path(chosen.tls_cert) if chosen.tls_cert else None,
        Path(chosen.tls_key) if chosen.tls_key else None,
    )
    listening = bound(address)
    server = ConsoleServer(context_of(loop, setup, secure=address.secure), address, listening)
    server.start()
    log.info("console", url=server.url)
    if not setup.accounts.everybody():
        log.warning(
            "nobody_can_sign_in",
            do=f"sabot staff add NAME --role pit_manager --config {context.config_file}",
        )
    try:
        yield server
    finally:
        server.stop()


def _wait(
    context: ServiceContext,
    notifier: Notifier,
    at_work: RunningTable | None,
    until: Callable[[], bool],
) -> None:
    """Run without devices and repeat the self-test; the pages show what is wrong."""
    while not context.stop.wait(RETEST_S):
        notifier.alive()
        if at_work is not None and (why := at_work.loop.snapshots.stop_reason) is not None:
            raise Stopped(why)
        if until():
            return


def _tend(context: ServiceContext, at_work: RunningTable, notifier: Notifier) -> None:
    """Feed the watchdog and check every watch until the stop signal."""
    loop = at_work.loop
    counters: dict[str, Callable[[], int]] = {TABLE: lambda: loop.turns}
    for reader in at_work.readers:
        counters[f"reader of {reader.device}"] = lambda reader=reader: reader.advanced  # type: ignore[misc]
    pulse = Pulse(counters)
    watches = _watches(context, loop)
    beat_s = min(BEAT_S, (notifier.watchdog_s or BEAT_S * 3) / 3)
    while not context.stop.wait(beat_s):
        if (why := loop.snapshots.stop_reason) is not None:
            raise Stopped(why)
        if still := pulse.still():
            # A quiet line is normal for a moment; a table that does not answer is not.
            say = log.warning if TABLE in still else log.debug
            say("stands_still", what=still, driver=loop.at_work)
        else:
            notifier.alive()
        for look in watches:
            look()


def _watches(context: ServiceContext, loop: Loop) -> list[Callable[[], None]]:
    def tell(payload: Payload) -> None:
        _tell(loop, payload)

    clock, checks, holding = context.clock, context.config.checks, Holding(tell)
    return [
        ClockWatch(clock, checks.clock_step_s, tell).look,
        FileWatch(context.config, context.config_file, clock, holding, context.site_key).look,
        ResultWatch(context.config, clock, holding, tell).look,
        MisreadWatch(loop.devices, checks.errors_per_thousand, tell).look,
    ]


# --- the process ------------------------------------------------------------------------------


@contextmanager
def _signals(stop: threading.Event) -> Iterator[None]:
    """Let SIGTERM and SIGINT only set the event, so that the current work is finished and
    recorded."""
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

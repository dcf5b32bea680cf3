"""From the wire to the disk with a floor that is absent, slow, lying or good, against without one.

One table plays on; in turns, a few rounds each, its uplink is not there, or speaks to nobody, to a
floor that answers after seconds, to one whose answers nobody signed, or to one that answers well.
Broker and floor are programs of their own, as they are on another machine. The cards come without a
pause, one as soon as the last is durable and shown: no dealer draws like that, so what the uplink
costs shows here at its worst. What it takes of the processor is shown too, for that depends less
on what else the machine does.
"""

import logging
import os
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from bench import devices
from bench.devices import LIMIT_S, OPENING, SECOND, WANTS_CARD, Frames, Stopwatch, staff
from bench.journal import SIGNER
from bench.targets import at_most
from controller.config.file import Floor as FloorSection
from controller.console.context import FloorLink
from controller.console.http.server import SWITCH_S
from controller.floor.embedded.nats import nats
from controller.journal.keys.signing import text_of
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import JournalPlaces
from controller.service import floor, logs
from controller.service.floor import AtFloor
from controller.uplink.service import THREAD
from support.floor.bench_floor import READY
from support.floor.model_floor import FLOOR
from support.table.bench import rules_of

SHOE = "shoe_angel_eye"
CARDS = 1000
"""With each floor."""
ROUNDS = 20
"""In a turn."""
TARGET = 1.05
NOBODY = "nats://127.0.0.1:1"
WITHOUT = "without"
HELD_TO = ("absent", "slow", "lying")
KINDS = (WITHOUT, *HELD_TO, "good")


def against_without(folder: Path) -> None:
    """The whole comparison."""
    sys.setswitchinterval(SWITCH_S)  # as a table with its console has it
    logs.configure(level=logging.WARNING)
    key = folder / "floor.pub"
    key.write_text(text_of(FLOOR.public) + "\n")
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    taken, lasted = Counter[str](), Counter[str]()
    with nats(folder / "broker") as broker, _floor(broker.url), devices.table(folder, SHOE) as made:
        _publish_key(folder)
        loop, shoe, journal = made
        player = _Player(loop, shoe, journal)
        for kind in cycle(KINDS):
            with _uplink(folder, kind, broker.url, loop):
                began, before = time.perf_counter_ns(), _processor_ns()
                for _ in range(ROUNDS):
                    times[kind] += player.round()
                taken[kind] += _processor_ns() - before
                lasted[kind] += time.perf_counter_ns() - began
            if min(map(len, times.values())) >= CARDS:
                break
    _compare(times)
    shares = (f"{kind} {100 * taken[kind] / lasted[kind]:.1f} %" for kind in KINDS)
    _say(f"  of a processor the uplink's thread takes: {', '.join(shares)}")


def _processor_ns() -> int:
    """What the uplink's thread has had of it so far."""
    for each in threading.enumerate():
        if each.name == THREAD and each.ident is not None:
            return time.clock_gettime_ns(time.pthread_getcpuclockid(each.ident))
    return 0


def _publish_key(folder: Path) -> None:
    (folder / "table.db.pub").write_text(text_of(SIGNER.public) + "\n")


class _Player:
    """Plays rounds of cards from a wire, and times each."""

    def __init__(self, loop: Loop, shoe: int, journal: Stopwatch) -> None:
        self._loop, self._shoe, self._journal = loop, shoe, journal
        self._frames = Frames(SHOE)
        self._cards = devices.shuffled(5)

    def round(self) -> list[float]:
        loop, found = self._loop, []
        loop.ask(staff("open_betting")).result(LIMIT_S)
        step = loop.ask(staff("close_betting")).result(LIMIT_S)
        while step.state in WANTS_CARD:
            hand, place = devices.next_card(step)
            whole = self._frames.of(self._cards.pop(), hand, place)
            found.append(devices.timed(self._shoe, whole, self._journal))
            devices.drain(self._shoe)
            step = devices.after(loop, step.seq)
        loop.ask(staff("announce")).result(LIMIT_S)
        assert loop.ask(staff("settle")).result(LIMIT_S).accepted
        if len(self._cards) < 20:
            self._cards = devices.shuffled(len(found))
            loop.ask(OPENING[1]).result(LIMIT_S)
            loop.ask(SECOND).result(LIMIT_S)
        return found


@contextmanager
def _uplink(folder: Path, kind: str, url: str, loop: Loop) -> Iterator[None]:
    if kind == WITHOUT:
        yield
        return
    address = NOBODY if kind == "absent" else url
    section = FloorSection(address, "bench", kind, str(folder / "floor.pub"))
    files = (folder / "table.db", folder / f"head.{kind}", folder / "none", folder / "none")
    table = AtFloor(section, JournalPlaces(*files), rules_of(), "Bench", "live")
    clock = Clock(time.monotonic, time.time)
    with floor.uplink(table, loop, loop.devices, clock) as status:
        until = time.monotonic() + LIMIT_S
        while not _settled(kind, status()) and time.monotonic() < until:
            time.sleep(0.01)
        yield


def _settled(kind: str, status: FloorLink) -> bool:
    """What a turn begins with: a good floor has all that is old, the others have been tried."""
    if kind == "good":
        return status.connected and status.unsent == 0
    return bool(status.says) if kind == "absent" else status.connected


@contextmanager
def _floor(url: str) -> Iterator[None]:
    """A model floor as a program of its own."""
    command = [sys.executable, "-m", "tests.support.floor.bench_floor", url]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((".", "tests"))}
    program = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert program.stdout is not None
    try:
        assert program.stdout.readline().strip() == READY.encode()
        yield
    finally:
        program.terminate()
        program.wait(LIMIT_S)
        program.stdout.close()


def _compare(times: dict[str, list[float]]) -> None:
    _say(f"wire to durable with a floor, {CARDS} cards each in turns of {ROUNDS} rounds:")
    found = {}
    for kind, each in times.items():
        ordered = sorted(each)
        found[kind] = (statistics.median(ordered), ordered[int(len(ordered) * 0.99)])
        p50, p99 = (1e6 * seconds for seconds in found[kind])
        ratio = found[kind][0] / found[WITHOUT][0]
        held = f"   ratio of p50 {ratio:5.3f}" if kind != WITHOUT else ""
        held += f"; {at_most(ratio, TARGET)}" if kind in HELD_TO else ""
        _say(f"  {kind:8} p50 {p50:6.0f} us   p99 {p99:6.0f} us{held}")


def _say(line: str) -> None:
    print(line)  # noqa: T201

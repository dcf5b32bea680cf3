"""One device on a technician's bench: its port, its driver and a screen, without a table.

It shows every card, so it is for a bench alone. A port that a table has open cannot be opened here:
the port refuses.
"""

import queue
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event as Flag
from types import FrameType
from typing import Final

from drivers.commands import DeviceCommand
from drivers.contract import DataSheet, Settings, Step
from drivers.errors import BadSetting, LinkError
from drivers.events import Event, LinkLost, LinkUp
from drivers.io import traffic
from drivers.io.capture import Capture, Captured
from drivers.io.identity import Identity, Port
from drivers.io.reader import Delivery, Reader, into, reader_for
from drivers.registry import RegisteredDriver

MAX_WAITING: Final = 1024
LOOK_S: Final = 0.2
"""The maximum delay until a signal takes effect."""


@dataclass(frozen=True, slots=True)
class BenchMoment:
    """An input or a time-out, and what the driver made of it."""

    at: float
    data: bytes = b""
    events: tuple[Event, ...] = ()
    sent: bytes = b""


@contextmanager
def until_stopped() -> Iterator[Flag]:
    """Yield a flag that SIGINT and SIGTERM set; they raise no exception."""
    flag = Flag()

    def handle(_number: int, _frame: FrameType | None) -> None:
        flag.set()

    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wired(sheet: DataSheet, url: str) -> None:
    """Raise `BadSetting` for a driver without a port."""
    if sheet.link == "none":
        raise BadSetting(f"port = {url!r}: {sheet.name} has no wire, so it has no port")


class Bench:
    def __init__(
        self,
        found: RegisteredDriver,
        url: str,
        settings: Settings,
        capture: Capture | None = None,
        clock: Callable[[], float] = time.monotonic,
        enrolled: str = "",
    ) -> None:
        self._driver = found.with_settings(settings)
        self._clock = clock
        self._capture = capture
        self._inbox: queue.Queue[Delivery] = queue.Queue(MAX_WAITING)
        self._name = found.sheet.name
        self._reader: Reader = reader_for(
            found.sheet,
            url,
            into(self._inbox),
            clock,
            settings=settings,
            enrolled=lambda: enrolled,
            around=self._around,
        )

    def moments(self, stop: Flag) -> Generator[BenchMoment]:
        """Yield moments until `stop`, an empty one whenever nothing came for a while; raises
        `LinkError` when the port cannot be opened at the start."""
        self._reader.start()
        try:
            while not stop.is_set():
                yield from self._next()
        finally:
            self._reader.stop()

    def ask(self, command: DeviceCommand) -> BenchMoment:
        """Send a command; raises `UnsupportedCommand`. What cannot be sent is lost with the
        link."""
        at = self._clock()
        return self._made(at, b"", self._driver.ask(command, at))

    @property
    def identity(self) -> Identity | None:
        """The identity of the port that is open, or was last."""
        return self._reader.identity

    def _around(self, port: Port) -> Port:
        logged = traffic.Logged(port, self._name, live=False, clock=self._clock)
        return logged if self._capture is None else Captured(logged, self._capture)

    def _next(self) -> Iterator[BenchMoment]:
        due = self._driver.deadline()
        wait = LOOK_S if due is None else min(LOOK_S, max(0.0, due - self._clock()))
        try:
            delivery = self._inbox.get(timeout=max(wait, 0.001))
        except queue.Empty:
            now = self._clock()
            yield BenchMoment(now)
            yield from self._ticks(now)
            return
        yield from self._ticks(delivery.at)
        yield from self._taken(delivery)

    def _ticks(self, at: float) -> Iterator[BenchMoment]:
        due = self._driver.deadline()
        if due is not None and due <= at:
            yield from _worth_telling(self._made(at, b"", self._driver.tick(at)))

    def _taken(self, delivery: Delivery) -> Iterator[BenchMoment]:
        at, what = delivery.at, delivery.what
        if isinstance(what, bytes):
            yield from _worth_telling(self._made(at, what, self._driver.feed(what, at)))
            return
        if isinstance(what, LinkLost) and self._reader.links == 0:
            raise LinkError(what.why)
        # Call `hello` before reporting the link: a command that follows needs a driver that is
        # ready.
        greeted = isinstance(what, LinkUp) and self._made(at, b"", self._driver.hello(at))
        yield BenchMoment(at, events=(what,))
        if greeted:
            yield from _worth_telling(greeted)

    def _made(self, at: float, data: bytes, step: Step) -> BenchMoment:
        for event in step.events:
            if self._capture is not None:
                self._capture.record_events(event)
        if step.send:
            with suppress(LinkError):  # the reader is about to report the loss of the link
                self._reader.write(step.send)
        return BenchMoment(at, data, step.events, step.send)


def _worth_telling(moment: BenchMoment) -> Iterator[BenchMoment]:
    if moment.data or moment.events or moment.sent:
        yield moment

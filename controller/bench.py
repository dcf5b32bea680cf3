"""One device on a technician's bench: its port, its driver and a screen, without a table.

What it shows is every card, so it is for a bench alone. A port that a table has open cannot be
opened here: the port refuses.
"""

import queue
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event as Flag
from types import FrameType
from typing import Final

from drivers import traffic
from drivers.capture import Capture, Captured
from drivers.contract import Settings, Step
from drivers.errors import LinkError
from drivers.events import Event, LinkLost, LinkUp
from drivers.identity import Port
from drivers.reader import Delivery, Reader, into, reader_for
from drivers.registry import Registered

WAITING_MAX: Final = 1024
LOOK_S: Final = 0.2
"""A signal is seen at least so often."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something came, or time did something, and what the driver made of it."""

    at: float
    data: bytes = b""
    events: tuple[Event, ...] = ()
    sent: bytes = b""


@contextmanager
def until_stopped() -> Iterator[Flag]:
    """A flag that SIGINT and SIGTERM set; they raise nothing anywhere."""
    flag = Flag()

    def handle(_number: int, _frame: FrameType | None) -> None:
        flag.set()

    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Bench:
    """Reads one device until told to stop."""

    def __init__(
        self,
        found: Registered,
        url: str,
        settings: Settings,
        capture: Capture | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._driver = found.with_settings(settings)
        self._clock = clock
        self._capture = capture
        self._inbox: queue.Queue[Delivery] = queue.Queue(WAITING_MAX)
        self._name = found.sheet.name
        self._reader: Reader = reader_for(
            found.sheet,
            url,
            into(self._inbox),
            clock,
            settings=settings,
            around=self._around,
        )

    def moments(self, stop: Flag) -> Iterator[Moment]:
        """Until `stop`, an empty one whenever nothing came for a while; raises `LinkError` when the
        port cannot be opened to begin with."""
        self._reader.start()
        try:
            while not stop.is_set():
                yield from self._next()
        finally:
            self._reader.stop()

    def _around(self, port: Port) -> Port:
        logged = traffic.Logged(port, self._name, live=False, clock=self._clock)
        return logged if self._capture is None else Captured(logged, self._capture)

    def _next(self) -> Iterator[Moment]:
        due = self._driver.deadline()
        wait = LOOK_S if due is None else min(LOOK_S, max(0.0, due - self._clock()))
        try:
            delivery = self._inbox.get(timeout=max(wait, 0.001))
        except queue.Empty:
            now = self._clock()
            yield Moment(now)
            yield from self._ticks(now)
            return
        yield from self._ticks(delivery.at)
        yield from self._taken(delivery)

    def _ticks(self, at: float) -> Iterator[Moment]:
        due = self._driver.deadline()
        if due is not None and due <= at:
            yield from self._made(at, b"", self._driver.tick(at))

    def _taken(self, delivery: Delivery) -> Iterator[Moment]:
        at, what = delivery.at, delivery.what
        if isinstance(what, bytes):
            yield from self._made(at, what, self._driver.feed(what, at))
            return
        if isinstance(what, LinkLost) and self._reader.links == 0:
            raise LinkError(what.why)
        yield Moment(at, events=(what,))
        if isinstance(what, LinkUp):
            yield from self._made(at, b"", self._driver.hello(at))

    def _made(self, at: float, data: bytes, step: Step) -> Iterator[Moment]:
        for event in step.events:
            if self._capture is not None:
                self._capture.told(event)
        if step.send:
            self._reader.write(step.send)
        if data or step.events or step.send:
            yield Moment(at, data, step.events, step.send)

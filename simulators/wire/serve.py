"""The program's loop: one thread that carries bytes between a unit and its port by the real clock.

Words from the back door come from other threads; they wait in a short queue and are done here, so
nothing of a device needs a lock. A word is answered only after the bytes it caused have left and
the cable is where the word put it: whoever asked can rely on it.
"""

import contextlib
import os
import queue
import select
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import FrameType
from typing import Any, Final, TypeVar

from simulators.wire.ports import Port
from simulators.wire.unit import Unit

TICK_S: Final = 0.01
"""A device's own time moves at least this often, unless it is at rest."""
REST_S: Final = 0.5
"""A device at rest, to which nobody says anything, is looked at this often."""
MAX_STEP_S: Final = 1.0
"""A machine that was suspended does not make its device live through the night at once."""
SWITCHED_ON_S: Final = 1.0
"""How long a device has been on when its port appears. What it said at first nobody heard; whoever
wants to hear it says `restart`."""
MAX_CALLS: Final = 64
CALL_LOOK_S: Final = 0.5
"""How often a caller looks whether the loop still lives."""
LAST_BYTES_S: Final = 30.0
"""How long a cut waits for the host to take the bytes before it."""

Answer = TypeVar("Answer")


class Busy(Exception):
    """More words wait than the program takes at once."""


class Server:
    """Made and run by one thread; `call` and `stop` are for all others and for signals."""

    def __init__(self, unit: Unit, port: Port, tied_to: int | None = None) -> None:
        """`tied_to`: a descriptor whose other end is whoever started the program. When that one is
        gone, however it went, nobody is left to stop the program, so it stops by itself."""
        self.unit = unit
        self._port = port
        self._tied_to = tied_to
        self._calls: queue.Queue[tuple[Callable[[], object], Future[object]]] = queue.Queue(
            MAX_CALLS
        )
        self._wake_in, self._wake_out = os.pipe()
        os.set_blocking(self._wake_in, False)
        os.set_blocking(self._wake_out, False)
        self._stopping = self._ended = False
        self._is_open = False
        self._parting_s: float | None = None
        self._handlers: dict[signal.Signals, Any] = {}

    def call(self, what: Callable[[], Answer]) -> Answer:
        """Does it between two steps and gives what it gives; raises `Busy`. `what` raises
        nothing: an error in it is an error of the program and ends it."""
        future: Future[Answer] = Future()
        try:
            self._calls.put_nowait((what, future))  # type: ignore[arg-type]
        except queue.Full:
            raise Busy("too many words at once; try again") from None
        self._wake()
        while True:
            try:
                return future.result(CALL_LOOK_S)
            except TimeoutError:
                if self._ended:
                    raise Busy("the emulator is stopping") from None

    @property
    def is_full(self) -> bool:
        """The next call is one too many."""
        return self._calls.full()

    def stop(self) -> None:
        self._stopping = True
        self._wake()

    def stop_on_signals(self) -> None:
        """SIGTERM and SIGINT end `run` until `close`; they raise nothing anywhere."""

        def handle(_number: int, _frame: FrameType | None) -> None:
            self.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            self._handlers[number] = signal.signal(number, handle)

    def open(self) -> None:
        """The device is on and its port is there for a host; raises `PortError`."""
        self.unit.step(SWITCHED_ON_S)
        self._open()

    def _open(self) -> None:
        self._port.open()
        self._is_open = True

    def run(self) -> None:
        """Until `stop`; the port is closed afterwards."""
        before = time.monotonic()
        try:
            while not self._stopping:
                self._wait()
                now = time.monotonic()
                self._once(min(now - before, MAX_STEP_S))
                before = now
        finally:
            self._ended = True
            self._port.pull()

    def close(self) -> None:
        """When nobody calls any more."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._port.close()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _once(self, dt: float) -> None:
        self._carry(dt)
        while not self._calls.empty():
            what, future = self._calls.get_nowait()
            answer = what()
            self._carry(0.0)
            future.set_result(answer)

    def _carry(self, dt: float) -> None:
        """One step of time and of bytes, and the cable as the unit has it. What the host has said
        by now comes after the time that passed."""
        self._port.send(self.unit.step(dt))
        self.unit.hear(self._port.receive())
        self._port.send(self.unit.step(0.0))
        if not self.unit.hung:
            self._port.talk(dt)
        if self._is_open and (not self.unit.connected or self._parting_s is not None):
            self._pull(dt)
        if self.unit.connected and not self._is_open:
            self._open()

    def _pull(self, dt: float) -> None:
        """A pulled cable is gone at once; a cut one delivers what was before the cut."""
        self._parting_s = (self._parting_s or 0.0) + dt
        waits = self.unit.is_cut and self._parting_s <= LAST_BYTES_S
        if not waits or self._port.drained():
            self._port.pull()
            self._is_open, self._parting_s = False, None

    def _wait(self) -> None:
        limit = self._longest_s()
        poll = select.poll()
        # What a host tells a hung device wakes nobody.
        hosts = [] if self.unit.hung else self._port.watched()
        tied = [] if self._tied_to is None else [self._tied_to]
        for descriptor in (self._wake_in, *tied, *hosts):
            poll.register(descriptor, select.POLLIN)
        awake = [descriptor for descriptor, _ in poll.poll(limit * 1000)]
        if self._tied_to in awake and not os.read(self._tied_to, 4096):
            self._stopping = True
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_in, 4096)

    def _longest_s(self) -> float:
        if self.unit.at_rest and self._port.at_rest and self._parting_s is None:
            return REST_S
        due = self.unit.due_s()
        return TICK_S if due is None else min(TICK_S, due)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # so many wake-ups wait that it is awake
            os.write(self._wake_out, b".")

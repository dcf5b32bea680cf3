"""The program's loop: one thread that carries bytes between a unit and its port by the real clock.

Back-door commands come from other threads. They wait in a short queue and run in this thread, so a
device needs no lock. A command is answered only after its bytes have left and the cable is in its
new state, so that a client can rely on the answer.
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
"""Maximum interval between steps of a device that is not at rest."""
REST_S: Final = 0.5
"""Interval at which a device at rest and without input is polled."""
MAX_STEP_S: Final = 1.0
"""Maximum length of one step, so that a suspended machine does not replay hours at once."""
SWITCHED_ON_S: Final = 1.0
"""Time for which a device is on before its port appears. Its first output has no receiver; the
back-door command `restart` repeats it."""
MAX_CALLS: Final = 64
CALL_LOOK_S: Final = 0.5
"""Interval at which a caller checks whether the loop is alive."""
LAST_BYTES_S: Final = 30.0
"""Time-out for the host to read the bytes before a cut."""

Answer = TypeVar("Answer")


class Busy(Exception):
    """More commands wait than the queue has room for."""


class Server:
    """The loop's server, created and run by one thread; `call` and `stop` are for all other threads
    and for signals."""

    def __init__(self, unit: Unit, port: Port, tied_to: int | None = None) -> None:
        """`tied_to`: a descriptor whose other end is the starting program. When that program ends
        in any way, the server stops, because no other would stop it."""
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
        """Run `what` between two steps and return its result; raises `Busy`. `what` must not raise:
        an error in it ends the program."""
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
        """Whether the queue has no room for another call."""
        return self._calls.full()

    def stop(self) -> None:
        self._stopping = True
        self._wake()

    def stop_on_signals(self) -> None:
        """Let SIGTERM and SIGINT end `run` until `close`, without any exception."""

        def handle(_number: int, _frame: FrameType | None) -> None:
            self.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            self._handlers[number] = signal.signal(number, handle)

    def open(self) -> None:
        """Switch the device on and open its port for a host; raises `PortError`."""
        self.unit.step(SWITCHED_ON_S)
        self._open()

    def _open(self) -> None:
        self._port.open()
        self._is_open = True

    def run(self) -> None:
        """Run until `stop`, and close the port afterwards."""
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
        """Release all resources, after the last call."""
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
        """Carry out one step of time and bytes, and apply the unit's cable state. Bytes from the
        host are handled after the time that passed."""
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
        """Disconnect the port. A pulled cable is gone at once; a cut one delivers the bytes before
        the cut."""
        self._parting_s = (self._parting_s or 0.0) + dt
        waits = self.unit.is_cut and self._parting_s <= LAST_BYTES_S
        if not waits or self._port.drained():
            self._port.pull()
            self._is_open, self._parting_s = False, None

    def _wait(self) -> None:
        limit = self._longest_s()
        poll = select.poll()
        # Bytes from the host must not wake a hung device.
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
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes the loop as well
            os.write(self._wake_out, b".")

"""One thread for each port: read, time-stamp, deliver, and reopen after a lost link.

A reader never drops a byte silently. When its deliveries are not taken it stops reading, and the
device waits in the kernel's buffer. It reports the loss of the link once, and its return once. The
driver and the table handle what was on the wire in between.
"""

import queue
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Final, NamedTuple, TypeAlias

from drivers.contract import DataSheet, Settings
from drivers.errors import DeviceError, LinkError, WrongDevice
from drivers.events import LinkLost, LinkUp
from drivers.io.identity import Identity, Port, check_kind, line_for, parse
from drivers.io.ports import open_port

READ_S: Final = 0.1
"""The time-out of a read: `stop` takes effect, and `advanced` moves, at least this often."""
BACK_OFF_S: Final = (0.05, 0.1, 0.2, 0.5)
"""The delays before the port is opened again; the last is repeated, so that a reconnected cable is
found within a second."""
REFUSED_S: Final = 0.01
STOP_S: Final = 30.0
"""Longer than any open can take; a reader that has not ended by then has a defect."""


Brought: TypeAlias = bytes | LinkUp | LinkLost
"""What a port delivers: bytes, or that it was opened or lost."""
Deliver: TypeAlias = Callable[[Brought, float, float], bool]
"""A function that takes what a port delivered, and when; False if there was no room in time."""


class Delivery(NamedTuple):
    """What a device's port delivered, and when."""

    what: Brought
    at: float

    def __repr__(self) -> str:
        return "Delivery(...)"  # the bytes may spell a card


def into(inbox: "queue.Queue[Delivery]") -> Deliver:
    """Return a function that delivers into a bounded queue."""
    assert inbox.maxsize > 0, "a queue without a limit hides a table that does not keep up"

    def deliver(what: Brought, at: float, timeout_s: float) -> bool:
        try:
            inbox.put(Delivery(what, at), timeout=timeout_s)
        except queue.Full:
            return False
        return True

    return deliver


class Reader:
    """A reader. Call `start` and `stop` once each, and `write` from any thread; the reader's thread
    opens the port."""

    def __init__(
        self,
        device: str,
        opens: Callable[[], Port],
        deliver: Deliver,
        clock: Callable[[], float],
    ) -> None:
        """Create a reader; `clock` is monotonic."""
        self.device = device
        self._opens = opens
        self._deliver = deliver
        self._clock = clock
        self._port: Port | None = None
        self._port_lock = Lock()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name=f"reader of {device}", daemon=True)
        self.advanced = 0
        """A counter for a watchdog: it grows while the reader lives and its deliveries are
        taken."""
        self.links = 0
        """How often the port was opened."""
        self.identity: Identity | None = None
        """The identity of the port that is open, or was last."""
        self.unit = ""
        """The enrolment of the connected unit, accepted or refused; empty: none was seen."""

    @property
    def up(self) -> bool:
        return self._port is not None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread; what could not be delivered is dropped."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        assert not self._thread.is_alive(), f"the reader of {self.device} does not stop"

    def write(self, data: bytes) -> None:
        """Write bytes; raises `LinkError` when the link is down or goes down: nothing is queued."""
        with self._port_lock:
            if self._port is None:
                raise LinkError(
                    f"{self.device}: the link is down, {len(data)} bytes were not sent; "
                    "wait for it to come back"
                )
            self._port.write(data)

    def _run(self) -> None:
        tries, text = 0, ""
        while not self._stopping.is_set():
            before = self.links
            why = self._one_link()
            if self.links != before:
                tries, text = 0, ""
            # Report only a new reason: otherwise the same line would come twice a second all night.
            if why not in ("", text):
                text = why
                self._hand_on(LinkLost(why))
            self._stopping.wait(BACK_OFF_S[min(tries, len(BACK_OFF_S) - 1)])
            tries += 1

    def _one_link(self) -> str:
        """Open, read until the link is lost, and return the reason; empty after `stop`."""
        try:
            self._open()
            self._read()
        except DeviceError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001  a fault of ours must reach the table too
            return f"the reader failed ({type(error).__name__}): this is a fault of ours"
        finally:
            self._close()
        return ""

    def _open(self) -> None:
        self.advanced += 1
        try:
            port = self._opens()
        except WrongDevice as error:
            self.unit = error.unit
            raise
        self.unit = port.identity.enrolment
        with self._port_lock:
            self._port, self.identity = port, port.identity
        self.links += 1
        self._hand_on(LinkUp(first=self.links == 1))

    def _read(self) -> None:
        port = self._port
        assert port is not None
        while not self._stopping.is_set():
            self.advanced += 1
            if data := port.read(READ_S):
                self._hand_on(data)

    def _close(self) -> None:
        with self._port_lock:
            if self._port is not None:
                self._port.close()
            self._port = None

    def _hand_on(self, what: Brought) -> None:
        at = self._clock()
        while not self._deliver(what, at, READ_S):
            # A table that has ended may refuse at once instead of waiting.
            if self._stopping.wait(REFUSED_S):
                return


def reader_for(
    sheet: DataSheet,
    url: str,
    deliver: Deliver,
    clock: Callable[[], float],
    *,
    settings: Settings | None = None,
    enrolled: Callable[[], str] = str,
    around: Callable[[Port], Port] | None = None,
) -> Reader:
    """Return a reader for a device by its data sheet; raises `BadSetting` for an impossible port.

    `enrolled` is the unit that is accepted when the port is opened; empty accepts any. `around` may
    wrap each opened port in a capture or a wire log.
    """
    check_kind(sheet, parse(url))
    line = line_for(sheet, settings)
    wrap = around or _as_it_is

    def opens() -> Port:
        return wrap(open_port(url, line, enrolled()))

    return Reader(sheet.name, opens, deliver, clock)


def _as_it_is(port: Port) -> Port:
    return port

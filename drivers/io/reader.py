"""One thread a port: read, stamp, deliver, and open again when the link was lost.

A reader never drops a byte in silence. When nobody takes what it delivers it stops reading, and the
device waits in the kernel's buffer; when the link is lost it says so, once, and says so again when
the link is back. What was on the wire in between is for the driver and the table to ask about.
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
"""How long a read waits: a stop is seen, and `advanced` moves, at least so often."""
BACK_OFF_S: Final = (0.05, 0.1, 0.2, 0.5)
"""The waits before the port is tried again; the last is repeated, so that a cable put back is found
within a second."""
REFUSED_S: Final = 0.01
STOP_S: Final = 30.0
"""Longer than any open can take; a reader that has not ended by then is a fault of ours."""


Brought: TypeAlias = bytes | LinkUp | LinkLost
"""What a port brings: bytes, or that it was opened or lost."""
Deliver: TypeAlias = Callable[[Brought, float, float], bool]
"""Takes what a port brought, and when; False when there was no room within so many seconds."""


class Delivery(NamedTuple):
    """What a device's port brought and when."""

    what: Brought
    at: float

    def __repr__(self) -> str:
        return "Delivery(...)"  # the bytes may spell a card


def into(inbox: "queue.Queue[Delivery]") -> Deliver:
    """Deliver into a bounded queue."""
    assert inbox.maxsize > 0, "a queue without a limit hides a table that does not keep up"

    def deliver(what: Brought, at: float, timeout_s: float) -> bool:
        try:
            inbox.put(Delivery(what, at), timeout=timeout_s)
        except queue.Full:
            return False
        return True

    return deliver


class Reader:
    """`start` and `stop` once each; `write` from any thread; the port is opened in the thread."""

    def __init__(
        self,
        device: str,
        opens: Callable[[], Port],
        deliver: Deliver,
        clock: Callable[[], float],
    ) -> None:
        """`clock` is monotonic."""
        self.device = device
        self._opens = opens
        self._deliver = deliver
        self._clock = clock
        self._port: Port | None = None
        self._port_lock = Lock()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name=f"reader of {device}", daemon=True)
        self.advanced = 0
        """Grows while the reader lives and its deliveries are taken: for a watchdog."""
        self.links = 0
        """How often the port was opened."""
        self.identity: Identity | None = None
        """Of the port that is open, or was last."""
        self.unit = ""
        """What the unit that is plugged in is known by, taken or refused; empty: none was seen."""

    @property
    def up(self) -> bool:
        return self._port is not None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread; what could not be delivered is given up."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        assert not self._thread.is_alive(), f"the reader of {self.device} does not stop"

    def write(self, data: bytes) -> None:
        """Raises `LinkError` when the link is down or goes down: nothing is kept for later."""
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
            # Said once, and again when the reason changes: not twice a second all night.
            if why not in ("", text):
                text = why
                self._hand_on(LinkLost(why))
            self._stopping.wait(BACK_OFF_S[min(tries, len(BACK_OFF_S) - 1)])
            tries += 1

    def _one_link(self) -> str:
        """Open, read until the link is lost, and say why; empty when it was us who stopped."""
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
            # A table that has ended may refuse at once instead of letting us wait.
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
    """A reader for a device by its data sheet; raises `BadSetting` for a port that cannot be.

    `enrolled` says which unit is taken when the port is opened; empty takes any. `around` may put
    something around each port that is opened: a capture, a wire log."""
    check_kind(sheet, parse(url))
    line = line_for(sheet, settings)
    wrap = around or _as_it_is

    def opens() -> Port:
        return wrap(open_port(url, line, enrolled()))

    return Reader(sheet.name, opens, deliver, clock)


def _as_it_is(port: Port) -> Port:
    return port

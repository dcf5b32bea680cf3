"""A loop with one device on a wire that is a list, and a disk that can be full."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from controller.engine.session import open_session
from controller.journal.memory import MemoryJournal
from controller.journal.records import AnyJournal, Entry, Record
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import Inbox
from controller.runtime.loop import Clock, Loop
from controller.table.commands.message import Message, staff_message
from controller.table.commands.registry import Payload
from controller.table.rules import HouseRules, Rules
from controller.views.structs.encoding import plain
from drivers.contract import DataSheet, Driver
from drivers.errors import LinkError
from drivers.events import LinkLost, LinkUp
from support.devices import line_shoe
from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


def staff(do: str, who: str = "dan", role: str = "dealer", **given: Any) -> Message[Payload]:
    return staff_message(do, who, role, **given)


def pit(do: str, **given: Any) -> Message[Payload]:
    return staff(do, "pia", "pit_supervisor", **given)


OPENING = [
    pit("open_table"),
    staff("load_shoe", deck_set="blue", verified_by="pia", cut=True),
    pit("approve"),
    staff("open_betting"),
    staff("close_betting"),
]


class Fragile(MemoryJournal):
    """Fails with the disk's error, or with one of ours, once it is told to."""

    full = False
    broken: Exception | None = None

    def append(self, *entries: Entry) -> list[Record]:
        if self.full:
            raise OSError(28, "No space left on device")
        if self.broken is not None:
            raise self.broken
        return super().append(*entries)


class Bench:
    """A loop with one shoe on a wire that is a list."""

    def __init__(
        self,
        *,
        obeys: bool = True,
        device: str = "shoe",
        driver: Driver | None = None,
        sheet: DataSheet = line_shoe.SHEET,
        journal: AnyJournal | None = None,
        **house: Any,
    ) -> None:
        settings = {"burn": "none", **house}
        self.rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", **settings))
        self.journal: Any = journal or Fragile()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.session = open_session(self.rules, self.journal, self.sealer)
        self.driver: Any = driver or line_shoe.Driver({"answers": obeys})
        self.sent: list[bytes] = []
        self.known_when_sent: list[int] = []
        self.cable_out = False
        self.now = 100.0
        self.name = device
        self.shoe = ConnectedDevice(device, self.driver, sheet, "memory", self.write)
        self.inbox = Inbox()
        clock = Clock(lambda: self.now, lambda: 1_700_000_000.0 + self.now)
        self.loop = Loop(self.session, [self.shoe], clock, self.inbox)

    def hear(
        self, what: bytes | LinkUp | LinkLost, at: float, timeout: float | None = None
    ) -> bool:
        return self.loop.hear(self.name, what, at, timeout)

    @property
    def drawn(self) -> int:
        """The number of cards drawn from the shoe on the table."""
        shoe = self.session.machine.table.shoe
        assert shoe is not None
        return shoe.drawn

    def write(self, data: bytes) -> None:
        if self.cable_out:
            raise LinkError("line_shoe: the cable is out")
        self.sent.append(data)
        self.known_when_sent.append(self.journal.head.seq)

    @contextmanager
    def running(self) -> Iterator["Bench"]:
        thread = threading.Thread(target=self.loop.run)
        thread.start()
        try:
            yield self
        finally:
            self.loop.stop()
            thread.join(LIMIT_S)
            assert not thread.is_alive()

    def say(self, message: Message[Payload]) -> dict[str, Any]:
        return plain(self.loop.ask(message).result(LIMIT_S))

    def plug(self) -> None:
        self.hear(LinkUp(), self.now)

    def open(self) -> dict[str, Any]:
        self.plug()
        return [self.say(each) for each in OPENING][-1]

    def shows(self, **wanted: Any) -> dict[str, Any]:
        """Wait until the dealer's view has these values."""
        changed = threading.Event()
        stop = self.loop.snapshots.watch(changed.set)
        try:
            while True:
                latest = self.loop.snapshots.latest
                view = plain(latest.views.dealer) if latest else {}
                if all(view.get(key) == value for key, value in wanted.items()):
                    return view
                assert changed.wait(LIMIT_S), f"never came to {wanted}, last {view}"
                changed.clear()
        finally:
            stop()

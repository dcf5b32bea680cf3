"""Builds a running table, the only place that does: session, drivers, readers, inbox and loop."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Final, TypeAlias

from controller.engine.session import Session
from controller.journal.records import Json
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import DeviceInput, Inbox
from controller.runtime.loop import Clock, Loop
from controller.runtime.msgspec_warmup import prepare_types
from drivers import registry
from drivers.contract import Capability
from drivers.errors import BadSetting, LinkError
from drivers.io.identity import Port
from drivers.io.reader import Brought, Reader, reader_for
from drivers.io.traffic import Logged

END_S: Final = 60.0
"""Longer than any step can take; a loop that has not ended by then has a defect."""

Around: TypeAlias = Callable[[str, Port], Port]
"""Wraps the port of a device each time it is opened."""


@dataclass(frozen=True)
class Plug:
    """The configuration of a device to connect: its type, and its port."""

    name: str
    """The device's role at the table: shoe or shuffler."""
    driver: str
    port: str
    settings: dict[str, Json] = field(default_factory=dict)
    enrolled: str = ""
    """The identity of the only unit that is accepted, from its enrolment; empty accepts any."""


@dataclass(frozen=True)
class RunningTable:
    """A table at work: send requests to its loop. A watchdog reads `loop.turns` and each reader's
    `advanced`."""

    loop: Loop
    readers: tuple[Reader, ...]


@contextmanager
def running_table(
    session: Session,
    plugs: Sequence[Plug],
    clock: Clock,
    around: Around | None = None,
) -> Iterator[RunningTable]:
    """Run until the block ends; raises `DeviceError` for an invalid driver or port.

    The readers end first, then the loop when it has processed all that was delivered, so that the
    caller, who opened the session, can close its journal. `around` may wrap a port in a capture.
    """
    inbox = Inbox()

    def enrolled(plug: Plug) -> str:
        """The enrolled identity of the device. Two people may have replaced the configured unit."""
        return session.machine.table.devices.enrolled.get(plug.name, plug.enrolled)

    plugged = [_plug_in(plug, inbox, clock, around, partial(enrolled, plug)) for plug in plugs]
    loop = Loop(session, [attached for attached, _ in plugged], clock, inbox)
    readers = tuple(reader for _, reader in plugged if reader is not None)
    thread = Thread(target=loop.run, name="table")
    prepare_types()
    thread.start()
    try:
        for reader in readers:
            reader.start()
        yield RunningTable(loop, readers)
    finally:
        for reader in readers:
            reader.stop()
        loop.stop()
        thread.join(END_S)
        assert not thread.is_alive(), "the table's loop does not end"


def _plug_in(
    plug: Plug,
    inbox: Inbox,
    clock: Clock,
    around: Around | None,
    enrolled: Callable[[], str],
) -> tuple[ConnectedDevice, Reader | None]:
    found = registry.find(plug.driver)
    sheet = found.sheet
    if sheet.kind != plug.name:
        raise BadSetting(f"{plug.driver} is a {sheet.kind}, and a {plug.name} is asked for")
    if sheet.link == "none":
        return _without_a_wire(plug, found), None

    def deliver(what: Brought, at: float, timeout_s: float) -> bool:
        return inbox.hear(DeviceInput(plug.name, what, at), timeout_s)

    def watched(port: Port) -> Port:
        logged = Logged(port, plug.name, live=True, clock=clock.monotonic)
        return logged if around is None else around(plug.name, logged)

    reader = reader_for(
        sheet,
        plug.port,
        deliver,
        clock.monotonic,
        settings=plug.settings,
        enrolled=enrolled,
        around=watched,
    )
    driver = found.with_settings(plug.settings)
    attached = ConnectedDevice(
        plug.name, driver, sheet, plug.port, reader.write, unit=lambda: reader.unit
    )
    attached.make = partial(found.with_settings, plug.settings)
    can = sheet.capabilities_with(plug.settings)
    # Without sequence numbers that are checked, a lost event stays undetected.
    attached.numbered = Capability.NUMBERS_EVENTS in can
    attached.takes = sheet.commands if Capability.TAKES_COMMANDS in can else ()
    attached.reads_cards = Capability.READS_CARDS in can
    return attached, reader


def _without_a_wire(plug: Plug, found: registry.RegisteredDriver) -> ConnectedDevice:
    if plug.port:
        raise BadSetting(f"port = {plug.port!r}: {plug.driver} has no wire, so it has no port")
    driver = found.with_settings(plug.settings)
    attached = ConnectedDevice(plug.name, driver, found.sheet, "", _nowhere)
    attached.make = partial(found.with_settings, plug.settings)
    attached.reads_cards = False
    attached.link = "up"
    return attached


def _nowhere(data: bytes) -> None:
    raise LinkError(f"{len(data)} bytes have no wire to go by")

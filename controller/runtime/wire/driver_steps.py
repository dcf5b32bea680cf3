"""A driver at work: whatever it does wrong is its own failure, and never the end of the table.

A driver may be a maker's. It may raise, answer with something that is no `Step`, tell what is not
its device's to tell or what no record could hold, keep everybody waiting, or want to be woken
without end. Each ends in `DriverFailed`, which names the kind of error and nothing else: an error's
own text may spell a card.
"""

import math
from collections.abc import Callable
from typing import Final

import structlog

from controller.runtime import card_redaction
from controller.runtime.devices import ConnectedDevice
from controller.runtime.wire import translate
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from drivers.conformity import conforms
from drivers.contract import NOTHING, Step
from drivers.errors import UnsupportedCommand
from drivers.events import REPORTED_BY, Event

MAX_KIND: Final = 60
MAX_EVENTS: Final = 4096
"""As many as bytes come at once: nobody tells more than was heard."""
SLOW_S: Final = 5.0
"""No driver has anything to wait for: while one of them works nobody at the table is answered."""

log = structlog.get_logger()


class DriverFailed(Exception):
    """The kind of error, as a name that could stand in a program."""


class BrokeTheContract(Exception):
    """What a driver gave back is not what the contract states; for `DriverFailed`, as its kind."""


class TooSlow(Exception):
    """A driver kept everybody waiting; for `DriverFailed`, as its kind."""


def step_of(device: ConnectedDevice, call: Callable[[], Step], *, may_refuse: bool) -> Step:
    """What the driver wants done; raises `DriverFailed`, and `UnsupportedCommand` as it is where
    it was asked for something, so that it `may_refuse`."""
    # Each of these has its own `try`: a card waits for all of them, and a `with` takes longer.
    try:
        step = call()
        if step is not NOTHING:
            _must_be_a_step(device, step)
    except BaseException as error:  # a maker's code may raise anything
        if may_refuse and isinstance(error, UnsupportedCommand):
            raise
        raise _failed(device, error) from None
    return step


def deadline_of(device: ConnectedDevice) -> float | None:
    """When the driver wants to be woken; raises `DriverFailed`."""
    try:
        due = device.driver.deadline()
        if due is not None and not math.isfinite(due):
            raise BrokeTheContract
    except BaseException as error:  # noqa: BLE001
        raise _failed(device, error) from None
    return due


def must_move_on(device: ConnectedDevice, was_due: float, due: float | None) -> None:
    """It was woken: one that is due as before would be woken without end; raises `DriverFailed`."""
    if due is not None and due <= was_due:
        raise _failed(device, BrokeTheContract())


def slow_driver_error(device: ConnectedDevice) -> DriverFailed:
    """What it told is taken; it is heard no more until somebody has looked."""
    return _failed(device, TooSlow())


def device_message(device: ConnectedDevice, event: Event) -> Message[Payload] | None:
    """The message that the event is at the table, without a time; raises `DriverFailed`. Only what
    is as the contract declares it is kept next to the device, for screens."""
    try:
        if not conforms(event):
            raise BrokeTheContract
        payload = translate.to_payload(event, device)
        device.note(event)
    except BaseException as error:  # noqa: BLE001
        raise _failed(device, error) from None
    return (
        None
        if payload is None
        else Message(device.name, payload, frame=getattr(event, "frame", b""))
    )


def renew_driver(device: ConnectedDevice) -> None:
    """A new driver in the place of the one that failed; raises `DriverFailed`."""
    device.stopped, device.asked_to_lock = "", None
    if device.make is None:
        return
    try:
        device.driver = device.make()
    except BaseException as error:  # noqa: BLE001
        raise _failed(device, error) from None


def _failed(device: ConnectedDevice, error: BaseException) -> DriverFailed:
    device.stopped = kind = _kind(error)
    facts = {"device": device.name, "driver": device.sheet.name, "kind": kind}
    log.error("driver_failed", **facts, where=card_redaction.error_location(error))
    return DriverFailed(kind)


def _must_be_a_step(device: ConnectedDevice, step: object) -> None:
    if not isinstance(step, Step) or not isinstance(step.send, bytes):
        raise BrokeTheContract
    if not isinstance(step.events, tuple) or len(step.events) > MAX_EVENTS:
        raise BrokeTheContract
    may = REPORTED_BY[device.sheet.kind]
    for event in step.events:
        if type(event) not in may:
            raise BrokeTheContract


def _kind(error: BaseException) -> str:
    """Its class, where that is a name as people write one: a class can be called anything."""
    name = type(error).__name__
    known = name.isascii() and name.isidentifier() and len(name) <= MAX_KIND
    return name if known else "Error"

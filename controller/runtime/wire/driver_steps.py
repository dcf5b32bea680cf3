"""Calls into a driver, which turn every fault of the driver into `DriverFailed`.

A driver may be a maker's. It may raise, return something that is no `Step`, report what is not its
device's to report or what no record could hold, block, or ask to be woken without end. Each ends in
`DriverFailed`, which names the kind of error and nothing else: the text of an error may spell a
card. The table continues.
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
"""The size of one read: a driver cannot report more events than it received bytes."""
SLOW_S: Final = 5.0
"""The maximum duration of a call. A driver has nothing to wait for, and the table answers nothing
while a driver runs."""

log = structlog.get_logger()


class DriverFailed(Exception):
    """A driver failed; the text is the kind of error, as a valid identifier."""


class BrokeTheContract(Exception):
    """A driver returned something that the contract does not allow; a kind of `DriverFailed`."""


class TooSlow(Exception):
    """A driver exceeded its time limit; a kind of `DriverFailed`."""


def step_of(device: ConnectedDevice, call: Callable[[], Step], *, may_refuse: bool) -> Step:
    """Call the driver and return its step. Raises `DriverFailed`; with `may_refuse`, passes on
    `UnsupportedCommand`, the driver's refusal of a command."""
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
    """The time at which the driver wants to be woken; raises `DriverFailed`."""
    try:
        due = device.driver.deadline()
        if due is not None and not math.isfinite(due):
            raise BrokeTheContract
    except BaseException as error:  # noqa: BLE001
        raise _failed(device, error) from None
    return due


def must_move_on(device: ConnectedDevice, was_due: float, due: float | None) -> None:
    """Raise `DriverFailed` if the deadline is unchanged after the driver was woken, because it
    would be woken without end."""
    if due is not None and due <= was_due:
        raise _failed(device, BrokeTheContract())


def slow_driver_error(device: ConnectedDevice) -> DriverFailed:
    """The failure of a slow driver. Its last report is taken; it receives nothing more until a
    person has checked it."""
    return _failed(device, TooSlow())


def device_message(device: ConnectedDevice, event: Event) -> Message[Payload] | None:
    """The message of the event, without a time; raises `DriverFailed`. Only values that match the
    contract are stored with the device, for screens."""
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
    """Replace the failed driver by a new one; raises `DriverFailed`."""
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
    """The class name of the error, if it is an ordinary identifier: a class can have any name."""
    name = type(error).__name__
    known = name.isascii() and name.isidentifier() and len(name) <= MAX_KIND
    return name if known else "Error"

"""Calls of drivers and their ports; each returns its effects.

A driver that fails holds the table and receives nothing more until a person renews it: its state
after half a conversation is unknown.
"""

from collections.abc import Callable
from functools import partial

from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.runtime.devices import ConnectedDevice
from controller.runtime.effects import (
    AskDevice,
    DeviceEffect,
    Effect,
    HandleEvent,
    RenewDriver,
    SendBytes,
    StopSlowDriver,
    TakeStep,
)
from controller.runtime.wire import driver_steps, shoe_commands
from controller.runtime.wire.driver_steps import DriverFailed
from controller.table.commands.device_events import DriverFailedEvent, NoticeEvent
from controller.table.commands.message import Message
from drivers.contract import Step
from drivers.errors import LinkError, UnsupportedCommand


class DriverCalls:
    """The only place that calls drivers. Used by the loop's thread; any thread may read
    `at_work`."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.at_work = ""
        """The name of the driver that is running now."""

    def carry_out(self, effect: DeviceEffect) -> list[Effect]:
        match effect:
            case SendBytes(device, data):
                return send(device, data)
            case AskDevice():
                return self.ask(effect)
            case RenewDriver(device):
                return self.renew(device)
            case StopSlowDriver(device):
                return (
                    []
                    if device.stopped
                    else [failure_of(device, driver_steps.slow_driver_error(device))]
                )

    def call(
        self, device: ConnectedDevice, function: Callable[[], Step], *, may_refuse: bool = False
    ) -> list[Effect]:
        """The effects of the driver's step: its events, then its bytes."""
        if device.stopped:
            return []
        began, self.at_work = self._clock(), device.sheet.name
        try:
            step = driver_steps.step_of(device, function, may_refuse=may_refuse)
        except DriverFailed as failed:
            return [failure_of(device, failed)]
        finally:
            self.at_work = ""
        found: list[Effect] = [HandleEvent(device, event) for event in step.events]
        if step.send:
            found.append(SendBytes(device, step.send))
        if self._clock() - began > driver_steps.SLOW_S:
            found.append(StopSlowDriver(device))
        return found

    def greet(self, device: ConnectedDevice) -> list[Effect]:
        return self.call(device, partial(device.driver.hello, self._clock()))

    def ask(self, asked: AskDevice) -> list[Effect]:
        """Send the device a command. If it supports none of them, a notice asks people to do it
        there."""
        device = asked.device
        for command in asked.commands:
            function = partial(device.driver.ask, command, self._clock())
            try:
                return self.call(device, function, may_refuse=True)
            except UnsupportedCommand:
                by_hand = shoe_commands.AT_THE_SHOE.get(type(command))
        return [] if by_hand is None else [notice(device, sentence(by_hand))]

    def renew(self, device: ConnectedDevice) -> list[Effect]:
        """Replace a failed driver by a new one."""
        try:
            driver_steps.renew_driver(device)
        except DriverFailed as failed:
            return [failure_of(device, failed)]
        return self.greet(device) if device.link == "up" else []


def send(device: ConnectedDevice, data: bytes) -> list[Effect]:
    if device.stopped:
        return []
    try:
        device.write(data)
    except LinkError as error:
        sentence_ = sentence(Code.DEVICE_NOT_TOLD, device=device.name, says=str(error))
        return [notice(device, sentence_)]
    return []


def failure_of(device: ConnectedDevice, failed: DriverFailed) -> TakeStep:
    """The step that holds the table after a driver's failure."""
    device.counts["DriverFailed"] += 1
    event = DriverFailedEvent(driver=device.sheet.name, kind=str(failed))
    return TakeStep(Message(device.name, event))


def notice(device: ConnectedDevice, sentence_: Sentence) -> TakeStep:
    """The step of a notice of ours about a device."""
    device.counts["Notice"] += 1
    return TakeStep(Message(device.name, NoticeEvent(note=sentence_)), skips_repeats=True)

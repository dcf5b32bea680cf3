"""The effects of a step, as values that the loop executes from its queue, in order.

A step's records are durable before its effects exist. The effects of a step go to the end of the
queue, so the bytes that a driver wants sent for these events leave before the first of them is
shown.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from controller.engine.step import Answer
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import StaffRequest
from controller.runtime.wire import shoe_commands, translate
from controller.table.commands.day import StartShuffleCommand
from controller.table.commands.device_events import ErrorReportedEvent, LinkLostEvent, NoticeEvent
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.table.state import Table, has_failed_driver
from drivers.commands import DeviceCommand, StartShuffle
from drivers.error_meaning import ErrorMeaning
from drivers.events import Event


class TakeStep(NamedTuple):
    """Take one step of the table."""

    message: Message[Payload]
    request: StaffRequest | None = None
    """The request that the step answers."""
    skips_repeats: bool = False
    """A message that changes nothing is not recorded again."""


class HandleEvent(NamedTuple):
    """Take the step of a driver's event, if it has one."""

    device: ConnectedDevice
    event: Event


class SendBytes(NamedTuple):
    """Write a driver's bytes to its port: the events they acknowledge are durable."""

    device: ConnectedDevice
    data: bytes


class StopSlowDriver(NamedTuple):
    """Stop a driver that exceeded its time limit."""

    device: ConnectedDevice


class RenewDriver(NamedTuple):
    """Replace a failed driver by a new one."""

    device: ConnectedDevice


class AskDevice(NamedTuple):
    """Ask a device for the first of these commands that it supports."""

    device: ConnectedDevice
    commands: tuple[DeviceCommand, ...]


class LockShoe(NamedTuple):
    """Lock or unlock the shoe, as the table now requires."""

    shoe: ConnectedDevice


class ReleaseResults(NamedTuple):
    """Handle the results that were deferred while cards were face down."""


class PostSnapshot(NamedTuple):
    """Post a step's snapshot, and answer the request it was taken for."""

    at: float
    what: str
    answer: Answer
    request: StaffRequest | None = None


DeviceEffect: TypeAlias = SendBytes | AskDevice | RenewDriver | StopSlowDriver
Effect: TypeAlias = HandleEvent | TakeStep | PostSnapshot | LockShoe | ReleaseResults | DeviceEffect


class TakenStep(NamedTuple):
    """A step whose records are durable."""

    before: Table
    message: Message[Payload]
    answer: Answer
    request: StaffRequest | None


def effects_of(step: TakenStep, devices: Mapping[str, ConnectedDevice]) -> list[Effect]:
    """The effects of a step, in order."""
    message, answer = step.message, step.answer
    before, after, rules = step.before, answer.table, answer.rules
    found: list[Effect] = [PostSnapshot(message.at, message.type, answer, step.request)]
    shoe = devices.get(translate.SHOE)
    if before is not after:
        found += [
            RenewDriver(device)
            for device in devices.values()
            if has_failed_driver(before, device.name) and not has_failed_driver(after, device.name)
        ]
    if shoe is not None and rules.house.lock_while_betting:
        found.append(LockShoe(shoe))
    if shoe is not None and before is not after:
        found += _of_shoe(step, shoe)
    if answer.accepted and isinstance(message.payload, StartShuffleCommand):
        decks = message.payload.decks or rules.house.decks
        found.append(_start_shuffle(decks, devices.get(translate.SHUFFLER)))
    if any(device.held for device in devices.values()):
        found.append(ReleaseResults())
    return found


def _of_shoe(step: TakenStep, shoe: ConnectedDevice) -> list[Effect]:
    """The commands of the step to the shoe, or prompts for the dealer if the shoe takes no
    commands."""
    before, after, payload = step.before, step.answer.table, step.message.payload
    says_excess = isinstance(payload, ErrorReportedEvent) and payload.meaning is ErrorMeaning.EXCESS
    commands = shoe_commands.commands_after(
        before, after, step.answer.rules.excess, shoe.in_error(), says_excess=says_excess
    )
    found: list[Effect] = [AskDevice(shoe, (command,)) for command in commands]
    if before.devices.by_hand is not None and after.devices.by_hand is None and shoe.link != "up":
        found.append(TakeStep(Message(shoe.name, LinkLostEvent(says=shoe.link))))
    return found


def _start_shuffle(decks: int, shuffler: ConnectedDevice | None) -> Effect:
    """Start the shuffle; the machine verifies the cards meanwhile if it can do both."""
    if shuffler is None:
        note = NoticeEvent(note=sentence(Code.AT_SHUFFLER_START))
        return TakeStep(Message("system", note))
    commands = (StartShuffle("shuffle_verify", decks), StartShuffle("shuffle", decks))
    return AskDevice(shuffler, commands)

"""The inbox: one bounded queue into the table's loop, whoever speaks.

A device may wait for room, because its bytes lie safe in the reader and the operating system; a
person gets an answer at once, and that may be `Busy`. What people say has its own limit, so that a
storm of clicks leaves room for every card.

What is put in wakes the loop through a `SimpleQueue`, because a card waits for it: a `Condition`
makes a lock for each wait, and wakes the loop before whoever put it in has let go of the inbox. For
the same reason the lock is held by itself where nobody waits or is woken.
"""

from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Condition, Lock
from typing import Final, NamedTuple

from controller.runtime.client import Busy, Stopped
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.views.answers import StepAnswer
from drivers.io.reader import Brought

MAX_FROM_DEVICES: Final = 256
"""Reads that wait: with chunks of a few hundred bytes some minutes of any shoe's chatter."""
MAX_FROM_PEOPLE: Final = 64


class DeviceInput(NamedTuple):
    """What came from a port: bytes, or that the port itself opened or was lost."""

    device: str
    what: Brought
    at: float
    """Monotonic, when the reader had it."""

    def __repr__(self) -> str:
        return f"DeviceInput({self.device!r}, ...)"  # the bytes may spell a card


class StaffRequest(NamedTuple):
    """A person's words, and where their answer goes."""

    message: Message[Payload]
    answer: Future[StepAnswer]
    seen: int | None = None
    """The record whose views the speaker had in front of them."""


class Inbox:
    """Many put in, one takes out, in one order."""

    def __init__(
        self, devices_most: int = MAX_FROM_DEVICES, people_most: int = MAX_FROM_PEOPLE
    ) -> None:
        self._items: SimpleQueue[DeviceInput | StaffRequest | None] = SimpleQueue()
        """None is put in last of all, by `close`: the loop may be waiting."""
        self._counting = Lock()
        """Held to count what waits."""
        self._room = Condition(self._counting)
        """Told when there is room again, or never will be."""
        self._most = {DeviceInput: devices_most, StaffRequest: people_most}
        self._waiting: dict[type, int] = {DeviceInput: 0, StaffRequest: 0}
        self._closed: str | None = None

    def hear(self, item: DeviceInput, timeout: float | None = None) -> bool:
        """Wait for room; False when nothing was taken: there was none in time, or never will be."""
        with self._counting:
            if self._closed is not None and timeout is not None:
                self._room.wait(timeout)  # so that whoever tries again does not spin
            room = not self._full(DeviceInput)
            if not room:
                self._room.wait_for(lambda: self._closed or not self._full(DeviceInput), timeout)
                room = not self._full(DeviceInput)
            return room and self._closed is None and self._add(item)

    def ask(self, asked: StaffRequest) -> None:
        """Raises `Busy` or `Stopped` at once; then nothing was taken."""
        with self._room:
            if self._closed is not None:
                raise Stopped(self._closed)
            if self._full(StaffRequest):
                raise Busy("the table has more to answer than it can: ask again in a moment")
            self._add(asked)

    def take(self, timeout: float | None) -> DeviceInput | StaffRequest | None:
        """The next item; None when none came in time or the inbox is closed and empty."""
        try:
            item = self._items.get(timeout=timeout if self._closed is None else 0)
        except Empty:
            return None
        if item is None:
            return None
        with self._counting:
            if self._full(type(item)):
                self._room.notify_all()  # somebody may wait for the room this leaves
            self._waiting[type(item)] -= 1
        return item

    def close(self, why: str) -> None:
        """Nothing more comes in; what is in can still be taken. The first reason stays."""
        with self._room:
            if self._closed is None:
                self._closed = why
                self._items.put(None)
            self._room.notify_all()

    @property
    def closed(self) -> str | None:
        """Why nothing more comes in."""
        return self._closed

    def __len__(self) -> int:
        return sum(self._waiting.values())

    def _full(self, kind: type) -> bool:
        return self._waiting[kind] >= self._most[kind]

    def _add(self, item: DeviceInput | StaffRequest) -> bool:
        self._waiting[type(item)] += 1
        self._items.put(item)
        return True

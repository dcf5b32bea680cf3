"""The inbox: one bounded queue into the table's loop, for devices and people.

A device may wait for room, because its bytes are safe in the reader and the operating system. A
person gets an answer at once, which may be `Busy`. People's requests have their own limit, so that
a storm of clicks leaves room for every card.

`hear` and `ask` wake the loop through a `SimpleQueue`, because a card waits for it: a `Condition`
creates a lock for each wait, and wakes the loop before the producer has released the inbox. For the
same reason the bare lock is used where no thread waits or is woken.
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
"""The maximum number of waiting reads: with chunks of a few hundred bytes, some minutes of any
shoe's traffic."""
MAX_FROM_PEOPLE: Final = 64


class DeviceInput(NamedTuple):
    """Input from a port: bytes, or that the port was opened or lost."""

    device: str
    what: Brought
    at: float
    """The monotonic time at which the reader received it."""

    def __repr__(self) -> str:
        return f"DeviceInput({self.device!r}, ...)"  # the bytes may spell a card


class StaffRequest(NamedTuple):
    """A person's message, and the future of its answer."""

    message: Message[Payload]
    answer: Future[StepAnswer]
    seen: int | None = None
    """The record number of the views that the sender saw."""


class Inbox:
    """A queue with many producers and one consumer, in one order."""

    def __init__(
        self, devices_most: int = MAX_FROM_DEVICES, people_most: int = MAX_FROM_PEOPLE
    ) -> None:
        self._items: SimpleQueue[DeviceInput | StaffRequest | None] = SimpleQueue()
        """`close` puts None in last, to wake a waiting loop."""
        self._counting = Lock()
        """Held while waiting items are counted."""
        self._room = Condition(self._counting)
        """Notified when there is room again, or the inbox is closed."""
        self._most = {DeviceInput: devices_most, StaffRequest: people_most}
        self._waiting: dict[type, int] = {DeviceInput: 0, StaffRequest: 0}
        self._closed: str | None = None

    def hear(self, item: DeviceInput, timeout: float | None = None) -> bool:
        """Wait for room and put the item in. Returns False if it was not taken, because of the
        time-out or because the inbox is closed."""
        with self._counting:
            if self._closed is not None and timeout is not None:
                self._room.wait(timeout)  # so that a caller that tries again does not spin
            room = not self._full(DeviceInput)
            if not room:
                self._room.wait_for(lambda: self._closed or not self._full(DeviceInput), timeout)
                room = not self._full(DeviceInput)
            return room and self._closed is None and self._add(item)

    def ask(self, asked: StaffRequest) -> None:
        """Put the request in. Raises `Busy` or `Stopped` at once; then nothing was taken."""
        with self._room:
            if self._closed is not None:
                raise Stopped(self._closed)
            if self._full(StaffRequest):
                raise Busy("the table has more to answer than it can: ask again in a moment")
            self._add(asked)

    def take(self, timeout: float | None) -> DeviceInput | StaffRequest | None:
        """The next item; None after the time-out, or when the inbox is closed and empty."""
        try:
            item = self._items.get(timeout=timeout if self._closed is None else 0)
        except Empty:
            return None
        if item is None:
            return None
        with self._counting:
            if self._full(type(item)):
                self._room.notify_all()  # a producer may wait for the room this leaves
            self._waiting[type(item)] -= 1
        return item

    def close(self, why: str) -> None:
        """Accept no more items; those in the queue can still be taken. The first reason is kept."""
        with self._room:
            if self._closed is None:
                self._closed = why
                self._items.put(None)
            self._room.notify_all()

    @property
    def closed(self) -> str | None:
        """The reason for the closing; None while the inbox is open."""
        return self._closed

    def __len__(self) -> int:
        return sum(self._waiting.values())

    def _full(self, kind: type) -> bool:
        return self._waiting[kind] >= self._most[kind]

    def _add(self, item: DeviceInput | StaffRequest) -> bool:
        self._waiting[type(item)] += 1
        self._items.put(item)
        return True

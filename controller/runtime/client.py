"""The client of a table: people's commands enter here and are answered when durable.

The terminal, the JSON lines and the web all use this interface and read the snapshots.
"""

from concurrent.futures import Future
from typing import Protocol

from controller.runtime.snapshots import SnapshotLog
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.views.answers import StepAnswer
from controller.views.structs.devices import DeviceView


class Busy(Exception):
    """The table is overloaded: nothing was taken, try again."""


class MovedOn(Exception):
    """The table has changed since the sender saw it: nothing was taken, look again."""


class Stopped(Exception):
    """The table takes no more steps, and why: it was stopped, or its journal failed. After the next
    start the journal shows whether the step under way was recorded."""


class TableClient(Protocol):
    """One running table, as seen from outside its loop."""

    @property
    def snapshots(self) -> SnapshotLog: ...

    def ask(self, message: Message[Payload], seen: int | None = None) -> Future[StepAnswer]:
        """Submit one message; the answer is the result of its step. Raises `Busy` when the inbox is
        full and `Stopped` when the table is stopped. A table that stops meanwhile answers with
        `Stopped` too.

        With `seen`, the loop calls `snapshots.has_moved_on(seen)` just before it takes the step; if
        that is true, the future gets `MovedOn` and no step is taken.
        """

    def devices(self) -> list[DeviceView]:
        """Each device for people: name, driver, port, link state, counts of its events."""

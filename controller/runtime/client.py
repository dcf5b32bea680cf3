"""Where people's words are handed in: the table answers when its step is on disk, not before.

The terminal, the JSON lines and the web all ask through this one door and read the snapshots.
"""

from concurrent.futures import Future
from typing import Protocol

from controller.runtime.snapshots import SnapshotLog
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.views.answers import StepAnswer
from controller.views.structs.devices import DeviceView


class Busy(Exception):
    """The table has more to do than it can: nothing was taken, ask again."""


class MovedOn(Exception):
    """The table is no longer as the speaker saw it: nothing was taken, look again."""


class Stopped(Exception):
    """The table takes no more steps, and why: it was ended, or its journal failed. Whether the
    step that was under way is in the journal shows when the table is started again."""


class TableClient(Protocol):
    """One running table as everybody outside its loop sees it."""

    @property
    def snapshots(self) -> SnapshotLog: ...

    def ask(self, message: Message[Payload], seen: int | None = None) -> Future[StepAnswer]:
        """Hand in one message; the answer is what its step led to. Raises `Busy`
        when the inbox is full and `Stopped` when the table is;
        a table that stops while it is asked answers with `Stopped` too.

        With `seen`, the loop asks `snapshots.moved_on(seen)` just before it takes the step; if so,
        the future gets `MovedOn` and no step is taken."""

    def devices(self) -> list[DeviceView]:
        """Each device for people: name, driver, port, state of the link, counts of what it said."""

"""Snapshots of the table, posted by the table's loop and read by any thread.

After every step the loop posts one `Snapshot` with a finished view for each audience; readers get
immutable values and never touch the table. The latest are kept, so that a page that lost its
connection gets what it missed. Everything posted is in the journal already.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from threading import Lock
from typing import Final

from controller.views.answers import StepAnswer
from controller.views.structs.audience_views import AudienceViews

KEPT: Final = 256
"""A few rounds: a page that was away for longer starts from a snapshot. The number is small because
a snapshot has a row for every wager, and a studio's round has ten thousand."""

AUDIENCES: Final = ("dealer", "pit", "public", "surveillance")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after one step, for every audience."""

    seq: int
    """The number of the step's record in the journal, which defines the order."""
    at: float
    """When the step happened, in seconds since 1970."""
    what: str
    """The command or event: card, open_betting, approve ..."""
    views: AudienceViews
    answer: StepAnswer
    """The result of the step, for the client that sent it."""
    asked: bool = False
    """A person requested the step; otherwise a device or the table itself caused it."""


_acted_on: Final = attrgetter("state", "round", "prompt", "asks", "offers", "case", "request")
"""The parts of the dealer's view that people act on. A request is compared with all its fields,
because its text does not contain all of them."""


class SnapshotLog:
    """The latest snapshots of a table. One writer, many readers. `wake` functions must return at
    once and may not raise."""

    def __init__(self) -> None:
        self._posted: deque[Snapshot] = deque(maxlen=KEPT)
        self._first = 0
        """The number of the first snapshot that was posted, kept or not."""
        self._acted_on: object = None
        self._since = 0
        """The record since which the parts that people act on are unchanged; wagers do not
        count."""
        self._wakes: set[Callable[[], None]] = set()
        self._stopped: str | None = None
        self._lock = Lock()

    def post(self, posted: Snapshot) -> None:
        with self._lock:
            assert not self._posted or posted.seq > self._posted[-1].seq, "steps are in order"
            if not self._posted:
                self._first = posted.seq
            self._posted.append(posted)
            acted_on = _acted_on(posted.views.dealer)
            if self._acted_on != acted_on:
                self._acted_on, self._since = acted_on, posted.seq
            wakes = tuple(self._wakes)
        for wake in wakes:
            wake()

    def stop(self, why: str) -> None:
        """Record that no more steps are taken; the first reason is kept."""
        with self._lock:
            self._stopped = self._stopped or why
            wakes = tuple(self._wakes)
        for wake in wakes:
            wake()

    @property
    def stop_reason(self) -> str | None:
        """The reason why no more steps are taken; None while the table runs."""
        with self._lock:
            return self._stopped

    @property
    def latest(self) -> Snapshot | None:
        with self._lock:
            return self._posted[-1] if self._posted else None

    def after(self, seq: int | None) -> list[Snapshot] | None:
        """The snapshots after record `seq`, or all since the first with None. Returns None if some
        of them are no longer kept."""
        with self._lock:
            if not self._posted:
                return []
            if seq is None:
                seq = self._first - 1
            if seq < self._posted[0].seq - 1:
                return None
            news = list(takewhile(lambda posted: posted.seq > seq, reversed(self._posted)))
            return news[::-1]

    def has_moved_on(self, seen: int) -> bool:
        """Whether what a person acts on has changed since record `seen`. Changed wagers and notices
        do not count, because they do not change the meaning of a command. A state that changed and
        returned counts as changed: the command was meant for a phase that is over. So does a record
        number that does not exist yet."""
        with self._lock:
            last = self._posted[-1].seq if self._posted else seen
            return not self._since <= seen <= last

    def has_changed(self, seen: int, parts: Sequence[str]) -> bool:
        """Whether these parts of the pit's view differ from record `seen`, for a command that
        depends on them alone. A record that is no longer kept counts as changed."""
        with self._lock:
            posted = list(self._posted)
        then = next((each for each in reversed(posted) if each.seq <= seen), None)
        if then is None or seen > posted[-1].seq:
            return True
        before, now = then.views.pit, posted[-1].views.pit
        return any(getattr(before, part) != getattr(now, part) for part in parts)

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every post, from the table's thread; returns a function that stops
        that."""
        with self._lock:
            self._wakes.add(wake)

        def stop() -> None:
            with self._lock:
                self._wakes.discard(wake)

        return stop

"""Journal notes about rejected orders: a few of each outcome, the rest counted.

A flood must neither fill the disk nor hide other events, so each outcome has its own allowance:
many forged orders, or stale clicks, do not prevent the note of a replayed one. Orders without a
note are counted, and the count is kept until the journal has it.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import structlog

from controller.protocol.orders import NOT_TAKEN, UNWRITTEN, OrderOutcome
from controller.runtime.client import Busy, Stopped, TableClient
from controller.table.commands.device_events import NotedEvent
from controller.table.commands.message import FLOOR, Message
from controller.table.commands.registry import Payload
from controller.views.answers import StepAnswer

NOTES_AT_ONCE: Final = 5
"""Maximum number of notes of one outcome."""
NOTE_EVERY_S: Final = 120.0
"""Time after which one more note of that outcome is allowed."""
QUIET_S: Final = 60.0
"""Quiet time after which the number of the others is recorded."""
COUNT_EVERY_S: Final = 600.0
"""The longest interval between two such records if it never gets quiet."""
WRITTEN_S: Final = 5.0
"""Time-out of recording the number; after it the number is recorded again rather than lost."""

log = structlog.get_logger()


@dataclass
class _Allowance:
    """The remaining notes of one outcome."""

    at: float
    left: float = NOTES_AT_ONCE

    def takes_one(self, now: float) -> bool:
        regained = (now - self.at) / NOTE_EVERY_S
        self.left, self.at = min(float(NOTES_AT_ONCE), self.left + regained), now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Notes:
    """Used from the uplink's loop alone."""

    def __init__(
        self, client: TableClient, wall: Callable[[], float], steady: Callable[[], float]
    ) -> None:
        self._client = client
        self._wall = wall
        self._steady = steady
        self._allowed: dict[OrderOutcome, _Allowance] = {}
        self._unwritten = 0
        self._first = 0.0
        self._last = 0.0

    def note(self, outcome: OrderOutcome, who: str) -> None:
        now = self._steady()
        allowed = self._allowed.setdefault(outcome, _Allowance(now))
        answer = NotedEvent(what=NOT_TAKEN, who=who, says=outcome.value)
        if allowed.takes_one(now) and self._asked(answer) is not None:
            return
        if not self._unwritten:
            self._first = now
        self._unwritten += 1
        self._last = now

    def is_due(self) -> bool:
        """Whether the number of orders without a note is due."""
        now = self._steady()
        over = now - self._last >= QUIET_S or now - self._first >= COUNT_EVERY_S
        return self._unwritten > 0 and over

    async def tell_unwritten(self) -> None:
        """Record how many orders had no note; a number that could not be recorded is kept."""
        number = self._unwritten
        if not number:
            return
        self._first = self._last = self._steady()  # retry later if the table refuses it
        asked = self._asked(NotedEvent(what=UNWRITTEN, who=FLOOR, says=str(number)))
        if asked is None:
            return
        try:
            async with asyncio.timeout(WRITTEN_S):
                await asyncio.wrap_future(asked)
        except (Stopped, TimeoutError) as error:
            log.warning("not_noted", what=UNWRITTEN, why=str(error))
            return
        self._unwritten -= number  # more may have come meanwhile

    def _asked(self, answer: NotedEvent) -> Future[StepAnswer] | None:
        """Ask the table to record it; `None` if the table refuses now."""
        try:
            return self._client.ask(Message[Payload]("system", answer, at=self._wall()))
        except (Busy, Stopped) as error:
            log.warning("not_noted", what=answer.what, why=str(error))
            return None

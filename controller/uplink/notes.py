"""What a table writes down of orders that it did not take: a few of each outcome, the rest counted.

A flood must neither fill the disk nor hide anything else, so each outcome has notes of its own:
many forged orders, or somebody's stale clicks, are in no replayed one's way. What is not written
down one by one is counted, and the count is kept until the journal has it.
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
"""Of one outcome."""
NOTE_EVERY_S: Final = 120.0
"""And one more of it after so long."""
QUIET_S: Final = 60.0
"""When no more has come for so long, the others are told as a number."""
COUNT_EVERY_S: Final = 600.0
"""Where it never gets quiet, so often."""
WRITTEN_S: Final = 5.0
"""What a table may take to write the number down; it is told again rather than not at all."""

log = structlog.get_logger()


@dataclass
class _Allowance:
    """How many notes of one outcome may still be written."""

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
        """Whether it is time to tell how many were not written down."""
        now = self._steady()
        over = now - self._last >= QUIET_S or now - self._first >= COUNT_EVERY_S
        return self._unwritten > 0 and over

    async def tell_unwritten(self) -> None:
        """How many were not written down; a number that did not get into the journal is kept."""
        number = self._unwritten
        if not number:
            return
        self._first = self._last = self._steady()  # a table that does not take it has some time
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
        """`None` where the table does not take it now."""
        try:
            return self._client.ask(Message[Payload]("system", answer, at=self._wall()))
        except (Busy, Stopped) as error:
            log.warning("not_noted", what=answer.what, why=str(error))
            return None

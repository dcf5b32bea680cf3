"""Gathers batches from all fronts into one commit after the other. One task writes.

During a commit the next batches gather: under load commits grow, and no table waits longer than two
of them. If the database is unavailable, every batch is answered with "try later" and dropped: the
tables still have the records.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from controller.floor.sink.instances import Instances
from controller.floor.sink.writer import StoreAway, Writer, refusal
from controller.journal.keys.signing import Signer
from controller.protocol.names import TableName
from controller.protocol.records import Batch, Refusal, Watermark

log = structlog.get_logger()

RECORDS_A_COMMIT: Final = 16_384
MAX_WAITING: Final = 20_000
"""Limit of waiting batches. A table has one in flight, so more cannot come from tables."""
AWAY_S: Final = 0.5
"""Delay before retrying an unavailable database."""

Answer = Callable[[Watermark], None]


@dataclass(frozen=True)
class _Waiting:
    batch: Batch
    answer: Answer


class Collector:
    """Takes batches by `offer`; `run` writes them until it is cancelled."""

    def __init__(
        self, writer: Writer, signer: Signer, clock: Callable[[], float], instances: Instances
    ) -> None:
        self._writer = writer
        self._signer = signer
        self._clock = clock
        self._instances = instances
        self._waiting: deque[_Waiting] = deque()
        self._came = asyncio.Event()
        self._cloned: set[TableName] = set()
        self.on_commit: Callable[[], None] = lambda: None
        self.away: str | None = None
        """Why the last access to the database failed; None: it succeeded."""

    def offer(self, batch: Batch, answer: Answer) -> None:
        """Queues a batch; calls `answer` once when it is committed or refused."""
        name = batch.name
        if self._instances.hear(name, batch.instance, self._clock()):
            self._cloned.add(name)
            self._came.set()
            answer(refusal(self._signer, name, Refusal.CLONED))
        elif len(self._waiting) >= MAX_WAITING:
            answer(refusal(self._signer, name, Refusal.TRY_LATER))
        else:
            self._waiting.append(_Waiting(batch, answer))
            self._came.set()

    async def run(self) -> None:
        while True:
            await self._came.wait()
            self._came.clear()
            while self._waiting or self._cloned:
                await self._commit(self._next())

    def _next(self) -> list[_Waiting]:
        """The batches of the next commit: at most one of each table."""
        taken: list[_Waiting] = []
        later: list[_Waiting] = []
        names: set[TableName] = set()
        records = 0
        while self._waiting and records < RECORDS_A_COMMIT:
            each = self._waiting.popleft()
            if each.batch.name in names:
                later.append(each)
                continue
            names.add(each.batch.name)
            records += len(each.batch.records)
            taken.append(each)
        self._waiting.extendleft(reversed(later))
        return taken

    async def _commit(self, taken: list[_Waiting]) -> None:
        cloned, self._cloned = self._cloned, set()
        try:
            marks = await asyncio.to_thread(self._write, [each.batch for each in taken], cloned)
        except StoreAway as away:
            if self.away is None:
                log.error("database_away", why=str(away))
            self.away = str(away)
            marks = [refusal(self._signer, e.batch.name, Refusal.TRY_LATER) for e in taken]
            await asyncio.sleep(AWAY_S)
        else:
            if self.away is not None:
                log.info("database_back")
            self.away = None
            self.on_commit()
        for each, mark in zip(taken, marks, strict=True):
            each.answer(mark)

    def _write(self, batches: list[Batch], cloned: set[TableName]) -> list[Watermark]:
        if cloned:
            self._writer.note_cloned(cloned)
        return self._writer.write(batches) if batches else []

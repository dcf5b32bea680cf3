"""One simulated table: it waits until a record is due, sends it, and continues from the answer."""

import asyncio
import math
import time
from bisect import bisect
from dataclasses import dataclass, field
from typing import Protocol

from simulators.floor import envelope
from simulators.floor.envelope import Answer, Identity
from simulators.floor.journals import Journal

ANSWER_S = 5.0
PAUSE_S = 0.25
BEAT_S = 2.0


class NoAnswer(Exception):
    """No answer arrived, so the delivery is unknown."""


class Wire(Protocol):
    async def ask(self, subject: str, data: bytes, timeout_s: float) -> bytes: ...
    async def tell(self, subject: str, data: bytes) -> None: ...


@dataclass
class Tally:
    """The results: seconds from a record's due time to the floor's confirmation."""

    latencies: list[float] = field(default_factory=list)
    sent: int = 0
    batches: int = 0
    silent: int = 0
    went_back: int = 0
    diverged: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        self.latencies += other.latencies
        for name in ("sent", "batches", "silent", "went_back", "diverged"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for why, times in other.refused.items():
            self.refused[why] = self.refused.get(why, 0) + times


@dataclass
class SimulatedTable:
    """`due` has each record's due time in seconds after the start, negative for older records;
    None: all are due at once."""

    who: Identity
    journal: Journal
    due: list[float] | None
    views: bool = False
    tally: Tally = field(default_factory=Tally)
    at: int = 0
    """The last record that the floor has."""
    epoch: int = 0

    async def come_in(self, wire: Wire) -> None:
        """Send the records from before the start; they are not measured."""
        earlier = bisect(self.due or (), 0.0)
        if earlier:
            await self._hello(wire, math.inf)
        while self.at < earlier:
            await self._send(wire, time.monotonic(), earlier)
        self.tally = Tally()

    async def play(self, wire: Wire, start: float, until: float) -> None:
        """Play until the floor has the whole journal, or time is up."""
        telling = asyncio.create_task(self._beats(wire))
        try:
            await self._hello(wire, until)
            last = len(self.journal.records)
            while self.at < last and time.monotonic() < until:
                there = self._there(start)
                if there > self.at:
                    await self._send(wire, start, there)
                else:
                    await self._wait(start, until)
        finally:
            telling.cancel()

    async def _hello(self, wire: Wire, until: float) -> None:
        while time.monotonic() < until:
            asks = envelope.batch(self.who, self.journal, 0, self.at, self.at, old=False)
            answer = await self._asked(wire, asks)
            if answer is not None and answer.verdict == "committed":
                self.epoch, self.at = answer.epoch, answer.seq
                return
            await asyncio.sleep(PAUSE_S)

    def _there(self, start: float) -> int:
        """Return how many records are due by now."""
        if self.due is None:
            return len(self.journal.records)
        now, there = time.monotonic() - start, self.at
        while there < len(self.due) and self.due[there] <= now:
            there += 1
        return there

    async def _wait(self, start: float, until: float) -> None:
        assert self.due is not None
        due = start + self.due[self.at]
        await asyncio.sleep(max(0.0, min(due, until) - time.monotonic()))

    async def _send(self, wire: Wire, start: float, there: int) -> None:
        last = envelope.most(self.journal, self.at, there)
        old = self.due is None
        data = envelope.batch(self.who, self.journal, self.epoch, self.at, last, old)
        before = self.at
        answer = await self._asked(wire, data)
        if answer is None:
            await asyncio.sleep(PAUSE_S)
            return
        self._heard(answer, before, start)
        if answer.verdict != "committed":
            await asyncio.sleep(PAUSE_S)
        elif self.views:
            record = self.journal.records[last - 1]
            await wire.tell(f"{self._subject}.live", envelope.live(self.who, record, time.time()))

    def _heard(self, answer: Answer, before: int, start: float) -> None:
        tally, now = self.tally, time.monotonic()
        if answer.verdict == "diverged":
            tally.diverged += 1
        elif answer.verdict == "refused":
            why = str(answer.why)
            tally.refused[why] = tally.refused.get(why, 0) + 1
        else:
            if self.due is not None:
                tally.latencies += [now - start - at for at in self.due[before : answer.seq]]
            tally.sent += max(0, answer.seq - before)
            tally.went_back += answer.seq < before
            self.at, self.epoch = answer.seq, answer.epoch

    async def _asked(self, wire: Wire, data: bytes) -> Answer | None:
        self.tally.batches += 1
        try:
            return envelope.answered(await wire.ask(f"{self._subject}.rec", data, ANSWER_S))
        except NoAnswer:
            self.tally.silent += 1
            return None

    async def _beats(self, wire: Wire) -> None:
        while True:
            unsent = len(self.journal.records) - self.at
            await wire.tell(
                f"{self._subject}.beat", envelope.beat(self.who, self.at, unsent, time.time())
            )
            await asyncio.sleep(BEAT_S)

    @property
    def _subject(self) -> str:
        return f"tbl.{self.who.site}.{self.who.table}"

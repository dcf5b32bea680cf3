"""Decides what to send to the floor next, from its last answer. No I/O, no clock, no disk.

The outbox stores nothing: the last signed answer is its cursor. It asks first for the floor's
position (an empty batch of no epoch), sends what follows, one batch at a time, and continues from
every answer. Without an answer the same batch is sent again.

An answer that does not fit the journal is not a cursor: the floor has records that the table lacks,
or others in their place. Then the outbox has *diverged*. From then on it only asks, until the floor
begins another epoch.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from controller.journal.records import EMPTY, Head, Record
from controller.protocol.names import TableName
from controller.protocol.records import (
    MAX_RECORDS,
    Batch,
    BatchVerdict,
    Refusal,
    Watermark,
    cut,
    sent,
)


class DurableRecords(Protocol):
    """The journal's durable records."""

    def head(self) -> Head: ...
    def digest_at(self, seq: int) -> bytes | None:
        """Zeros before record 1; `None` if there is no such record."""

    def after(self, head: Head, upto: int, most: int = MAX_RECORDS) -> list[Record]: ...


class OutboxState(Enum):
    ASKING = "asking"
    """The floor's position is unknown."""
    SENDING = "sending"
    DIVERGED = "diverged"
    """The floor has another history."""
    REFUSED = "refused"
    """The floor refuses this table's records: see `why`."""


class Heard(Enum):
    """The classification of an answer."""

    TAKEN = "taken"
    """It contains the floor's position, and the journal agrees."""
    DIVERGED = "diverged"
    REFUSED = "refused"
    NOT_SIGNED = "not_signed"
    """Not signed by the known floor, or about another table: it is ignored."""


@dataclass(frozen=True)
class Speaker:
    """The sender's identity and the floor's key."""

    name: TableName
    instance: str
    """Random at each start."""
    key: bytes
    """The public half of the key that signs the journal."""
    floor_key: bytes
    """The public half of the key that signs the floor's answers."""


@dataclass
class Outbox:
    """One table's queue to its floor: `next_batch`, then `replied` or `timed_out`, and again."""

    speaker: Speaker
    records: DurableRecords
    state: OutboxState = OutboxState.ASKING
    acknowledged: Head = EMPTY
    """How far the floor has the journal, by its last signed answer."""
    mark: Watermark | None = None
    """That answer; `None` before the first."""
    why: Refusal | None = None
    epoch: int = 0
    ignored: int = 0
    """Number of answers without the floor's valid signature."""
    sent_again: int = 0
    _in_flight: Batch | None = field(default=None, repr=False)
    _old: int = 0
    """Records up to this one are history: they existed before the floor first reported its
    position."""

    @property
    def unsent(self) -> int:
        """Number of durable records that the floor has not acknowledged."""
        return max(0, self.records.head().seq - self.acknowledged.seq)

    def next_batch(self) -> Batch | None:
        """The next batch: the same as before until it is answered; `None` while the floor has
        everything."""
        if self._in_flight is None:
            self._in_flight = self._following() if self._sends else self._question()
        return self._in_flight

    def timed_out(self) -> None:
        """Handle a missing answer: the same batch, or the same question, is sent again."""
        self.sent_again += 1
        if not self._sends:
            self._in_flight = None

    def ask_again(self) -> None:
        """Ask for the floor's position: the link is new, or much time has passed."""
        self.state, self.why = OutboxState.ASKING, None
        self._in_flight = None

    def make_sure(self) -> None:
        """Ask for the floor's position although nothing is new. The floor may have been restored
        from a backup, and a table without new records would not notice."""
        if self._sends and self._in_flight is None:
            self._in_flight = self._question()

    def replied(self, mark: Watermark) -> Heard:
        """Process the floor's answer."""
        if not self._is_for_us(mark):
            self.ignored += 1
            return Heard.NOT_SIGNED
        self._in_flight = None
        if mark.verdict is BatchVerdict.REFUSED:
            self.state, self.why = OutboxState.REFUSED, mark.why
            return Heard.REFUSED
        self.mark = mark
        if mark.verdict is BatchVerdict.DIVERGED or self.records.digest_at(mark.seq) != mark.digest:
            self.state = OutboxState.DIVERGED
            return Heard.DIVERGED
        self._go_on_from(mark)
        return Heard.TAKEN

    @property
    def _sends(self) -> bool:
        return self.state is OutboxState.SENDING

    def _is_for_us(self, mark: Watermark) -> bool:
        named = TableName(mark.site, mark.table)
        return named == self.speaker.name and mark.is_by(self.speaker.floor_key)

    def _go_on_from(self, mark: Watermark) -> None:
        """Continue from the floor's position. A position before an acknowledged one means that the
        floor was restored: all of that is sent again, as history."""
        went_back = mark.seq < self.acknowledged.seq or mark.epoch != self.epoch
        if went_back or not self._sends:
            self._old = self.records.head().seq
        self.state, self.why = OutboxState.SENDING, None
        self.epoch, self.acknowledged = mark.epoch, mark.head

    def _question(self) -> Batch:
        head = self.records.head()
        return self._batch(0, head, [])

    def _following(self) -> Batch | None:
        start = self.acknowledged
        upto = self._old if start.seq < self._old else _NO_END
        found = self.records.after(start, upto)
        if not found:
            return None
        return self._batch(self.epoch, start, found[: cut(found)])

    def _batch(self, epoch: int, before: Head, records: list[Record]) -> Batch:
        name = self.speaker.name
        return Batch(
            name.site,
            name.table,
            epoch,
            self.speaker.instance,
            self.speaker.key,
            before.seq,
            before.digest,
            [sent(each) for each in records],
            replayed=bool(records) and records[0].seq <= self._old,
        )


_NO_END: Final = 1 << 62

"""A floor in twenty lines, for the outbox to be right against: it loses, restores and answers."""

from dataclasses import dataclass, field

from controller.journal.keys.signing import Signer
from controller.journal.records import EMPTY, Entry, Head, Record, chain_entry
from controller.protocol.names import TableName
from controller.protocol.records import Batch, BatchVerdict, SentRecord, Watermark, watermark

NAME = TableName("bay", "t1")
FLOOR = Signer(b"f" * 32)
STRANGER = Signer(b"x" * 32)


@dataclass
class Shelf:
    """A journal in memory as the outbox reads it."""

    rows: list[Record] = field(default_factory=list)

    def add(self, body: bytes = b"{}", sealed: bytes | None = None) -> None:
        entry = Entry("step", 1, float(len(self.rows)), 1, 1, body, sealed)
        self.rows.append(chain_entry(self.head(), entry))

    def head(self) -> Head:
        return Head(self.rows[-1].seq, self.rows[-1].digest) if self.rows else EMPTY

    def digest_at(self, seq: int) -> bytes | None:
        if seq == 0:
            return EMPTY.digest
        return self.rows[seq - 1].digest if seq <= len(self.rows) else None

    def after(self, head: Head, upto: int, most: int = 256) -> list[Record]:
        return self.rows[head.seq : min(upto, head.seq + most)]


@dataclass
class ModelFloor:
    """Takes what follows what it has; says what it has."""

    epoch: int = 1
    rows: list[SentRecord] = field(default_factory=list)
    diverged: bool = False

    def head(self) -> Head:
        return Head(self.rows[-1].seq, self.rows[-1].digest) if self.rows else EMPTY

    def judge(self, batch: Batch) -> Watermark:
        if batch.epoch not in (0, self.epoch):
            return self.says(BatchVerdict.COMMITTED)
        for each in batch.records:
            if each.seq <= len(self.rows):
                self.diverged |= self.rows[each.seq - 1].digest != each.digest
            elif each.seq == len(self.rows) + 1 and self._fits(batch, each):
                self.rows.append(each)
        return self.says(BatchVerdict.DIVERGED if self.diverged else BatchVerdict.COMMITTED)

    def says(self, verdict: BatchVerdict) -> Watermark:
        return watermark(FLOOR, NAME, self.epoch, self.head(), verdict)

    def _fits(self, batch: Batch, record: SentRecord) -> bool:
        return record.seq != batch.after + 1 or batch.prev == self.head().digest

"""Tables as a floor sees them: journals in memory, and a sender that does as the protocol asks."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.journal.keys.record import first_entry, hand_over_entry, keys_entry
from controller.journal.keys.signing import Signer
from controller.journal.records import (
    EMPTY,
    RECORD_FORMAT,
    Entry,
    Head,
    Record,
    canonical,
    chain_entry,
)
from controller.protocol.names import TableName
from controller.protocol.records import MAX_RECORDS, Batch, BatchVerdict, Watermark, sent

AT = 1_794_000_000.0
"""In November 2026."""
FLOOR_SIGNER = Signer(bytes(31) + b"\x01")


def signer_of(name: str) -> Signer:
    return Signer(hashlib.sha256(name.encode()).digest())


class MadeJournal:
    """A chain of records that a table could have written, its keys named first."""

    def __init__(self, name: str, at: float = AT) -> None:
        self.signer = signer_of(name)
        self.records: list[Record] = []
        self.at = at
        body = first_entry(self.signer, "sealing")
        self.append(keys_entry(body, None, at))

    @property
    def head(self) -> Head:
        last = self.records[-1] if self.records else None
        return EMPTY if last is None else Head(last.seq, last.digest)

    def append(self, entry: Entry) -> Record:
        self.records.append(chain_entry(self.head, entry))
        return self.records[-1]

    def grow(self, count: int, says: str = "") -> None:
        for _ in range(count):
            self.at += 0.5
            number = len(self.records)
            body = canonical({"in": {"do": "noted", "says": f"{says}{number}"}, "accepted": True})
            sealed = b"sealed card %d" % number if number % 7 == 3 else None
            self.append(Entry("noted", RECORD_FORMAT, self.at, 1, number // 6, body, sealed))

    def rotate(self, name: str) -> None:
        """Hand the journal on to another key."""
        new = signer_of(name)
        body = hand_over_entry(self.signer, new, "sealing", self.head, ("ann", "ben"))
        self.append(keys_entry(body, self.records[-1], self.at))
        self.signer = new

    def cut(self, seq: int) -> "MadeJournal":
        """The same journal as it was at an earlier record: an old disk."""
        old = MadeJournal.__new__(MadeJournal)
        old.signer, old.at = self.signer, self.at
        old.records = self.records[:seq]
        return old


@dataclass
class Sender:
    """The table's side in its least form: asks, sends what follows, and goes by the answers."""

    name: TableName
    journal: MadeJournal
    instance: str = "one"
    epoch: int = 0
    acknowledged: Head | None = None
    """None: the floor has not said yet where it stands."""
    verdicts: list[Watermark] = field(default_factory=list)
    held: bool = False
    floor: bytes = FLOOR_SIGNER.public
    """Whose signature counts."""
    most: int = MAX_RECORDS

    @property
    def is_done(self) -> bool:
        """The floor has acknowledged all there is."""
        return self.acknowledged == self.journal.head

    def next_batch(self) -> Batch | None:
        """None where there is nothing to send, or the table holds."""
        if self.held:
            return None
        if self.acknowledged is None:
            return self.batch(self.journal.head.seq, 0)
        if self.acknowledged.seq >= len(self.journal.records):
            return None
        return self.batch(self.acknowledged.seq, self.most)

    def batch(self, after: int, count: int) -> Batch:
        records = self.journal.records
        before = records[after - 1].digest if after else EMPTY.digest
        return Batch(
            self.name.site,
            self.name.table,
            self.epoch,
            self.instance,
            self.journal.signer.public,
            after,
            before,
            [sent(each) for each in records[after : after + count]],
            replayed=after + count < len(records),
        )

    def heard(self, mark: Watermark) -> None:
        assert mark.is_by(self.floor)
        self.verdicts.append(mark)
        if mark.verdict is BatchVerdict.DIVERGED:
            self.held = True
        elif mark.verdict is BatchVerdict.COMMITTED:
            self.epoch, self.acknowledged = mark.epoch, mark.head

    def lost(self) -> None:
        """No answer: the same again, after asking where the floor stands."""
        self.acknowledged = None

    def send_all(self, write: Callable[[list[Batch]], list[Watermark]]) -> None:
        while (batch := self.next_batch()) is not None:
            self.heard(write([batch])[0])
            if self.verdicts[-1].verdict is BatchVerdict.REFUSED:
                return

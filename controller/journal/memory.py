"""A journal in memory with the interface of the one on disk, for tests and benchmarks."""

from collections.abc import Iterator

from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.loss import Loss
from controller.journal.records import CHECKPOINT, EMPTY, Entry, Head, Record, chain_entry


class MemoryJournal:
    def __init__(self) -> None:
        self._records: list[Record] = []
        self.head = EMPTY
        self._start = 1
        self._refuses: str | None = None
        self.kept: Head | None = None
        """The head when a round last ended."""
        self.loss: Loss | None = None

    def append(self, *entries: Entry) -> list[Record]:
        if self._refuses is not None:
            raise JournalUnwritable(self._refuses)
        records: list[Record] = []
        head = self.head
        for entry in entries:
            record = chain_entry(head, entry)
            head = Head(record.seq, record.digest)
            records.append(record)
            if record.kind == CHECKPOINT:
                self._start = record.seq
        self._records += records
        self.head = head
        return records

    def since_checkpoint(self) -> Iterator[Record]:
        return self.records(after=self._start - 1)

    def records(self, after: int = 0) -> Iterator[Record]:
        if not 0 <= after <= len(self._records):
            raise JournalDamaged(f"record {after} is not in this journal", seq=after)
        return iter(self._records[after:])

    def round_ended(self) -> None:
        self._check_usable()
        self.kept = self.head

    def fail(self, why: str) -> None:
        """Refuse every later append, as the journal on disk does after its first error."""
        self._refuses = why

    def close(self) -> None:
        self._refuses = self._refuses or "the journal has been closed"

    def _check_usable(self) -> None:
        if self._refuses is not None:
            raise JournalUnwritable(self._refuses)

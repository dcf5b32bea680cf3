"""A journal in memory as a reader beside its writer sees it."""

from collections.abc import Iterator

from controller.journal.memory import MemoryJournal
from controller.journal.records import CHECKPOINT, SUMMARY, Head, Record


class InMemory:
    """The `Records` of a table that keeps nothing on disk."""

    def __init__(self, journal: MemoryJournal) -> None:
        self._journal = journal

    def read(self, after: int = 0) -> Iterator[Record]:
        return self._journal.records(after)

    def checkpoints(self) -> list[int]:
        return [each.seq for each in self._journal.records() if each.kind == CHECKPOINT]

    def summaries(self, before: int | None = None) -> Iterator[Record]:
        found = [each for each in self._journal.records() if each.kind == SUMMARY]
        return (each for each in reversed(found) if before is None or each.seq < before)

    def head(self) -> Head:
        return self._journal.head

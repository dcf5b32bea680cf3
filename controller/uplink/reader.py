"""Read access to the journal for the uplink, on a connection separate from the writer's.

Every read is one short statement that is finished before anything is sent, so no read mark stays in
the log: it can be folded at any time, and the writer never waits.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from controller.journal.database import Database
from controller.journal.errors import JournalDamaged
from controller.journal.records import Head, Record, walk
from controller.protocol.records import MAX_RECORDS


class JournalReader:
    """Reads durable records. Used from one thread; every error is a `JournalError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def head(self) -> Head:
        """The last record on disk."""
        return self._database.last_head()

    def digest_at(self, seq: int) -> bytes | None:
        """The stored digest of a record: zeros before record 1, `None` where there is none."""
        return self._database.digest_at(seq)

    def after(self, head: Head, upto: int, most: int = MAX_RECORDS) -> list[Record]:
        """Up to `most` records that follow `head`, each checked against the one before. Raises
        `JournalDamaged` if one does not fit: doubtful records are not sent to a floor."""
        last = min(upto, head.seq + most)
        return list(islice(walk(self._database.rows(head.seq, last), head), most))

    def last(self, most: int) -> list[Record]:
        """The last records, `most` at most."""
        head = self._database.head_at(max(0, self.head().seq - most))
        return [] if head is None else self.after(head, head.seq + most, most)


@contextmanager
def opened(path: Path) -> Iterator[JournalReader]:
    """Open the existing journal at `path`."""
    with closing(Database.read(path)) as database:
        if database.is_copy:
            raise JournalDamaged(f"{path} is a copy: a table sends its own journal")
        yield JournalReader(database)

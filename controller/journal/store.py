"""The journal on disk: durable before `append` returns, or not at all.

The first error latches it. After a failed sync the kernel may have thrown the bytes away and call
the next sync a success, so nothing is tried twice: every later append raises at once, the table
stops, and a person looks at the disk.

Opening reads from the last checkpoint on, so it costs the current shoe and not the history;
`sabot journal verify` walks all of it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.journal.chain import end_of, walk
from controller.journal.database import Database
from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.head import read_head, write_head
from controller.journal.loss import Loss, loss_between
from controller.journal.records import CHECKPOINT, EMPTY, Entry, Head, Record, chained

LOG_PAGES_AT_ROUND_END: Final = 250
"""A megabyte: from here on the log is folded between rounds, when nobody waits for a card."""
LOG_PAGES_MAX: Final = 4000
"""Sixteen megabytes: from here on it is folded before the next append, whoever waits."""


class Journal:
    """One writer. Use `Journal.open`, and `close` or a `with` block at the end."""

    def __init__(self, path: Path, head_path: Path, lock: int, database: Database) -> None:
        self.path = path
        self._head_path = head_path
        self._lock = lock
        self._database = database
        self._refuses: str | None = None
        self._start, self._head, fault = _valid_part(database)
        self._damaged = fault is not None
        if fault is not None:
            # Rows may be set aside only in a file that SQLite itself finds in order.
            if fault.seq is None:
                raise fault
            database.check_structure()
        self.loss: Loss | None = loss_between(database, read_head(head_path), self._head, fault)
        """What is missing or does not fit, `None` when nothing is. The table must not go on over
        a loss before a person has decided; `keep_head` then makes what is there the truth."""

    @classmethod
    def open(cls, path: Path, *, head_path: Path, vfs: str | None = None) -> "Journal":
        """Open or create; raises `JournalUnwritable` or `JournalDamaged`."""
        lock = _lock(path)
        database = None
        try:
            database = Database.write(path, vfs)
            journal = cls(path, head_path, lock, database)
            if journal.head == EMPTY and journal.loss is None:
                # From now on a journal with records and without a kept head is a loss.
                write_head(head_path, EMPTY)
        except BaseException:
            if database is not None:
                database.abandon()
                database.close()
            os.close(lock)
            raise
        return journal

    @property
    def head(self) -> Head:
        return self._head

    def append(self, *entries: Entry) -> list[Record]:
        """All of them or none, on disk when this returns; raises `JournalUnwritable`."""
        self._check_usable()
        records = []
        head = self._head
        for entry in entries:
            record = chained(head, entry)
            head = Head(record.seq, record.digest)
            records.append(record)
        if records:
            self._write(records)
            self._head = head
            self._start = next(
                (r.seq for r in reversed(records) if r.kind == CHECKPOINT), self._start
            )
        return records

    def since_checkpoint(self) -> Iterator[Record]:
        """The last checkpoint and what follows it; everything when there is none."""
        return self.records(after=self._start - 1)

    def records(self, after: int = 0) -> Iterator[Record]:
        """The records after number `after`, each checked against the chain as it is read."""
        start = self._database.head_at(after)
        if start is None or after > self._head.seq:
            raise JournalDamaged(f"record {after} is not in {self.path}", seq=after)
        return walk(self._database.rows(after, self._head.seq), start)

    def keep_head(self) -> None:
        """Write the head's second copy; call it at the end of each round."""
        self._check_usable()
        with self._latched():
            write_head(self._head_path, self._head)
            if self._database.log_pages >= LOG_PAGES_AT_ROUND_END:
                self._database.fold_log()

    def close(self) -> None:
        """Let go of file and lock; a second call does nothing."""
        if self._lock < 0:
            return
        lock, self._lock = self._lock, -1
        self._refuses = self._refuses or f"{self.path} has been closed"
        try:
            self._database.close()
        finally:
            os.close(lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, records: list[Record]) -> None:
        with self._latched():
            if self._database.log_pages >= LOG_PAGES_MAX:
                self._database.fold_log()
            aside = self._head.seq if self._damaged else None
            self._database.insert(records, set_aside_after=aside)
            self._damaged = False

    @contextmanager
    def _latched(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            # Whatever it was, an interrupt included, nobody knows what has reached the disk.
            self._refuses = f"{self.path} takes nothing more since an earlier error: {error}"
            self._database.abandon()
            if isinstance(error, JournalDamaged):
                raise JournalUnwritable(str(error)) from error
            raise

    def _check_usable(self) -> None:
        if self._refuses is not None:
            raise JournalUnwritable(self._refuses)


def _valid_part(database: Database) -> tuple[int, Head, JournalDamaged | None]:
    """Where the current shoe begins, how far the chain holds, and what stopped it.

    A checkpoint that does not hold itself is no place to begin: then the one before it is.
    """
    for seq in database.checkpoints():
        before = database.head_at(seq - 1)
        if before is not None:
            head, fault = end_of(walk(database.rows(seq - 1), before), before)
            if head.seq >= seq:
                return seq, head, fault
    head, fault = end_of(walk(database.rows(0), EMPTY), EMPTY)
    return 1, head, fault


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep every writer out for a while; raises `JournalUnwritable` when one is there."""
    lock = _lock(path)
    try:
        yield
    finally:
        os.close(lock)


def _lock(path: Path) -> int:
    """Hold `<journal>.lock` for as long as the process lives; the kernel frees it on `kill -9`."""
    beside = path.with_name(path.name + ".lock")
    try:
        lock = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise JournalUnwritable(
            f"{beside} cannot be opened ({error.strerror}): check that the folder exists and is "
            "yours to write"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise JournalUnwritable(
            f"{path} is already open for writing by process {holder}: a journal has one writer; "
            "stop that one first"
        ) from error
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock

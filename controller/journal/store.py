"""The journal on disk: durable and signed before `append` returns, or not written at all.

The first error is final. After a failed sync the kernel may have dropped the bytes and report the
next sync as a success, so nothing is retried: every later append raises at once, the table stops,
and a person checks the disk.

Opening reads from the last checkpoint on, so its cost depends on the current shoe and not on the
history; `sabot journal verify` reads all of it.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.journal import head as heads
from controller.journal.database import Database
from controller.journal.errors import HeadDamaged, JournalDamaged, JournalUnwritable
from controller.journal.head import HeadFile, HeadRole, KeptHead, read_head, signed_by, write_whole
from controller.journal.keys import record as keys_record
from controller.journal.keys import signing
from controller.journal.keys.files import check_named, named_keys, named_keys_at
from controller.journal.keys.record import KeysBody
from controller.journal.keys.signing import Signer, text_of
from controller.journal.loss import (
    HeadFound,
    JournalEnd,
    Loss,
    LossKind,
    SuspectedLoss,
    doubt_about,
    doubt_of_head,
    doubt_of_last,
)
from controller.journal.opening.evidence import keep_evidence, pending_loss_path, unrecorded_loss
from controller.journal.opening.lock import check_held, lock_journal
from controller.journal.opening.valid_part import valid_part
from controller.journal.records import (
    CHECKPOINT,
    EMPTY,
    NO_DIGEST,
    Entry,
    Head,
    Record,
    chain_entry,
    walk,
)

LOG_PAGES_AT_ROUND_END: Final = 250
"""One megabyte: above this size the log is folded between rounds, when no card is awaited."""
MAX_LOG_PAGES: Final = 4000
"""Sixteen megabytes: above this size the log is folded before the next append, even during a round.
"""

MAX_HELD: Final = 20_000
"""Records of the current shoe held in memory; a shoe gives some hundreds."""


class Journal:
    """The single writer of a journal. Use `Journal.open`, then `close` or a `with` block."""

    def __init__(self, path: Path, head_path: Path, lock: int, database: Database) -> None:
        self.path = path
        self._head_path = head_path
        self._head_file = HeadFile(head_path)
        self._last_file = HeadFile(heads.last_head_path(head_path))
        self._lock = lock
        self._database = database
        self._signer: Signer
        self._unnamed: str | None = None
        """The id of the sealing key, until the journal names its keys: see `name_first`."""
        self._when_named: Callable[[], None] | None = None
        self._kept: KeptHead | None = None
        """The last head written."""
        self._refuses: str | None = None
        self._start = 1
        self._head = EMPTY
        self._walked: list[Record] | None = None
        """The current shoe. Table and console need it right after opening has read it. None once it
        is too long to be held."""
        self._damaged = False
        self._last: Record | None = None
        self.loss: Loss | None = None
        """The loss found at opening; `None` if there is none. The table must not go on over a loss
        before a person has decided. The first append accepts the current state: the old head is
        kept as `<head>.lost-<seq>`, and the loss is reported at every opening until
        `mark_loss_recorded`."""

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        head_path: Path,
        signer: Signer,
        sealing_id: str = "",
        signed_before: bool = False,
        when_named: Callable[[], None] | None = None,
        vfs: str | None = None,
    ) -> "Journal":
        """Open or create; raises `JournalUnwritable`, `JournalDamaged` or `KeyRefused`.

        `signed_before` means that the signing key is not new, so that a journal that names no keys
        has lost their record. `when_named` is called as soon as the journal names these keys.
        """
        lock = lock_journal(path)
        database = None
        try:
            database = Database.write(path, vfs)
            journal = cls(path, head_path, lock, database)
            journal._when_named = when_named
            journal._begin(signer, sealing_id, signed_before=signed_before)
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
        """Append all entries or none, on disk and signed on return; raises `JournalUnwritable`."""
        if not entries or self._unnamed is None:
            return self._append(entries, self._signer)
        return self._name_first(entries)[1:]

    def name_first(self) -> None:
        """Append the first `keys` record by itself if there is none yet."""
        if self._unnamed is not None:
            self._name_first(())

    def name_keys(self, body: KeysBody, signer: Signer, at: float) -> None:
        """Record a rotation: `signer` signs from this record on."""
        self._append((keys_record.keys_entry(body, self._last, at),), signer)
        self._signer = signer
        self._write_public()

    def since_checkpoint(self) -> Iterator[Record]:
        """The last checkpoint and the records after it; all records if there is none."""
        if self._walked is not None:
            return iter(list(self._walked))
        return self.records(after=self._start - 1)

    def records(self, after: int = 0) -> Iterator[Record]:
        """Yield the records after number `after`, each checked against the chain."""
        start = self._database.head_at(after)
        if start is None or after > self._head.seq:
            raise JournalDamaged(f"record {after} is not in {self.path}", seq=after)
        return walk(self._database.rows(after, self._head.seq), start)

    def round_ended(self) -> None:
        """Fold the log if it is large, while no card is awaited, and write the head's other copy;
        raises `JournalUnwritable`."""
        self._check_usable()
        with self._latched():
            check_held(self._lock, self.path, by_name=True)
            self._head_file.check_in_place()
            if self._kept is not None:
                self._keep_last(self._kept)
            if self._database.log_pages >= LOG_PAGES_AT_ROUND_END:
                self._database.fold_log()

    def mark_loss_recorded(self) -> None:
        """Delete the pending loss: the journal has its record now."""
        self.loss = None
        pending_loss_path(self._head_path).unlink(missing_ok=True)

    def close(self) -> None:
        """Release file and lock; a second call does nothing."""
        if self._lock < 0:
            return
        lock, self._lock = self._lock, -1
        self._refuses = self._refuses or f"{self.path} has been closed"
        try:
            self._head_file.close()
            self._last_file.close()
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

    # --- opening -----------------------------------------------------------------------------

    def _begin(self, signer: Signer, sealing_id: str, *, signed_before: bool) -> None:
        """Find out how far the journal is good; a new one gets its first `keys` record."""
        self._signer = signer
        named = named_keys(self._database)
        if named is not None:
            check_named(self.path, named, signer, sealing_id)
        self._start, self._walked, self._head, fault = valid_part(self._database)
        self._last = self._walked[-1] if self._walked else None
        if named is None and self._last is not None:
            raise JournalDamaged(
                f"{self.path} has records, and none that names its keys: somebody removed it; "
                "restore a backup"
            )
        lost_keys = named is not None and named.seq > self._head.seq
        if fault is not None and (fault.seq is None or lost_keys):
            raise fault  # without the record of its keys the journal cannot be continued
        kept = _kept(self._head_path)
        has_key = signed_before or signing.public_key_path(self.path).exists()
        self.loss = self._loss(kept, fault, has_key=has_key) or unrecorded_loss(self._head_path)
        if fault is not None:
            # Rows are set aside only in a file that passes SQLite's own integrity check.
            self._database.check_structure()
        if named is None:
            self._unnamed = sealing_id
            if not self._database.count_after(0):
                self.name_first()
            return
        if self.loss is None:
            self._catch_up(kept)
        # Also after a loss: a journal restored from before a rotation is signed by this key again.
        self._write_public()
        self._now_named()

    def _catch_up(self, kept: HeadFound) -> None:
        """Write the head of an append that a power cut interrupted: the head must not be behind
        before the next append."""
        signed = self._database.signed()
        if signed is not None and not (isinstance(kept, KeptHead) and kept.head == signed.head):
            with self._latched():
                caught_up = signed_by(self._signer, signed.head, signed.after)
                self._head_file.write(caught_up.line())
                self._kept = caught_up

    def _loss(self, kept: HeadFound, fault: JournalDamaged | None, *, has_key: bool) -> Loss | None:
        database = self._database
        signed = database.signed()
        if fault is None and signed is not None and signed.head.seq < self._head.seq:
            fault = self._cut_to(signed)
        expected = kept.head if isinstance(kept, KeptHead) else None
        if fault is not None:
            return self._damage(expected, fault)
        places = list(database.keys())
        end = JournalEnd(
            self._head, signed, self._database.digest_at, lambda seq: _key_at(database, places, seq)
        )
        doubt = doubt_about(end, kept, keyed=has_key and not places)
        if doubt is None and not places and isinstance(kept, KeptHead):
            # The process was stopped between the signed head of a new journal and its first `keys`
            # record.
            own = end._replace(key_at=lambda _: self._signer.public)
            doubt = doubt_of_head(own, kept)
        last = _kept(heads.last_head_path(self._head_path), HeadRole.LAST)
        if doubt is not None and doubt.kind is LossKind.HEAD_DAMAGED:
            return self._by_last(end, doubt, last)
        if doubt is None:
            doubt = doubt_of_last(end, kept, last)
            if doubt is None:
                return None
            if isinstance(last, KeptHead) and doubt.kind in _WORSE:
                expected = last.head
        found = self._head
        if doubt.kind is LossKind.FOREIGN:
            found = Head(doubt.seq, self._database.digest_at(doubt.seq) or NO_DIGEST)
        return Loss(doubt.kind, expected, found, 0, doubt.text)

    def _damage(self, expected: Head | None, fault: JournalDamaged) -> Loss:
        self._damaged = True
        seq = self._head.seq
        rows = self._database.count_after(seq)
        text = f"{fault}; the journal is good up to record {seq}, {rows} rows after it are not"
        return Loss(LossKind.DAMAGED, expected, self._head, rows, text)

    def _cut_to(self, signed: KeptHead) -> JournalDamaged | None:
        """Drop rows that follow from ours but were never signed."""
        named = _key_at(self._database, list(self._database.keys()), signed.head.seq)
        if named is None or not signed.is_by(named):
            return None
        first = signed.head.seq + 1
        self._head = signed.head
        self._walked = [each for each in self._walked or () if each.seq < first]
        self._last = self._walked[-1] if self._walked else None
        if self._start >= first:
            self._start, self._walked, self._head, _ = valid_part(self._database, signed.head.seq)
            self._last = self._walked[-1] if self._walked else None
        return JournalDamaged(f"record {first} was not signed by the table", seq=first)

    def _by_last(self, end: JournalEnd, doubt: SuspectedLoss, last: HeadFound) -> Loss:
        """Use the other copy of an unreadable head as a lower bound of the journal's length."""
        if not isinstance(last, KeptHead):
            return Loss(doubt.kind, None, end.head, 0, f"{doubt.text}; it has no other copy")
        found = doubt_about(end._replace(signed=None), last)
        kind = found.kind if found and found.kind in _WORSE else doubt.kind
        text = f"{doubt.text}; its copy of the last round's end says record {last.head.seq}"
        return Loss(kind, last.head, end.head, 0, text)

    def _name_first(self, entries: tuple[Entry, ...]) -> list[Record]:
        """Write the first `keys` record; after a power cut at any place in here the next opening
        repeats it."""
        self._check_usable()
        head = self._head
        with self._latched():
            if self.loss is None:
                self._head_file.write(signed_by(self._signer, head, head.seq).line())
        body = keys_record.first_entry(self._signer, self._unnamed or "")
        named = keys_record.keys_entry(body, self._last)
        records = self._append((named, *entries), self._signer)
        self._unnamed = None
        with self._latched():
            self._write_public()
            self._now_named()
        return records

    def _now_named(self) -> None:
        if self._when_named is not None:
            self._when_named()

    def _write_public(self) -> None:
        """Write the public key next to the journal; another one found there is kept under a new
        name."""
        path, text = (
            signing.public_key_path(self.path),
            text_of(self._signer.public).encode() + b"\n",
        )
        try:
            found = path.read_bytes() if path.exists() else None
            if found == text:
                return
            if found is not None:
                write_whole(path.with_name(f"{path.name}.before-{self._head.seq}"), found)
            write_whole(path, text)
        except OSError as error:
            raise JournalUnwritable(f"{path} cannot be written: {error.strerror}") from error

    # --- writing -----------------------------------------------------------------------------

    def _append(self, entries: tuple[Entry, ...], signer: Signer) -> list[Record]:
        self._check_usable()
        records = []
        head = self._head
        for entry in entries:
            record = chain_entry(head, entry)
            head = Head(record.seq, record.digest)
            records.append(record)
        if records:
            self._write(records, head, signer)
            self._head = head
            self._last = records[-1]
            for record in records:
                self._remember(record)
        return records

    def _remember(self, record: Record) -> None:
        if record.kind == CHECKPOINT:
            self._start, self._walked = record.seq, []
        if self._walked is not None:
            self._walked.append(record)
            if len(self._walked) > MAX_HELD:
                self._walked = None

    def _write(self, records: list[Record], head: Head, signer: Signer) -> None:
        try:  # `with` is slower, and a card waits for this
            self._write_signed(records, head, signer)
        except BaseException as error:
            self._latch(error)
            raise

    def _write_signed(self, records: list[Record], head: Head, signer: Signer) -> None:
        after = self._head.seq
        check_held(self._lock, self.path)
        if self._database.log_pages >= MAX_LOG_PAGES:
            self._database.fold_log()
        over_loss = self.loss is not None and self._kept is None
        if self.loss is not None and over_loss:
            keep_evidence(self._head_path, self.loss)
        aside = after if self._damaged else None
        kept = signed_by(signer, head, after)
        # Before the commit: right after a sync, with cold caches, it takes far longer.
        line = kept.line()
        self._database.insert(records, kept.row(), set_aside_after=aside)
        self._damaged = False
        self._head_file.write(line)
        self._kept = kept
        if over_loss and self._last_file.path.exists():
            self._keep_last(kept)  # the old one is evidence now and would report the loss for ever

    def _keep_last(self, kept: KeptHead) -> None:
        """Write the head's other copy, only after the head, so that it is never ahead."""
        last = signed_by(self._signer, kept.head, kept.after, HeadRole.LAST)
        self._last_file.write(last.line())

    @contextmanager
    def _latched(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self._latch(error)
            raise

    def _latch(self, error: BaseException) -> None:
        """Refuse every later append: after any exception, even an interrupt, the state of the disk
        is unknown."""
        self._refuses = f"{self.path} takes nothing more since an earlier error: {error}"
        self._database.abandon()
        if isinstance(error, JournalDamaged):
            raise JournalUnwritable(str(error)) from error

    def _check_usable(self) -> None:
        if self._refuses is not None:
            raise JournalUnwritable(self._refuses)


_WORSE: Final = (LossKind.MISSING, LossKind.FOREIGN)


def _key_at(database: Database, places: list[int], seq: int) -> bytes | None:
    """The key of a head at record `seq`: the last one named before it, otherwise the first."""
    if not places:
        return None
    return named_keys_at(
        database, next((each for each in places if each <= seq), places[-1])
    ).public


def _kept(path: Path, role: HeadRole = HeadRole.HEAD) -> HeadFound:
    try:
        return read_head(path, role)
    except HeadDamaged as damaged:
        return damaged

"""Compares a batch with the floor's head of its table, and decides what to store and what to
answer. No I/O.

Nothing is trusted: every digest is recomputed, by the rules for a copy without sealed cards, and
every `keys` record must be endorsed by the key before it. A batch may repeat an earlier one,
overlap with it, or leave a gap: each time the answer is the floor's position.
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from controller.journal.errors import JournalDamaged
from controller.journal.keys.record import is_endorsed, keys_in_record
from controller.journal.records import KEYS, Head, Record, follows
from controller.protocol.records import MAX_RECORDS, VERSION, Batch, Refusal, SentRecord

MAX_KIND: Final = 64
MAX_INSTANCE: Final = 128
KEY_BYTES: Final = 32
_DIGEST: Final = 32
_BIGINT: Final = 2**63
_INTEGER: Final = 2**31


class TableHead(NamedTuple):
    """The floor's head of a table's current history."""

    epoch: int
    head: Head
    key: bytes | None
    """The key named by the last `keys` record up to the head."""
    revoked: bool = False


class Accepted(NamedTuple):
    """Valid new records, the new head, and its key."""

    records: tuple[SentRecord, ...]
    head: Head
    key: bytes | None


class Stands(NamedTuple):
    """Nothing to store: a query, known records, another epoch, or a gap."""


class Diverges(NamedTuple):
    """A history that differs from the floor's, or that can no longer be compared with it."""

    seq: int
    """The first record that differs, as far as the floor can tell."""


class Unsound(NamedTuple):
    """Records that no table writes: they break the chain, or their key is not endorsed."""

    seq: int
    text: str


class RefusedBatch(NamedTuple):
    """The batch was not examined."""

    why: Refusal


Judgement: TypeAlias = Accepted | Stands | Diverges | Unsound | RefusedBatch

DigestAt = Callable[[int], bytes | None]
"""The digest of a record that the floor has of this table and epoch, or that an archive file ends
with; None if it has gone with its month."""


def judge(batch: Batch, standing: TableHead | None, digest_at: DigestAt) -> Judgement:
    """Judges a batch for a table at this head; None: the table is not enrolled."""
    if standing is None:
        return RefusedBatch(Refusal.UNKNOWN_TABLE)
    if (why := _not_taken(batch, standing)) is not None:
        return RefusedBatch(why)
    of_another_epoch = batch.epoch != standing.epoch and (batch.epoch or batch.records)
    if of_another_epoch or batch.after > standing.head.seq:
        return Stands()
    if (parted := _parted(batch, standing.head, digest_at)) is not None:
        return Diverges(parted)
    try:
        return _followed(batch, standing)
    except JournalDamaged as damaged:
        return Unsound(damaged.seq or batch.after + 1, str(damaged))


def _not_taken(batch: Batch, standing: TableHead) -> Refusal | None:
    if standing.revoked:
        return Refusal.REVOKED
    return None if _is_batch(batch) else Refusal.NOT_A_BATCH


def _is_batch(batch: Batch) -> bool:
    if batch.v != VERSION or len(batch.prev) != _DIGEST or len(batch.records) > MAX_RECORDS:
        return False
    if len(batch.instance) > MAX_INSTANCE or not batch.instance.isprintable():
        return False  # stored in the alarm's row, it would prevent the alarm
    if len(batch.key) not in (0, KEY_BYTES):
        return False
    if not 0 <= batch.after < _BIGINT - MAX_RECORDS or (not batch.after and any(batch.prev)):
        return False
    return all(_is_record(each, batch.after + n) for n, each in enumerate(batch.records, start=1))


def _is_record(record: SentRecord, seq: int) -> bool:
    """Whether a journal can contain the record, and PostgreSQL store it."""
    return (
        record.seq == seq
        and len(record.digest) == _DIGEST
        and (record.sealed is None or len(record.sealed) == _DIGEST)
        and math.isfinite(record.at)
        and 0 < len(record.kind) <= MAX_KIND
        and record.kind.isprintable()
        and 0 < record.version < _INTEGER
        and -_BIGINT <= record.shoe < _BIGINT
        and -_BIGINT <= record.round < _BIGINT
    )


def _parted(batch: Batch, head: Head, digest_at: DigestAt) -> int | None:
    """The first record at which the batch differs from the floor's history, or can no longer be
    compared with it; None if it is the same history. Records that have gone with their month are
    the floor's if a later one of the batch is, because they are chained: a table that resends sends
    up to the floor's head."""
    answer = [(batch.after, batch.prev), *((each.seq, each.digest) for each in batch.records)]
    untold = None
    for seq, digest in answer[: head.seq - batch.after + 1]:
        has = head.digest if seq == head.seq else digest_at(seq)
        if not seq or has == digest:
            untold = None
        elif has is not None:
            return seq
        elif untold is None:
            untold = seq
    return untold


def _followed(batch: Batch, standing: TableHead) -> Judgement:
    """Checks the records after the head; raises `JournalDamaged` at a break in the chain."""
    fresh: list[SentRecord] = []
    digest, key = batch.prev, standing.key
    for each in batch.records:
        record = each.as_record()
        if follows(digest, record, hashed=True) != record.digest:
            text = f"record {record.seq} does not follow from record {record.seq - 1}"
            raise JournalDamaged(text, seq=record.seq)
        if record.seq > standing.head.seq:
            if record.kind == KEYS or key is None:
                key = _key_after(record, Head(record.seq - 1, digest), key)
            fresh.append(each)
        digest = record.digest
    if not fresh:
        return Stands()
    if batch.key != key and key is not None and not batch.replayed:
        return RefusedBatch(Refusal.CLONED)
    last = fresh[-1]
    return Accepted(tuple(fresh), Head(last.seq, last.digest), key)


def _key_after(record: Record, previous: Head, key: bytes | None) -> bytes:
    """The key of the journal after this record. Raises `JournalDamaged`; the rules are those of
    `Lineage`, one batch at a time."""
    if record.kind != KEYS:
        text = f"record {record.seq} comes before any that names a key"
        raise JournalDamaged(text, seq=record.seq)
    named = keys_in_record(record)
    good = not previous.seq if key is None else is_endorsed(named.body, previous, key)
    if not good:
        text = f"record {record.seq} names a key that what comes before does not vouch for"
        raise JournalDamaged(text, seq=record.seq)
    return named.public

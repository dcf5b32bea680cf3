"""Following the chain from row to row. Rows are what lies in the file; records are what fits."""

from collections.abc import Iterable, Iterator
from typing import Final

from controller.journal.errors import JournalDamaged
from controller.journal.records import Head, Record, digest_of

Row = tuple[object, ...]
"""seq, kind, version, at, shoe, round, body, sealed, digest: as `Database` hands them out, the kind
as bytes because it may be no text at all."""

_PLAIN: Final = (int, bytes, int, float, int, int, bytes, type(None), bytes)
_SEALED: Final = (int, bytes, int, float, int, int, bytes, bytes, bytes)


def record_of(row: Row) -> Record | None:
    """The row as a record, its digest not checked; `None` when it has values no record has."""
    types = tuple(map(type, row))
    if types not in (_PLAIN, _SEALED):
        return None
    seq, kind, *rest, digest = row
    try:
        text = kind.decode()  # type: ignore[attr-defined]  # the types have been checked
    except UnicodeDecodeError:
        return None
    return Record(text, *rest, seq=seq, digest=digest)  # type: ignore[arg-type]


def walk(rows: Iterable[Row], start: Head, *, hashed: bool = False) -> Iterator[Record]:
    """The records that follow `start`, until a row does not fit: then `JournalDamaged`.

    `hashed` rows are those of a copy without blobs."""
    seq, digest = start
    for row in rows:
        seq += 1
        record = record_of(row)
        if record is None:
            raise JournalDamaged(f"record {seq} is not readable", seq=seq)
        if record.seq != seq:
            raise JournalDamaged(f"record {seq} is missing: {record.seq} is next", seq=seq)
        expected = follows(digest, record, hashed=hashed)
        if expected != record.digest:
            raise JournalDamaged(
                f"record {seq} does not follow from record {seq - 1}: its digest is "
                f"{record.digest.hex()[:16]}..., {expected.hex()[:16]}... was expected",
                seq=seq,
                expected=expected,
                found=record.digest,
            )
        digest = expected
        yield record


def follows(digest: bytes, record: Record, *, hashed: bool = False) -> bytes:
    """The digest the record must have after one with `digest`."""
    return digest_of(digest, record.seq, record, hashed=hashed)


def end_of(records: Iterable[Record], start: Head) -> tuple[Head, JournalDamaged | None]:
    """How far the records hold, and what stopped them."""
    head = start
    try:
        for record in records:
            head = Head(record.seq, record.digest)
    except JournalDamaged as fault:
        return head, fault
    return head, None

"""Entries, records, and the digest that chains one record to the next.

The digest of a record is the SHA-256 of, in this order:

    the previous record's digest         32 bytes; zeros before record 1
    seq, version, shoe, round            8 bytes each, signed, big-endian
    at                                   8 bytes, IEEE 754, big-endian
    kind, body, sealed                   each a 4-byte length, big-endian, and its bytes;
                                         a record without a sealed card has the length ffffffff

where `sealed` stands for the 32 bytes of the sealed card's SHA-256, so that a copy that has only
those can be checked too. `version` is the record's format. So anyone who has the file can check it
with a dozen lines of any language, and no two different records run together into the same bytes.

A journal is an SQLite file with one row for each record in the table `records`. Its columns `seq`,
`kind`, `version`, `at`, `shoe`, `round`, `body`, `sealed` and `digest` are the fields above: `kind`
is text in UTF-8, `at` a real number, `body`, `sealed` and `digest` are bytes, and `sealed` is NULL
where there is none. `seq` counts from 1 without a gap. Its `application_id` is 0x5ab07.

A copy without sealed cards has the `application_id` 0x5ab0c, and its column `sealed` holds the
SHA-256 already.

An export as JSON lines or CSV is like a copy: `sealed` and `digest` are in hexadecimal, `sealed` is
the SHA-256, and `body` is a JSON value whose bytes are its text with sorted keys, without spaces,
in UTF-8.

A whole chain proves that nothing was changed after its last record was written, not by whom it was
written. That is what signatures are for: `controller.journal.head` describes the one over the last
record, `controller.journal.keys.record` the one by which a key hands the journal on to the next.
"""

import hashlib
import math
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

import msgspec

from controller.journal.errors import JournalDamaged

NO_DIGEST: Final = bytes(32)
"""The digest before record 1."""

STEP: Final = "step"
"""One command given at the table, accepted or refused, with its effects."""
SUMMARY: Final = "summary"
"""The summary of a finished round, for readers without the key needed for a replay."""
CHECKPOINT: Final = "checkpoint"
"""A record from which a table can be rebuilt without reading the records before it."""
RELEASE: Final = "release"
"""The release and the rules in force from here on."""
KEYS: Final = "keys"
"""The keys that sign and seal from here on: see `controller.journal.keys.record`."""

RECORD_FORMAT: Final = 1
"""The format of the records this release writes; `deploy/manual/record-format.md` describes it."""

_LENGTH: Final = struct.Struct(">I")
_ABSENT: Final = _LENGTH.pack(0xFFFFFFFF)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_SHA256: Final = hashlib.sha256()
"""Copied for each digest, because creating a hash object looks up its algorithm first."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One thing to append. `body` is canonical JSON made by the caller; see `canonical`."""

    kind: str
    version: int
    at: float
    shoe: int
    round: int
    body: bytes
    sealed: bytes | None = None


class Record(Entry, frozen=True, kw_only=True, gc=False):
    """An entry with its place: numbered from 1 without gaps, chained by digest."""

    seq: int
    digest: bytes


class Head(NamedTuple):
    """The last record of a journal; (0, zeros) when it is empty."""

    seq: int
    digest: bytes


EMPTY: Final = Head(0, NO_DIGEST)


class AnyJournal(Protocol):
    """The interface of a journal, on disk or in memory, that the table needs."""

    @property
    def head(self) -> Head: ...
    def append(self, *entries: Entry) -> list[Record]: ...
    def since_checkpoint(self) -> Iterator[Record]: ...
    def records(self, after: int = 0) -> Iterator[Record]: ...
    def round_ended(self) -> None: ...
    def close(self) -> None: ...


if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
else:
    Json = Any  # msgspec decodes no recursive alias
"""Any JSON value, not validated yet."""


def canonical(found: object) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8: equal things give equal bytes."""
    return _ENCODER.encode(found)


def digest_of(previous: bytes, seq: int, entry: Entry, *, hashed: bool = False) -> bytes:
    """The digest of `entry` as record number `seq` after a record with digest `previous`; `hashed`
    means that the entry has the blob's hash in place of the blob, as in a copy."""
    pack, size, kind = _packing(entry.kind)
    body, sealed = entry.body, entry.sealed
    # SQLite returns a negative zero as zero; adding zero makes both the same bytes.
    at = entry.at + 0.0
    start = pack(seq, entry.version, entry.shoe, entry.round, at, size, kind, len(body))
    digest = _SHA256.copy()
    if sealed is None:
        digest.update(b"".join((previous, start, body, _ABSENT)))
        return digest.digest()
    kept = sealed if hashed else hashlib.sha256(sealed).digest()
    digest.update(b"".join((previous, start, body, _LENGTH.pack(len(kept)), kept)))
    return digest.digest()


@lru_cache(maxsize=64)
def _packing(kind: str) -> tuple[Callable[..., bytes], int, bytes]:
    """The packing of the fields before the body, cached for each kind."""
    text = kind.encode()
    return struct.Struct(f">qqqqdI{len(text)}sI").pack, len(text), text


def chain_entry(after: Head, entry: Entry) -> Record:
    """`entry` as the record that follows `after`."""
    if not math.isfinite(entry.at):
        raise ValueError(f"the time of an entry must be a finite number, not {entry.at}")
    seq = after.seq + 1
    digest = digest_of(after.digest, seq, entry)
    return Record(
        entry.kind,
        entry.version,
        entry.at,
        entry.shoe,
        entry.round,
        entry.body,
        entry.sealed,
        seq=seq,
        digest=digest,
    )


# --- following the chain: rows come from the file, records have been checked --------------------

Row = tuple[object, ...]
"""A row: seq, kind, version, at, shoe, round, body, sealed, digest. The kind is bytes because it
may be invalid text."""

_PLAIN: Final = (int, bytes, int, float, int, int, bytes, type(None), bytes)
_SEALED: Final = (int, bytes, int, float, int, int, bytes, bytes, bytes)


def record_of(row: Row) -> Record | None:
    """The row as a record, its digest not checked; `None` if its values are invalid."""
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
    """Yield the records that follow `start`; raise `JournalDamaged` at the first row that does not
    fit.

    `hashed` rows are those of a copy without blobs.
    """
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
    """Whether the record follows from one with `digest`."""
    return digest_of(digest, record.seq, record, hashed=hashed)


def end_of(records: Iterable[Record], start: Head) -> tuple[Head, JournalDamaged | None]:
    """Return how far the records hold, and what stopped them."""
    head = start
    try:
        for record in records:
            head = Head(record.seq, record.digest)
    except JournalDamaged as fault:
        return head, fault
    return head, None

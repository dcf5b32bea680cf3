"""What is appended, what is read back, and the digest that chains one record to the next.

The digest of a record is the SHA-256 of, in this order:

    the previous record's digest         32 bytes; zeros before record 1
    seq, version, shoe, round            8 bytes each, signed, big-endian
    at                                   8 bytes, IEEE 754, big-endian
    kind, body, sealed                   each a 4-byte length, big-endian, and its bytes;
                                         a record without a sealed card has the length ffffffff

so whoever holds the file can check it with a dozen lines of any language, and no two different
records run together into the same bytes.
"""

import hashlib
import math
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

import msgspec

NO_DIGEST: Final = bytes(32)
"""What stands before record 1."""

CHECKPOINT: Final = "checkpoint"
"""The kind of record from which a table can be rebuilt without reading what came before."""

_NUMBERS: Final = struct.Struct(">qqqqd")
_LENGTH: Final = struct.Struct(">I")
_ABSENT: Final = _LENGTH.pack(0xFFFFFFFF)
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class Entry(msgspec.Struct, frozen=True):
    """One thing to be kept. `body` is canonical JSON made by the caller; see `canonical`."""

    kind: str
    version: int
    at: float
    shoe: int
    round: int
    body: bytes
    sealed: bytes | None = None


class Record(Entry, frozen=True, kw_only=True):
    """An entry with its place: numbered from 1 without gaps, chained by digest."""

    seq: int
    digest: bytes


class Head(NamedTuple):
    """The last record of a journal; (0, zeros) when it is empty."""

    seq: int
    digest: bytes


EMPTY: Final = Head(0, NO_DIGEST)


class AnyJournal(Protocol):
    """What the table needs of a journal; the one on disk and the one in memory both have it."""

    @property
    def head(self) -> Head: ...
    def append(self, *entries: Entry) -> list[Record]: ...
    def since_checkpoint(self) -> Iterator[Record]: ...
    def records(self, after: int = 0) -> Iterator[Record]: ...
    def keep_head(self) -> None: ...
    def close(self) -> None: ...


def canonical(found: object) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8: equal things give equal bytes."""
    return _ENCODER.encode(found)


def digest_of(previous: bytes, seq: int, entry: Entry) -> bytes:
    """The digest `entry` has as record number `seq` after a record with digest `previous`."""
    kind = entry.kind.encode()
    parts = [
        previous,
        # A negative zero comes back from SQLite as zero; adding zero makes both the same bytes.
        _NUMBERS.pack(seq, entry.version, entry.shoe, entry.round, entry.at + 0.0),
        _LENGTH.pack(len(kind)),
        kind,
        _LENGTH.pack(len(entry.body)),
        entry.body,
    ]
    parts += [_ABSENT] if entry.sealed is None else [_LENGTH.pack(len(entry.sealed)), entry.sealed]
    return hashlib.sha256(b"".join(parts)).digest()


def chained(after: Head, entry: Entry) -> Record:
    """`entry` as the record that follows `after`."""
    if not math.isfinite(entry.at):
        raise ValueError(f"the time of an entry must be a finite number, not {entry.at}")
    return Record(
        entry.kind,
        entry.version,
        entry.at,
        entry.shoe,
        entry.round,
        entry.body,
        entry.sealed,
        seq=after.seq + 1,
        digest=digest_of(after.digest, after.seq + 1, entry),
    )

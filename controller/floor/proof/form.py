"""The format of an archive file, published in `deploy/manual/archive-format.md`.

A file has a magic line, a line of canonical JSON (the header), a line with the floor's signature
over the header in hexadecimal, and one xz stream with the records. A record is stored as the bytes
that its digest covers after the digest before it, so that a reader who has those 32 bytes can
follow the chain.
"""

import struct
from typing import Final

import msgspec

from controller.floor.proof.roots import Root
from controller.floor.proof.tree import HASH_BYTES, SiteHead
from controller.journal.keys.signing import PUBLIC_BYTES, SIGNATURE_BYTES
from controller.journal.records import canonical
from controller.protocol.records import SentRecord
from controller.protocol.unreadable import UNREADABLE

MAGIC: Final = b"sabot archive 1\n"
MAX_HEADER: Final = 64 * 1024
SIGNED: Final = b"sabot floor archive 1\0"
START: Final = struct.Struct(">qqqqdI")
LENGTH: Final = struct.Struct(">I")
NO_SEALED: Final = 0xFFFFFFFF


class ProofError(Exception):
    """A fault of a proof, or the reason for a missing one, in one sentence."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header of an archive file. Digests, keys and signatures are hexadecimal."""

    site: str
    table: str
    epoch: int
    month: str
    """The month of the last record, such as 2026-11."""
    first: int
    last: int
    before: str
    """The digest of the record before the first; zeros before record 1."""
    end: str
    """The digest of the last record of the month."""
    head_seq: int
    """The head in the root: records between `last` and it follow those of the month."""
    head_digest: str
    index: int
    path: tuple[str, ...]
    hour: int
    previous: str
    size: int
    root: str
    root_key: str
    root_signature: str
    stamp: str | None
    key: str
    packed: int
    """The size of the xz stream in bytes; the next field has its SHA-256."""
    packed_sha256: str
    unpacked: int
    written: int

    @property
    def head(self) -> SiteHead:
        return SiteHead(
            self.site, self.table, self.epoch, self.head_seq, raw(self.head_digest, HASH_BYTES)
        )

    @property
    def rooted(self) -> Root:
        return Root(
            self.site,
            self.hour,
            raw(self.previous, HASH_BYTES),
            self.size,
            raw(self.root, HASH_BYTES),
            raw(self.root_key, PUBLIC_BYTES),
            raw(self.root_signature, SIGNATURE_BYTES),
        )

    @property
    def named(self) -> str:
        return f"{self.site}/{self.table} history {self.epoch} month {self.month}"


def header_in(line: bytes) -> Header:
    """Decodes a header; raises `ProofError` unless it is in canonical form."""
    try:
        header = msgspec.json.decode(line, type=Header)
    except UNREADABLE as error:
        raise ProofError("its header is not one of this form") from error
    if canonical(header) != line:
        raise ProofError("its header is not written canonically")
    return header


def raw(text: str, size: int) -> bytes:
    """Decodes lower-case hexadecimal; raises `ProofError` unless it has exactly `size` bytes."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != size or found.hex() != text:
        raise ProofError(f"{text[:16]!r}... is not {size} bytes in hexadecimal")
    return found


def packed(record: SentRecord) -> bytes:
    """The bytes of a record in a file."""
    kind = record.kind.encode()
    parts = [
        # As in the digest: a negative zero and zero are the same time.
        START.pack(
            record.seq, record.version, record.shoe, record.round, record.at + 0.0, len(kind)
        ),
        kind,
        LENGTH.pack(len(record.body)),
        record.body,
    ]
    if record.sealed is None:
        parts.append(LENGTH.pack(NO_SEALED))
    else:
        parts += (LENGTH.pack(len(record.sealed)), record.sealed)
    return b"".join(parts)

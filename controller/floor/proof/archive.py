"""Writes and reads an archive file, byte by byte, without a database."""

import errno
import hashlib
import lzma
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

import msgspec

from controller.floor.proof.form import (
    LENGTH,
    MAGIC,
    MAX_HEADER,
    NO_SEALED,
    SIGNED,
    START,
    Header,
    ProofError,
    header_in,
    packed,
    raw,
)
from controller.floor.proof.roots import PathTo, Root
from controller.floor.proof.tree import HASH_BYTES
from controller.floor.proof.walk import Walk
from controller.journal.head import sync_folder
from controller.journal.keys.signing import SIGNATURE_BYTES, Signer
from controller.journal.records import canonical
from controller.protocol.records import SentRecord

CHUNK: Final = 256 * 1024
MAX_MEMORY: Final = 64 * 1024 * 1024
"""Memory limit for unpacking: a file that needs more is not one of ours."""
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""Error codes of file systems without hard links."""
MAX_LENGTH: Final = 1 << 28
"""Maximum length of a kind and of a body."""


class ArchivePart(msgspec.Struct, frozen=True):
    """The records of a file, and their path to a root."""

    first: int
    last: int
    before: bytes
    path: PathTo
    root: Root
    stamp: bytes | None = None


class NameTaken(ProofError):
    """Another file has the name already; it is not overwritten."""


class Written(msgspec.Struct, frozen=True):
    """The result of writing a file."""

    file: Path
    header: Header
    sha256: bytes


def month_of(at: float) -> str:
    """The month of a record, or `none` for a time outside the calendar."""
    try:
        found = datetime.fromtimestamp(math.floor(at), UTC)
    except (ValueError, OverflowError, OSError):
        return "none"
    return f"{found.year:04}-{found.month:02}"


def write(
    path: Path, part: ArchivePart, records: Iterable[SentRecord], signer: Signer, now: float
) -> Written:
    """Writes the records from `part.first` up to the root's head into a new file, and checks each
    against the chain. An existing file is never overwritten: an identical one, left by an
    interrupted run, counts as written, and any other raises `NameTaken`. Raises `ProofError`; then
    there is no new file."""
    packing, new = (path.with_name(path.name + ending) for ending in (".records", ".new"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        end = _pack(packing, part, records)
        there = header_at(path)
        header = _header(part, end, signer, now if there is None else there.written)
        sha256 = _put_together(packing, new, canonical(header), signer)
        _give_name(new, path, sha256)
        return Written(path, header, sha256)
    except OSError as error:
        raise ProofError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        for each in (packing, new):
            with suppress(OSError):
                each.unlink()


def may_take(path: Path, part: ArchivePart) -> bool:
    """Whether the name is free, or its file claims to hold exactly these records."""
    if not os.path.lexists(path):
        return True
    header, answer = header_at(path), (part.first, part.last, part.before.hex())
    return header is not None and (header.first, header.last, header.before) == answer


def header_at(path: Path) -> Header | None:
    """The header of a file, unproven; None if it cannot be read."""
    try:
        with path.open("rb") as file:
            return ArchiveReader(file).header
    except (OSError, ProofError):
        return None


def sha256_of(path: Path) -> bytes:
    hashed = hashlib.sha256()
    with path.open("rb") as opened:
        while data := opened.read(CHUNK):
            hashed.update(data)
    return hashed.digest()


class _End(msgspec.Struct):
    digest: bytes = b""
    month: str = ""
    packed: int = 0
    sha256: str = ""
    unpacked: int = 0


def _pack(path: Path, part: ArchivePart, records: Iterable[SentRecord]) -> _End:
    walk, end = Walk(part.first - 1, part.before), _End()
    hashed, squeeze = hashlib.sha256(), lzma.LZMACompressor(check=lzma.CHECK_CRC64)
    with path.open("wb") as out:
        for record in records:
            walk.take(record)
            raw_record = packed(record)
            end.unpacked += len(raw_record)
            _put(out, squeeze.compress(raw_record), hashed, end)
            if record.seq == part.last:
                end.digest, end.month = walk.digest, month_of(record.at)
        _put(out, squeeze.flush(), hashed, end)
    head = part.path.head
    if (walk.seq, walk.digest) != (head.seq, head.digest) or not end.digest:
        raise ProofError(f"the records end at {walk.seq} and do not come to the head {head.seq}")
    end.sha256 = hashed.hexdigest()
    return end


def _put(out: IO[bytes], data: bytes, hashed: "hashlib._Hash", end: _End) -> None:
    out.write(data)
    hashed.update(data)
    end.packed += len(data)


def _header(part: ArchivePart, end: _End, signer: Signer, now: float) -> Header:
    head, root = part.path.head, part.root
    return Header(
        site=head.site,
        table=head.table,
        epoch=head.epoch,
        month=end.month,
        first=part.first,
        last=part.last,
        before=part.before.hex(),
        end=end.digest.hex(),
        head_seq=head.seq,
        head_digest=head.digest.hex(),
        index=part.path.index,
        path=tuple(side.hex() for side in part.path.path),
        hour=root.hour,
        previous=root.previous.hex(),
        size=root.size,
        root=root.root.hex(),
        root_key=root.key.hex(),
        root_signature=root.signature.hex(),
        stamp=None if part.stamp is None else part.stamp.hex(),
        key=signer.public.hex(),
        packed=end.packed,
        packed_sha256=end.sha256,
        unpacked=end.unpacked,
        written=int(now),
    )


def _put_together(records: Path, new: Path, header: bytes, signer: Signer) -> bytes:
    """Writes the whole file durably under a temporary name; returns its SHA-256."""
    hashed = hashlib.sha256()
    signature = signer.sign(SIGNED + header).hex().encode()
    with new.open("wb") as out, records.open("rb") as source:
        for data in (MAGIC, header + b"\n", signature + b"\n"):
            out.write(data)
            hashed.update(data)
        while data := source.read(CHUNK):
            out.write(data)
            hashed.update(data)
        out.flush()
        os.fsync(out.fileno())
    return hashed.digest()


def _give_name(new: Path, path: Path, sha256: bytes) -> None:
    """Gives the file its name by a link, which fails if the name is taken: a rename would replace a
    file."""
    try:
        path.hardlink_to(new)
    except FileExistsError as error:
        if sha256_of(path) != sha256:
            raise NameTaken(f"{path} is there and is another file") from error
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        raise ProofError(
            f"{path} gets no name: its file system knows no hard links ({error.strerror}). Put the "
            "folder `archive` of `[proof]` on one that does (ext4, xfs), and copy files from there"
        ) from error
    sync_folder(path.parent)


class ArchiveReader:
    """Reads a file from its start: header and signature first, then its records."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        if file.read(len(MAGIC)) != MAGIC:
            raise ProofError("it is not an archive file, or of a form unknown here")
        self.line = self._text_line(MAX_HEADER)
        self.header: Final = header_in(self.line)
        text = self._text_line(2 * SIGNATURE_BYTES + 1)
        self.signature: Final = raw(text.decode("ascii", "replace"), SIGNATURE_BYTES)

    def _text_line(self, most: int) -> bytes:
        line = self._file.readline(most)
        if not line.endswith(b"\n"):
            raise ProofError("it ends before its records begin")
        return line[:-1]

    def check_packed(self) -> None:
        """Checks the packed records against the size and digest in the header, and returns to their
        start."""
        at, hashed, size = self._file.tell(), hashlib.sha256(), 0
        while data := self._file.read(CHUNK):
            hashed.update(data)
            size += len(data)
        if (size, hashed.hexdigest()) != (self.header.packed, self.header.packed_sha256):
            raise ProofError("its records are not the bytes that its header speaks of")
        self._file.seek(at)

    def records(self) -> Iterator[SentRecord]:
        """The records as they were sent, each with its digest."""
        stream, digest = _Unpacked(self._file), raw(self.header.before, HASH_BYTES)
        while not stream.at_end:
            record = _record(stream, digest)
            digest = record.digest
            yield record
        if stream.size != self.header.unpacked:
            raise ProofError("its records are not as long as its header says")


def _record(stream: "_Unpacked", before: bytes) -> SentRecord:
    start = stream.take(START.size)
    seq, version, shoe, round_, at, kind_length = START.unpack(start)
    kind = stream.take(kind_length)
    body_length = stream.take(LENGTH.size)
    body = stream.take(*LENGTH.unpack(body_length))
    sealed_length = stream.take(LENGTH.size)
    (length,) = LENGTH.unpack(sealed_length)
    sealed = None if length == NO_SEALED else stream.take(length)
    parts = (before, start, kind, body_length, body, sealed_length, sealed or b"")
    digest = hashlib.sha256(b"".join(parts)).digest()
    if not at and math.copysign(1.0, at) < 0:  # digests exclude negative zero
        raise ProofError(f"record {seq} has a time of negative zero, which nobody writes")
    try:
        text = kind.decode()
    except UnicodeDecodeError as error:
        raise ProofError(f"record {seq} has a value that no record has") from error
    return SentRecord(seq, text, version, at, shoe, round_, body, sealed, digest)


class _Unpacked:
    """Unpacks one xz stream on demand, and rejects data after it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lzma = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MAX_MEMORY)
        self._have = bytearray()
        self.size = 0

    @property
    def at_end(self) -> bool:
        self._fill(1)
        return not self._have

    def take(self, count: int) -> bytes:
        if count > MAX_LENGTH:
            raise ProofError("one of its records is longer than any record is")
        self._fill(count)
        if len(self._have) < count:
            raise ProofError("it ends within a record")
        found = bytes(self._have[:count])
        del self._have[:count]
        self.size += count
        return found

    def _fill(self, count: int) -> None:
        while len(self._have) < count and not self._lzma.eof:
            data = self._file.read(CHUNK) if self._lzma.needs_input else b""
            if self._lzma.needs_input and not data:
                raise ProofError("its xz stream ends too early")
            try:
                self._have += self._lzma.decompress(data, CHUNK)
            except lzma.LZMAError as error:
                raise ProofError("its xz stream is damaged") from error
        if self._lzma.eof and (self._lzma.unused_data or self._file.read(1)):
            raise ProofError("something follows its xz stream")

"""The signed head: how far the journal went, stored in three places with three signed names.

    <head>           with every append, one line of JSON, best kept on another disk
    <head>.last      the same line, at the end of each round
    table `signed`   in the journal itself, one row, in one transaction with the records it covers

A disk that acknowledges writes without making them durable can lose the end of a journal while
every check of SQLite passes; an old copy put back passes every check too. Only a head kept
elsewhere shows either, and only a signature shows that the head is the table's own. The line has

    seq, digest     the last record that was acknowledged
    after           the last record of the append before: that append began with the next one
    key             the public half of the key that signed, base64
    nonce           32 bytes, base64, in <head> only: its SHA-256 is the lock
    signature       Ed25519, base64, over the bytes of a name in ASCII, a zero byte, `after` and
                    `seq` (8 bytes each, big-endian), the 32 bytes of `digest` and, but for
                    <head>.last, the 32 bytes of the lock

and is padded with spaces to 512 bytes. The row has `seq`, `after`, `key`, `lock` and `signature` as
bytes; its digest is that of record `seq`. The name is `sabot journal append 1` in <head> and in the
row, and `sabot journal round end 1` in <head>.last.

Old rows stay in the journal's log for a while, and `<head>.last` is always an old head. An attacker
must not be able to use either as the head of a journal cut to match. Signing is slow, so an append
is still signed only once: row and head share one signature, over a lock that only the head opens.
The nonce of each head is derived from the table's secret key, so the row does not reveal it.

The head is written with every append, so it must be quick. It is overwritten in place through a
descriptor that stays open, one sector in one call, a sixth of the cost of a new file. With O_DSYNC
the call returns when the sector is durable, as a `fdatasync` after it would.

All disks known to us write a sector whole or not at all. If one tears it, `<head>.last`, written in
the same way at the end of each round and never at the same time, still gives a lower bound. The
table opens, reports the damaged head and waits for a person. So a torn head neither stops the table
for good nor hides a loss.
"""

import hashlib
import os
import struct
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from controller.journal.errors import HeadDamaged, JournalDamaged, JournalUnwritable
from controller.journal.keys.signing import (
    PUBLIC_BYTES,
    SIGNATURE_BYTES,
    Signer,
    is_signed,
    raw_of,
    text_of,
)
from controller.journal.records import Head, canonical

SECTOR: Final = 512
_READS: Final = 50
_NUMBERS: Final = struct.Struct(">qq")
_APPEND: Final = b"sabot journal append 1\0"
_ROUND_END: Final = b"sabot journal round end 1\0"
HASH_BYTES: Final = 32


class HeadRole(Enum):
    """The place of a head. A line signed for another place is not a valid head."""

    HEAD = "head"
    LAST = "last"
    ROW = "row"


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    seq: int
    digest: str
    after: int
    key: str
    signature: str
    nonce: str | None = None


class KeptHead(msgspec.Struct, frozen=True):
    """A head as it was read or written."""

    head: Head
    after: int
    key: bytes
    signature: bytes
    role: HeadRole = HeadRole.HEAD
    """The place where it was found; the line does not name a place."""
    nonce: bytes = b""
    """The nonce that opens the lock; None except in a head."""
    lock: bytes = b""
    """The lock as stored in the row; that of a head read from disk is computed from its nonce."""

    def is_by(self, public: bytes) -> bool:
        """Whether the holder of this key signed it."""
        data = _place(self.head, self.after)
        if self.role is HeadRole.LAST:
            data = _ROUND_END + data
        else:
            data = _APPEND + data + (self.lock if self.role is HeadRole.ROW else _lock(self.nonce))
        return self.key == public and is_signed(data, self.signature, public)

    def row(self) -> "KeptHead":
        """The row for the journal's own table: with the lock, without the nonce."""
        lock = self.lock or _lock(self.nonce)
        return KeptHead(self.head, self.after, self.key, self.signature, HeadRole.ROW, lock=lock)

    def line(self) -> bytes:
        head = self.head
        key, signature = _key_text(self.key), text_of(self.signature)
        nonce = text_of(self.nonce) if self.nonce else None
        text = canonical(_Line(head.seq, head.digest.hex(), self.after, key, signature, nonce))
        return text.ljust(SECTOR - 1) + b"\n"


def signed_by(signer: Signer, head: Head, after: int, role: HeadRole = HeadRole.HEAD) -> KeptHead:
    place = _place(head, after)
    if role is HeadRole.LAST:
        return KeptHead(head, after, signer.public, signer.sign(_ROUND_END + place), role)
    nonce = signer.derived(place)
    lock = _lock(nonce)
    signature = signer.sign(_APPEND + place + lock)
    kept = KeptHead(head, after, signer.public, signature, HeadRole.HEAD, nonce, lock)
    return kept if role is HeadRole.HEAD else kept.row()


def _place(head: Head, after: int) -> bytes:
    return _NUMBERS.pack(after, head.seq) + head.digest


@lru_cache(maxsize=4)
def _key_text(key: bytes) -> str:
    """The key as text, cached: a table signs with the same key for years."""
    return text_of(key)


_SHA256: Final = hashlib.sha256()
"""Copied for each lock, because creating a hash object looks up its algorithm first."""


def _lock(nonce: bytes) -> bytes:
    hashed = _SHA256.copy()
    hashed.update(nonce)
    return hashed.digest()


def head_path_for(journal: Path) -> Path:
    """The default path of a journal's head."""
    return journal.with_name(journal.name + ".head")


def last_head_path(path: Path) -> Path:
    """The path of the copy that is written at the end of each round."""
    return path.with_name(path.name + ".last")


def read_head(path: Path, role: HeadRole = HeadRole.HEAD) -> KeptHead | None:
    """Read the head; `None` if there is no such file. Raises `HeadDamaged` if it holds no head."""
    try:
        return _parsed(path.read_bytes(), role)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalDamaged(
            f"the kept head {path} cannot be read ({error.strerror}): mend that disk first"
        ) from error
    except (msgspec.DecodeError, ValueError, struct.error) as error:
        raise HeadDamaged(
            f"the kept head {path} is damaged: nobody can tell from it how far the journal went"
        ) from error


def read_beside_writer(path: Path, role: HeadRole = HeadRole.HEAD) -> KeptHead | None:
    """Read the head while the table runs. The head is overwritten in place, so a half-written one
    is read again."""
    found: KeptHead | None = None
    for left in reversed(range(_READS)):
        try:
            found = read_head(path, role)
        except HeadDamaged:
            if left == 0:
                raise
            continue
        if found is None or found.is_by(found.key):
            break
    return found


def _parsed(data: bytes, role: HeadRole) -> KeptHead:
    line = msgspec.json.decode(data, type=_Line)
    head = Head(line.seq, bytes.fromhex(line.digest))
    if not 0 <= line.after <= head.seq < 1 << 63 or len(head.digest) != 32:
        raise ValueError("not a head")
    key, signature = raw_of(line.key, PUBLIC_BYTES), raw_of(line.signature, SIGNATURE_BYTES)
    nonce = b"" if line.nonce is None else raw_of(line.nonce, HASH_BYTES)
    return KeptHead(head, line.after, key, signature, role, nonce)


class HeadFile:
    """One head on disk, kept open: created whole the first time, then overwritten in place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = -1

    def write(self, line: bytes) -> None:
        """Write the head; durable on return. Raises `JournalUnwritable`."""
        try:
            if self._file < 0:
                write_whole(self.path, line)
                self._file = os.open(self.path, os.O_RDWR | os.O_DSYNC)
                return
            if os.pwrite(self._file, line, 0) != len(line):
                raise OSError(0, "it took only a part")
            if not os.fstat(self._file).st_nlink:
                raise OSError(0, "it was removed or replaced")
        except OSError as error:
            raise self._cannot(error.strerror) from error

    def check_in_place(self) -> None:
        """Raises `JournalUnwritable` if the open descriptor no longer belongs to the file of this
        name."""
        if self._file < 0:
            return
        try:
            there = os.path.samestat(os.fstat(self._file), os.stat(self.path))
        except OSError as error:
            raise self._cannot(error.strerror) from error
        if not there:
            raise self._cannot("it was replaced while the table ran")

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _cannot(self, why: str | None) -> JournalUnwritable:
        return JournalUnwritable(
            f"the head cannot be kept in {self.path}: {why}; the table stops, because without it "
            "a loss could not be shown"
        )


def write_whole(path: Path, data: bytes) -> None:
    """Replace a whole file atomically: after a power cut there is the old one or the new one."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the folder: a new name is durable only when its folder is."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

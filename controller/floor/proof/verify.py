"""Proves one archive file on its own: every byte is covered by a signature, and its records by a
root that was signed, and perhaps time-stamped, when they were new.

`deploy/floor/audit.py` returns the same verdicts and shares no code with this module.
"""

import struct
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from controller.floor.proof import tree
from controller.floor.proof.archive import ArchiveReader, month_of
from controller.floor.proof.form import SIGNED, Header, ProofError, raw
from controller.floor.proof.keys import is_proven_by
from controller.floor.proof.tree import HASH_BYTES
from controller.floor.proof.walk import Walk
from controller.journal.keys.signing import PUBLIC_BYTES, fingerprint
from controller.protocol.records import SentRecord


class ArchiveVerdict(msgspec.Struct, frozen=True):
    """The verdict: good, or the first fault."""

    header: Header | None
    fault: str | None = None
    unread: bool = False
    """The file could not be read, which proves nothing about its content."""

    @property
    def good(self) -> bool:
        return self.fault is None

    def __str__(self) -> str:
        header = self.header
        if self.unread:
            return f"it cannot be read: {self.fault}"
        if self.fault is not None or header is None:
            return f"bad: {self.fault}"
        by = fingerprint(raw(header.key, PUBLIC_BYTES))
        rooted = fingerprint(raw(header.root_key, PUBLIC_BYTES))
        return (
            f"good: {header.named}, records {header.first} to {header.last}, root of hour "
            f"{header.hour} by key {rooted}, file by key {by}"
        )


def verify(path: Path, keys: Collection[bytes] = ()) -> ArchiveVerdict:
    """Checks that the file is complete and sound and, with `keys`, signed by one of those."""
    try:
        with path.open("rb") as file:
            opened = ArchiveReader(file)
            _check_signed(opened, keys)
            opened.check_packed()
            _check_records(opened)
            return ArchiveVerdict(opened.header)
    except OSError as error:
        return ArchiveVerdict(None, error.strerror or str(error), unread=True)
    except (ProofError, struct.error) as error:  # a number that no signed 64 bits hold
        return ArchiveVerdict(None, str(error))


def proven(path: Path, keys: Collection[bytes] = ()) -> tuple[Header, Iterator[SentRecord]]:
    """The month's records of a good file; raises `ProofError` for any other."""
    verdict = verify(path, keys)
    if verdict.header is None:
        raise ProofError(f"{path}: {verdict}")
    return verdict.header, _of_month(path, verdict.header.last)


def _of_month(path: Path, last: int) -> Iterator[SentRecord]:
    with path.open("rb") as file:
        for record in ArchiveReader(file).records():
            if record.seq > last:
                return
            yield record


def _check_signed(opened: ArchiveReader, keys: Collection[bytes]) -> None:
    header, root = opened.header, opened.header.rooted
    key = raw(header.key, PUBLIC_BYTES)
    if not is_proven_by(key, SIGNED + opened.line, opened.signature):
        raise ProofError("the floor's signature does not fit its header")
    if not root.is_signed:
        raise ProofError("the floor's signature does not fit its root")
    if keys and not {key, root.key} <= set(keys):
        raise ProofError("it is signed by another key than the one that was given")
    path = [raw(side, HASH_BYTES) for side in header.path]
    if tree.root_by(path, tree.leaf(header.head), header.index, header.size) != root.root:
        raise ProofError("its head does not come to its root")
    if not 0 < header.first <= header.last <= header.head_seq:
        raise ProofError("its record numbers are out of order")


def _check_records(opened: ArchiveReader) -> None:
    header, month = opened.header, ""
    walk = Walk(header.first - 1, raw(header.before, HASH_BYTES))
    for record in opened.records():
        walk.take(record)
        if record.seq == header.last:
            month = month_of(record.at)
            if walk.digest.hex() != header.end:
                raise ProofError("its last record is not the one that its header speaks of")
    if (walk.seq, walk.digest) != (header.head_seq, header.head.digest):
        raise ProofError("its records do not come to its head")
    if month != header.month:
        raise ProofError("its last record is of another month")

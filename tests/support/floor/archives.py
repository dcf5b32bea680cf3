"""Archive files to try things on: small, from records that are chained for real."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from controller.floor.proof import roots
from controller.floor.proof.archive import ArchivePart, Written, write
from controller.floor.proof.roots import KeptRoot
from controller.floor.proof.tree import SiteHead
from controller.journal.keys.record import first_entry
from controller.journal.keys.signing import Signer
from controller.journal.records import (
    EMPTY,
    KEYS,
    NO_DIGEST,
    RECORD_FORMAT,
    STEP,
    Entry,
    Head,
    Record,
    canonical,
    chain_entry,
)
from controller.protocol.records import SentRecord, sent

FLOOR, OTHER = Signer(b"f" * 32), Signer(b"o" * 32)
NOVEMBER = 1_793_491_200.0
"""2026-11-01 00:00 UTC."""


def journal(count: int, begin: float = NOVEMBER) -> list[Record]:
    """So many records, the first of them with the keys."""
    head, found = EMPTY, []
    for n in range(1, count + 1):
        kind, body = STEP, canonical({"word": f"w{n}"})
        if n == 1:
            kind, body = KEYS, canonical(first_entry(Signer(b"t" * 32), "a" * 16))
        blob = b"blob %d" % n if n % 3 == 0 else None
        record = chain_entry(head, Entry(kind, RECORD_FORMAT, begin + n, 1, n // 10, body, blob))
        head = Head(record.seq, record.digest)
        found.append(record)
    return found


def left(records: Sequence[Record]) -> list[SentRecord]:
    return [*map(sent, records)]


def root(records: Sequence[SentRecord], signer: Signer = FLOOR, others: int = 4) -> KeptRoot:
    """Of this table and of some beside it."""
    mine = SiteHead("sands", "bac-03", 1, records[-1].seq, records[-1].digest)
    beside = [
        SiteHead("sands", f"bac-{n:02}", 1, n, hashlib.sha256(b"%d" % n).digest())
        for n in range(others)
    ]
    beside = [each for each in beside if each.table != mine.table]
    return roots.rooted(signer, "sands", int(NOVEMBER) + 7200, [mine, *beside], None)


def part(records: Sequence[SentRecord], first: int, last: int, kept: KeptRoot) -> ArchivePart:
    before = NO_DIGEST if first == 1 else records[first - 2].digest
    path = roots.path_in(kept, ("sands", "bac-03", 1))
    assert path is not None
    return ArchivePart(first, last, before, path, kept.root)


def archived(
    path: Path, count: int = 12, first: int = 1, last: int = 10, signer: Signer = FLOOR
) -> Written:
    """Records `first` to `last` of a journal of `count`, which is how far its head was."""
    records = left(journal(count))
    about = part(records, first, last, root(records, signer, others=6))
    return write(path, about, records[first - 1 :], signer, NOVEMBER + 9000)

"""Archive files to try things on: small, from records that are chained for real."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from controller.floor.proof import roots
from controller.floor.proof.archive import Part, Written, write
from controller.floor.proof.roots import KeptRoot
from controller.floor.proof.tree import SiteHead
from controller.journal.keys.record import Older, first_entry, over_older
from controller.journal.keys.signing import Signer
from controller.journal.records import (
    EMPTY,
    FORM,
    KEYS,
    NO_DIGEST,
    STEP,
    Entry,
    Head,
    Record,
    canonical,
    chained,
)
from controller.protocol.records import SentRecord, sent

FLOOR, OTHER = Signer(b"f" * 32), Signer(b"o" * 32)
NOVEMBER = 1_793_491_200.0
"""2026-11-01 00:00 UTC."""


def journal(count: int, older: int = 0, begin: float = NOVEMBER) -> list[Record]:
    """So many records, the first `older` of them of form 3, with a `keys` record after those."""
    head, second, found = EMPTY, NO_DIGEST, []
    for n in range(1, count + 1):
        kind, version, body = STEP, (3 if n <= older else FORM), canonical({"word": f"w{n}"})
        if n == older + 1:
            kind = KEYS
            vouched = Older(older, second.hex()) if older else None
            body = canonical(first_entry(Signer(b"t" * 32), "a" * 16, vouched))
        blob = b"blob %d" % n if n % 3 == 0 else None
        record = chained(head, Entry(kind, version, begin + n, 1, n // 10, body, blob))
        second = over_older(second, record)
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


def part(
    records: Sequence[SentRecord], first: int, last: int, kept: KeptRoot, older: bytes = NO_DIGEST
) -> Part:
    before = NO_DIGEST if first == 1 else records[first - 2].digest
    path = roots.path_in(kept, ("sands", "bac-03", 1))
    assert path is not None
    return Part(first, last, before, path, kept.root, older=older)


def archived(
    path: Path,
    count: int = 12,
    first: int = 1,
    last: int = 10,
    older: int = 0,
    signer: Signer = FLOOR,
) -> Written:
    """Records `first` to `last` of a journal of `count`, which is how far its head was."""
    records, second = left(journal(count, older)), NO_DIGEST
    if first <= older + 1:
        for record in records[: first - 1]:
            second = over_older(second, record.as_record(), hashed=True)
    about = part(records, first, last, root(records, signer, others=6), second)
    return write(path, about, records[first - 1 :], signer, NOVEMBER + 9000)

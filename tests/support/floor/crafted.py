"""Archive files that no floor writes, signed by one all the same: from their records' bytes."""

import hashlib
import lzma
import struct
from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.floor.proof import roots
from controller.floor.proof.archive import month_of
from controller.floor.proof.form import MAGIC, SIGNED, START, Header
from controller.floor.proof.tree import SiteHead
from controller.journal.records import NO_DIGEST, canonical
from support.floor.archives import FLOOR, NOVEMBER


class Crafted(msgspec.Struct):
    """A record with whatever a file can hold."""

    body: bytes = b"{}"
    kind: bytes = b"step"
    version: int = 1
    at: float = NOVEMBER

    def covered(self, seq: int) -> bytes:
        start = START.pack(seq, self.version, 0, 0, self.at, len(self.kind))
        return start + self.kind + struct.pack(">I", len(self.body)) + self.body + b"\xff" * 4


def crafted(path: Path, records: Sequence[Crafted]) -> Path:
    """All of them in one file, which is good but for what is odd about them."""
    digest, raw = NO_DIGEST, b""
    for seq, each in enumerate(records, start=1):
        covered = each.covered(seq)
        digest = hashlib.sha256(digest + covered).digest()
        raw += covered
    packed = lzma.compress(raw)
    head = SiteHead("sands", "bac-03", 1, len(records), digest)
    root = roots.rooted(FLOOR, "sands", int(NOVEMBER) + 7200, [head], None).root
    header = canonical(
        Header(
            site="sands", table="bac-03", epoch=1, month=month_of(records[-1].at), first=1,
            last=len(records), before=NO_DIGEST.hex(), end=digest.hex(),
            head_seq=len(records), head_digest=digest.hex(), index=0, path=(), hour=root.hour,
            previous=root.previous.hex(), size=1, root=root.root.hex(), root_key=root.key.hex(),
            root_signature=root.signature.hex(), stamp=None, key=FLOOR.public.hex(),
            packed=len(packed), packed_sha256=hashlib.sha256(packed).hexdigest(),
            unpacked=len(raw), written=5,
        )
    )  # fmt: skip
    signature = FLOOR.sign(SIGNED + header).hex().encode()
    path.write_bytes(MAGIC + header + b"\n" + signature + b"\n" + packed)
    return path

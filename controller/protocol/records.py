"""Records in transit from a table to its floor, and the floor's replies.

A table stores no cursor: the last reply is the cursor. It sends an empty batch first, and the reply
contains the floor's position; then batches that follow from there, one at a time. Without a reply
the same batch is sent again. A batch is MessagePack over NATS and JSON over HTTPS.

A sealed card never leaves its table: `sealed` is the SHA-256 of the journal's blob.
"""

import hashlib
import struct
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from controller.journal.keys.signing import Signer, is_signed
from controller.journal.records import EMPTY, Head, Record
from controller.protocol.names import TableName

VERSION: Final = 1
MAX_RECORDS: Final = 256
MAX_BYTES: Final = 128 * 1024
"""Maximum size of the bodies of a batch; a longer record is sent alone."""

_NUMBERS: Final = struct.Struct(">qq")
_WATERMARK: Final = b"sabot floor watermark 1\0"


class SentRecord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A journal's record with a hash in place of its sealed card."""

    seq: int
    kind: str
    version: int
    at: float
    shoe: int
    round: int
    body: bytes
    sealed: bytes | None
    digest: bytes

    def as_record(self) -> Record:
        """The record as in a copy without blobs: see `controller.journal.records`."""
        return Record(
            self.kind,
            self.version,
            self.at,
            self.shoe,
            self.round,
            self.body,
            self.sealed,
            seq=self.seq,
            digest=self.digest,
        )


def sent(record: Record) -> SentRecord:
    """The record in the form that may leave the table."""
    sealed = None if record.sealed is None else hashlib.sha256(record.sealed).digest()
    return SentRecord(
        record.seq,
        record.kind,
        record.version,
        record.at,
        record.shoe,
        record.round,
        record.body,
        sealed,
        record.digest,
    )


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Records that follow `prev`, in order and without a gap; an empty batch asks for the floor's
    position."""

    site: str
    table: str
    epoch: int
    """The table's history; 0 asks for it. Only the floor begins another, authorised by two
    people."""
    instance: str
    """Random at each start of a table: two that alternate under one name are two tables."""
    key: bytes
    """The public half of the key that signs the table's journal."""
    after: int
    prev: bytes
    """The number and the digest of the record before the first."""
    records: list[SentRecord] = []
    replayed: bool = False
    """Sent while catching up, so that screens do not show old results as news."""
    v: int = VERSION

    @property
    def name(self) -> TableName:
        return TableName(self.site, self.table)


class BatchVerdict(StrEnum):
    """The floor's result for a batch."""

    COMMITTED = "committed"
    """The floor has everything up to `seq`: what was sent, or what it had before. If it is lower
    than what was sent, continue from there."""
    DIVERGED = "diverged"
    """The floor has another history. The table is held; nothing is overwritten."""
    REFUSED = "refused"
    """Not a batch of this table: see `why`."""


class Refusal(StrEnum):
    """The reason for which a batch was not processed."""

    UNKNOWN_TABLE = "unknown_table"
    REVOKED = "revoked"
    NOT_YOUR_NAME = "not_your_name"
    NOT_A_BATCH = "not_a_batch"
    CLONED = "cloned"
    """Another table sends under the same name."""
    TRY_LATER = "try_later"


class Watermark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the floor has a table's records, signed by the floor. Stored next to the head, it
    reveals a disk that lost acknowledged writes."""

    site: str
    table: str
    epoch: int
    seq: int
    digest: bytes
    verdict: BatchVerdict
    signature: bytes = b""
    why: Refusal | None = None
    v: int = VERSION

    @property
    def head(self) -> Head:
        return Head(self.seq, self.digest)

    def is_by(self, public: bytes) -> bool:
        """Whether the floor with this key signed it."""
        return is_signed(_said(self), self.signature, public)


def watermark(
    signer: Signer,
    name: TableName,
    epoch: int,
    head: Head = EMPTY,
    verdict: BatchVerdict = BatchVerdict.COMMITTED,
    why: Refusal | None = None,
) -> Watermark:
    """Build the floor's signed reply."""
    answer = Watermark(name.site, name.table, epoch, head.seq, head.digest, verdict, why=why)
    return msgspec.structs.replace(answer, signature=signer.sign(_said(answer)))


def _said(mark: Watermark) -> bytes:
    texts = (mark.site, mark.table, mark.verdict.value, mark.why.value if mark.why else "")
    named = b"\0".join(each.encode() for each in texts)
    return _WATERMARK + named + b"\0" + _NUMBERS.pack(mark.epoch, mark.seq) + mark.digest


def cut(records: Sequence[Record], most: int = MAX_RECORDS, size: int = MAX_BYTES) -> int:
    """How many of these records make one batch: at least one if there is any."""
    taken = size_so_far = 0
    for record in records[:most]:
        size_so_far += len(record.body)
        if taken and size_so_far > size:
            break
        taken += 1
    return taken

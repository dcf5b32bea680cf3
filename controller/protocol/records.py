"""Records on their way from a table to its floor, and what the floor answers.

A table keeps no cursor: the last reply is the cursor. It sends an empty batch first, and the reply
says where the floor stands; then batches that follow from there, one at a time. No reply means that
nobody knows: the same is sent again. A batch is MessagePack over NATS and JSON over HTTPS.

A sealed card never leaves its table: `sealed` is the SHA-256 of what the journal has there.
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
"""Of the bodies of a batch; one record may be longer than that and goes alone."""

_NUMBERS: Final = struct.Struct(">qq")
_WATERMARK: Final = b"sabot floor watermark 1\0"


class SentRecord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A journal's record with a hash in the place of what is sealed."""

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
        """As it stands in a copy without blobs: see `controller.journal.records`."""
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
    """The record as it may leave the table."""
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
    """Records that follow `prev`, in order and without a gap; none of them asks where the floor
    stands."""

    site: str
    table: str
    epoch: int
    """Which history of the table: 0 asks. Only the floor begins another, by two people's word."""
    instance: str
    """Made again at each start of a table: two that speak in turn under one name are two tables."""
    key: bytes
    """The public half of the key that signs the table's journal."""
    after: int
    prev: bytes
    """The number and the digest of the record before the first."""
    records: list[SentRecord] = []
    replayed: bool = False
    """Sent while catching up: screens do not show old results as news."""
    v: int = VERSION

    @property
    def name(self) -> TableName:
        return TableName(self.site, self.table)


class BatchVerdict(StrEnum):
    """What the floor made of a batch."""

    COMMITTED = "committed"
    """The floor has everything up to `seq`: what was sent, or what it had before. A lower number
    than was sent means: go on from there."""
    DIVERGED = "diverged"
    """Another history than the floor has. The table holds; nothing is overwritten."""
    REFUSED = "refused"
    """Not a batch of this table: see `why`."""


class Refusal(StrEnum):
    """Why a batch was not looked at."""

    UNKNOWN_TABLE = "unknown_table"
    REVOKED = "revoked"
    NOT_YOUR_NAME = "not_your_name"
    NOT_A_BATCH = "not_a_batch"
    CLONED = "cloned"
    """Another table speaks under the same name."""
    TRY_LATER = "try_later"


class Watermark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the floor has a table's records, over the floor's signature: kept next to the head,
    it shows a disk that forgets."""

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
        """Did the floor that holds this key say so?"""
        return is_signed(_said(self), self.signature, public)


def watermark(
    signer: Signer,
    name: TableName,
    epoch: int,
    head: Head = EMPTY,
    verdict: BatchVerdict = BatchVerdict.COMMITTED,
    why: Refusal | None = None,
) -> Watermark:
    """What a floor answers, signed."""
    answer = Watermark(name.site, name.table, epoch, head.seq, head.digest, verdict, why=why)
    return msgspec.structs.replace(answer, signature=signer.sign(_said(answer)))


def _said(mark: Watermark) -> bytes:
    texts = (mark.site, mark.table, mark.verdict.value, mark.why.value if mark.why else "")
    named = b"\0".join(each.encode() for each in texts)
    return _WATERMARK + named + b"\0" + _NUMBERS.pack(mark.epoch, mark.seq) + mark.digest


def cut(records: Sequence[Record], most: int = MAX_RECORDS, size: int = MAX_BYTES) -> int:
    """How many of these make one batch: at least one where there is any."""
    taken = size_so_far = 0
    for record in records[:most]:
        size_so_far += len(record.body)
        if taken and size_so_far > size:
            break
        taken += 1
    return taken

"""Follows the chain of records whose sealed parts are replaced by a hash."""

import math

from controller.floor.proof.form import ProofError
from controller.floor.proof.tree import HASH_BYTES
from controller.journal.records import NO_DIGEST, follows
from controller.protocol.records import SentRecord


class Walk:
    """Checks records in sequence, from a digest on; raises `ProofError` at the first mismatch."""

    def __init__(self, after: int, before: bytes) -> None:
        if after == 0 and before != NO_DIGEST:
            raise ProofError("nothing comes before record 1")
        self.seq = after
        self.digest = before

    def take(self, record: SentRecord) -> None:
        if record.seq != self.seq + 1:
            raise ProofError(f"record {record.seq} stands where record {self.seq + 1} belongs")
        sealed_fits = record.sealed is None or len(record.sealed) == HASH_BYTES
        if not (sealed_fits and math.isfinite(record.at) and len(record.digest) == HASH_BYTES):
            raise ProofError(f"record {record.seq} has a value that no record has")
        if follows(self.digest, record.as_record(), hashed=True) != record.digest:
            raise ProofError(f"record {record.seq} does not follow from record {self.seq}")
        self.seq, self.digest = record.seq, record.digest

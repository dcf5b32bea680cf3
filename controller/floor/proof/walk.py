"""Following the chain of records that have a hash in the place of what is sealed.

The digest of a record of a form before 4 cannot be made anew from a copy. All of them together are
vouched for by the first `keys` record (`controller.journal.keys.record`), which has a second digest
over them; until that record has been seen nobody but the floor answers for them.
"""

import math

from controller.floor.proof.form import ProofError
from controller.floor.proof.tree import HASH_BYTES
from controller.journal.chain import follows
from controller.journal.keys.record import Older, over_older, vouches
from controller.journal.records import FORM, KEYS, NO_DIGEST
from controller.protocol.records import SentRecord


class Walk:
    """Records one after another from a digest on; raises `ProofError` at one that does not fit."""

    def __init__(self, after: int, before: bytes, older: bytes = NO_DIGEST) -> None:
        if after == 0 and (before, older) != (NO_DIGEST, NO_DIGEST):
            raise ProofError("nothing comes before record 1")
        self.seq = after
        self.digest = before
        self.older = older
        """The second digest; zeros from form 4 on."""
        self.unvouched = 0
        """Records of older forms that no `keys` record has answered for yet."""
        self._newer = False

    def take(self, record: SentRecord) -> None:
        self._check_fields(record)
        if record.version < FORM:
            self._take_older(record)
        else:
            self._take_newer(record)
        self.seq, self.digest = record.seq, record.digest

    def _check_fields(self, record: SentRecord) -> None:
        if record.seq != self.seq + 1:
            raise ProofError(f"record {record.seq} stands where record {self.seq + 1} belongs")
        sealed_fits = record.sealed is None or len(record.sealed) == HASH_BYTES
        if not (sealed_fits and math.isfinite(record.at) and len(record.digest) == HASH_BYTES):
            raise ProofError(f"record {record.seq} has a value that no record has")

    def _take_older(self, record: SentRecord) -> None:
        if self._newer:
            raise ProofError(f"record {record.seq} is of an older form than the one before it")
        self.older = over_older(self.older, record.as_record(), hashed=True)
        self.unvouched += 1

    def _take_newer(self, record: SentRecord) -> None:
        if follows(self.digest, record.as_record(), hashed=True) != record.digest:
            raise ProofError(f"record {record.seq} does not follow from record {self.seq}")
        if not self._newer and self.older != NO_DIGEST:
            self._vouch(record)
        self._newer, self.older = True, NO_DIGEST

    def _vouch(self, record: SentRecord) -> None:
        """The first record of form 4 after older ones names the keys, and answers for those."""
        if record.kind != KEYS or not vouches(record.body, Older(self.seq, self.older.hex())):
            raise ProofError(f"record {record.seq} does not vouch for the older ones before it")
        self.unvouched = 0

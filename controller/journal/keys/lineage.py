"""The succession of a journal's keys, from its first `keys` record to its last.

Each key endorses the next with its own signature, so a person who knows any one of them can check
whether the newest is the right one.
"""

from collections.abc import Callable, Iterable, Iterator

from controller.journal.errors import JournalDamaged
from controller.journal.head import KeptHead
from controller.journal.keys.record import Named, is_endorsed, keys_in_record
from controller.journal.keys.signing import fingerprint
from controller.journal.loss import HeadFound
from controller.journal.records import EMPTY, KEYS, Head, Record
from controller.journal.tampering import Reason, TamperingFault


class Lineage:
    """Collects the key succession while every record of a journal is fed in order."""

    def __init__(self) -> None:
        self.keys: list[Named] = []
        self.fault: TamperingFault | None = None
        """The first inconsistency found."""
        self._before = EMPTY
        self._endorsed = 0
        """The last record that a key signed when it endorsed the next."""

    def follow_keys(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self.fault = self.fault or self._wrong(record)
            self._before = Head(record.seq, record.digest)
            yield record

    def key_at(self, seq: int) -> bytes | None:
        """The key of a head at record `seq`: the last one named before it, otherwise the first."""
        if not self.keys:
            return None
        before = [each for each in self.keys if each.seq <= seq]
        return (before[-1] if before else self.keys[0]).public

    def last_vouched_record(
        self, head: Head, kept: Iterable[HeadFound], digest_at: Callable[[int], bytes | None]
    ) -> int:
        """The last record up to `head` that a signature of the journal's own keys covers; 0 if none
        does. A consistent chain is no proof by itself: anyone with write access to the file can
        recompute it."""
        most = head.seq if self.fault is None else min(head.seq, self.fault.seq - 1)
        reached = [
            each.head.seq
            for each in kept
            if isinstance(each, KeptHead)
            and each.head.seq <= most
            and each.is_by(self.key_at(each.head.seq) or b"")
            and digest_at(each.head.seq) == each.head.digest
        ]
        return max([min(self._endorsed, most), *reached])

    def _wrong(self, record: Record) -> TamperingFault | None:
        if record.kind == KEYS:
            return self._handed_on(record)
        if self.keys:
            return None
        text = f"record {record.seq} comes before any that names a key"
        return TamperingFault(record.seq, Reason.KEYS, text)

    def _handed_on(self, record: Record) -> TamperingFault | None:
        try:
            named = keys_in_record(record)
        except JournalDamaged:
            text = f"record {record.seq} should name the journal's keys and does not"
            return TamperingFault(record.seq, Reason.KEYS, text)
        last = self.keys[-1] if self.keys else None
        if last is None:
            wrong = None
        elif is_endorsed(named.body, self._before, last.public):
            wrong = None
            self._endorsed = self._before.seq if self.fault is None else self._endorsed
        else:
            text = (
                f"record {record.seq} hands the journal on to key {fingerprint(named.public)}, and "
                f"the key before, {fingerprint(last.public)}, has not signed that after what comes "
                "before it here: somebody else wrote this record, or made the ones before it anew"
            )
            wrong = TamperingFault(record.seq, Reason.KEYS, text)
        self.keys.append(named)
        return wrong

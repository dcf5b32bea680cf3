"""Whose journal it is, from its first `keys` record to its last: collected while it is walked.

Each key hands on to the next with its own signature, so whoever knows one of them, from whenever,
knows whether the newest is the right one."""

from collections.abc import Callable, Iterable, Iterator

from controller.journal.errors import JournalDamaged
from controller.journal.head import KeptHead
from controller.journal.keys.record import Named, is_endorsed, keys_in_record
from controller.journal.keys.signing import fingerprint
from controller.journal.loss import HeadFound
from controller.journal.records import EMPTY, KEYS, Head, Record
from controller.journal.tampering import Reason, TamperingFault


class Lineage:
    """Fed with every record of a journal in order."""

    def __init__(self) -> None:
        self.keys: list[Named] = []
        self.fault: TamperingFault | None = None
        """The first thing that no table would write."""
        self._before = EMPTY
        self._endorsed = 0
        """The last record that a key vouched for when it handed on to the next."""

    def follow_keys(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self.fault = self.fault or self._wrong(record)
            self._before = Head(record.seq, record.digest)
            yield record

    def key_at(self, seq: int) -> bytes | None:
        """The key of a head at record `seq`: named last before it, or first of all."""
        if not self.keys:
            return None
        before = [each for each in self.keys if each.seq <= seq]
        return (before[-1] if before else self.keys[0]).public

    def last_vouched_record(
        self, head: Head, kept: Iterable[HeadFound], digest_at: Callable[[int], bytes | None]
    ) -> int:
        """The last record of those up to `head` that a signature of the journal's own keys vouches
        for, 0 where none does. A chain that follows proves nothing by itself: whoever can write to
        the file can make all of it again."""
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

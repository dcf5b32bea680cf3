"""Detects losses of a journal by comparing it with its head and with its own signature.

A commit comes before its head, so a power cut between the two leaves the journal one append ahead
of its head. That append was never acknowledged to anyone, so it is good. More than one append ahead
is a loss, because the next append never begins before the head of the last one is durable.

A table that goes on over a loss records it, as a step with the event `journal_loss`, and signs that
too. From then on the chain is whole again, and only that record shows the loss.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple

import msgspec

from controller.journal.bodies import step_of
from controller.journal.errors import HeadDamaged
from controller.journal.head import KeptHead
from controller.journal.keys.signing import fingerprint
from controller.journal.records import STEP, Head, Record
from controller.messages.catalogue import english
from controller.messages.codes import Code
from controller.messages.sentence import Sentence


class LossKind(Enum):
    DAMAGED = "damaged"
    """Rows after the last good record do not fit the chain, or the table never signed them."""
    MISSING = "missing"
    """The head is ahead: the end was lost, or an old copy was put back."""
    FOREIGN = "foreign"
    """The head has another digest: the history was edited, or is another table's."""
    NO_HEAD = "no head"
    """There are records but no head, so missing records cannot be detected."""
    HEAD_DAMAGED = "head damaged"
    """The head exists but cannot be read."""
    HEAD_FOREIGN = "head foreign"
    """The head is signed by a key that the journal does not name there, or its signature is
    invalid."""
    HEAD_BEHIND = "head behind"
    """The journal is more than one append ahead: an old head was put back."""
    UNSIGNED = "unsigned"
    """The journal's own end is not signed by its key."""


class Loss(msgspec.Struct, frozen=True):
    kind: LossKind
    expected: Head | None
    """The head as found; `None` if there is none."""
    found: Head
    """The last good record; for a foreign history the record at the head's place."""
    damaged_rows: int
    """Number of rows that do not fit; the first append moves them to the table `damaged`."""
    text: str = msgspec.field(name="says")

    def __str__(self) -> str:
        return self.text


class RecordedLoss(NamedTuple):
    """A loss that the table recorded when it went on."""

    seq: int
    note: Sentence

    def __str__(self) -> str:
        return (
            f"record {self.seq}: loss recorded by the table: {english(self.note)}; nothing before "
            "it is vouched for beyond that"
        )


_EVENT: Final = "journal_loss"
_QUOTED: Final = f'"{_EVENT}"'.encode()
"""A cheap test before decoding: few records contain it."""


def collect_losses(losses: list[RecordedLoss], records: Iterable[Record]) -> Iterator[Record]:
    """Pass the records through and append each loss that one of them records to `losses`."""
    for record in records:
        if record.kind == STEP and _QUOTED in record.body:
            losses += _recorded_in(record)
        yield record


def _recorded_in(record: Record) -> list[RecordedLoss]:
    try:
        line = step_of(record).line
        if line.event != _EVENT:
            return []
        sentence_ = msgspec.convert(line.given.get("note"), Sentence | None)
    except (ValueError, RecursionError):
        return []  # the record only mentions the event
    return [RecordedLoss(record.seq, sentence_ or Sentence(Code.JOURNAL_LOST.value))]


class JournalEnd(NamedTuple):
    """A journal as far as its chain holds, with its own signature."""

    head: Head
    signed: KeptHead | None
    digest_at: Callable[[int], bytes | None]
    key_at: Callable[[int], bytes | None]
    """The key that signs a head there; `None` in a journal that names none."""


class SuspectedLoss(NamedTuple):
    kind: LossKind
    seq: int
    """The record that it covers."""
    text: str


HeadFound = KeptHead | HeadDamaged | None
"""The head as found; an unreadable one differs from none."""


def doubt_about(end: JournalEnd, kept: HeadFound, *, keyed: bool = False) -> SuspectedLoss | None:
    """Return why the journal and its head are inconsistent. `keyed` means that a key is known even
    if the journal names none: then an empty journal needs a head."""
    found = doubt_of_head(end, kept, keyed=keyed)
    if found is not None:
        return found
    if end.key_at(end.head.seq) is None:
        return None if end.signed is None else _signed_by_nobody(end, end.signed)
    return doubt_of_signature(end) or _behind(end, kept)


def doubt_of_head(end: JournalEnd, kept: HeadFound, *, keyed: bool = False) -> SuspectedLoss | None:
    """Return what is wrong with the head itself, and between it and the chain."""
    return _of_head_itself(end, kept, keyed=keyed) or _between(end, kept)


def _of_head_itself(end: JournalEnd, kept: HeadFound, *, keyed: bool) -> SuspectedLoss | None:
    seq = end.head.seq
    if kept is None:
        if seq == 0 and not keyed:
            return None
        text = (
            f"the journal ends at record {seq}, but no head was kept to compare it with: nobody "
            "can tell whether its end is missing"
        )
        return SuspectedLoss(LossKind.NO_HEAD, seq, text)
    if isinstance(kept, HeadDamaged):
        return SuspectedLoss(LossKind.HEAD_DAMAGED, seq, str(kept))
    return _of_its_key(kept, end.key_at(kept.head.seq))


def _of_its_key(kept: KeptHead, named: bytes | None) -> SuspectedLoss | None:
    seq = kept.head.seq
    if named is not None and kept.key != named:
        text = (
            f"the kept head (record {seq}) is signed by key {fingerprint(kept.key)}, but there the "
            f"journal's key is {fingerprint(named)}"
        )
        return SuspectedLoss(LossKind.HEAD_FOREIGN, seq, text)
    if not kept.is_by(kept.key):
        text = f"the kept head (record {seq}) is not as it was signed: somebody edited it"
        return SuspectedLoss(LossKind.HEAD_FOREIGN, seq, text)
    return None


def _between(end: JournalEnd, kept: HeadFound) -> SuspectedLoss | None:
    if kept is None or isinstance(kept, HeadDamaged):
        return None
    seq = kept.head.seq
    if seq > end.head.seq:
        text = (
            f"the journal ends at record {end.head.seq}, but record {seq} had been written: its "
            "end was lost, or an old copy was put back"
        )
        return SuspectedLoss(LossKind.MISSING, end.head.seq + 1, text)
    if end.digest_at(seq) != kept.head.digest:
        text = (
            f"record {seq} is not the one that was written: the history was edited, or this is "
            "another table's journal"
        )
        return SuspectedLoss(LossKind.FOREIGN, seq, text)
    return None


def doubt_of_signature(end: JournalEnd) -> SuspectedLoss | None:
    """Return what is wrong with the signature that is committed with the journal's last record."""
    signed, last = end.signed, end.head.seq
    if signed is None:
        text = f"nobody has signed the journal's own end, record {last}"
        return SuspectedLoss(LossKind.UNSIGNED, last, text)
    if signed.head.seq > last:
        text = f"the journal ends at record {last}, and had signed record {signed.head.seq}"
        return SuspectedLoss(LossKind.MISSING, last + 1, text)
    if not signed.is_by(end.key_at(signed.head.seq) or b""):
        text = f"the signature in the journal itself does not fit record {signed.head.seq}"
        return SuspectedLoss(LossKind.UNSIGNED, signed.head.seq, text)
    if signed.head.seq < last:
        first = signed.head.seq + 1
        text = f"the table has not signed record {first}, nor what follows it: somebody put it in"
        return SuspectedLoss(LossKind.UNSIGNED, first, text)
    return None


def doubt_of_last(end: JournalEnd, kept: HeadFound, last: HeadFound) -> SuspectedLoss | None:
    """Compare the copy of the last round's end with journal and head, because both may have been
    put back together. A torn or unsigned copy is ignored."""
    if not isinstance(last, KeptHead) or not last.is_by(last.key):
        return None
    seq, named = last.head.seq, end.key_at(last.head.seq)
    if named is not None and last.key != named:
        text = (
            f"the last round's end (record {seq}) was signed by key {fingerprint(last.key)}, but "
            f"there the journal's key is {fingerprint(named)}: an old copy was put back, or this "
            "is another table's journal"
        )
        return SuspectedLoss(LossKind.HEAD_FOREIGN, seq, text)
    found = _between(end, last)
    if found is not None:
        return found._replace(text=f"by its copy of the last round's end {found.text}")
    if isinstance(kept, KeptHead) and seq > kept.head.seq:
        text = (
            f"the kept head says record {kept.head.seq}, and a round had ended at record {seq}: an "
            "old head was put back"
        )
        return SuspectedLoss(LossKind.HEAD_BEHIND, kept.head.seq + 1, text)
    return None


def _signed_by_nobody(end: JournalEnd, signed: KeptHead) -> SuspectedLoss:
    """Whether all signed records were cut off."""
    text = (
        f"the journal had signed record {signed.head.seq}, and names no key any more: it was cut "
        f"back to record {end.head.seq}"
    )
    return SuspectedLoss(LossKind.MISSING, end.head.seq + 1, text)


def _behind(end: JournalEnd, kept: HeadFound) -> SuspectedLoss | None:
    assert isinstance(kept, KeptHead)
    assert end.signed is not None
    if kept.head.seq >= end.signed.after:
        return None
    text = (
        f"the kept head says record {kept.head.seq}, and the journal goes on to record "
        f"{end.head.seq}, more than one append further: an old head was put back"
    )
    return SuspectedLoss(LossKind.HEAD_BEHIND, kept.head.seq + 1, text)

"""Explains how a broken chain was changed.

A record's digest covers its predecessor's digest, its number and its fields. So an edited row no
longer follows but its successor still fits; a moved row fits at its original place; a row without a
fitting predecessor or successor is foreign.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import repeat, zip_longest
from typing import Final

from msgspec.structs import replace

from controller.journal.database import BEFORE_ALL, INDEXES, Database
from controller.journal.errors import JournalDamaged
from controller.journal.records import SUMMARY, Head, Record, follows, record_of

MAX_SHIFT: Final = 1000
"""Maximum number of removed rows that are recognised when the rest was renumbered to hide the gap.
"""


class Reason(Enum):
    EDITED = "edited row"
    REMOVED = "removed row"
    FOREIGN = "foreign row inserted"
    ORDER = "wrong order"
    UNREADABLE = "unreadable"
    HEAD = "head mismatch"
    NO_HEAD = "no head"
    HEAD_DAMAGED = "damaged head"
    HEAD_FOREIGN = "head by another key"
    HEAD_BEHIND = "old head put back"
    UNSIGNED = "unsigned records"
    KEY = "another key"
    KEYS = "forged keys record"
    INDEX = "false index"


_REPAIR: Final = (
    "keep the file as evidence, then restore a backup, or take over with `sabot journal recover` "
    "what still follows"
)
RESTORE: Final = (
    "keep the file as evidence, look for whoever could write to it, and restore a backup"
)
"""For a chain that was recomputed completely: there is nothing to recover."""
EVIDENCE: Final = "keep journal and head as evidence, then start the table, which records it"
WHAT_TO_DO: Final = {
    Reason.EDITED: _REPAIR,
    Reason.REMOVED: _REPAIR,
    Reason.FOREIGN: _REPAIR,
    Reason.ORDER: _REPAIR,
    Reason.UNREADABLE: _REPAIR,
    Reason.KEYS: RESTORE,
    Reason.INDEX: _REPAIR,
    Reason.HEAD: (
        "keep journal and head as evidence, then look for a later copy of the journal, or restore "
        "a backup"
    ),
    Reason.NO_HEAD: (
        "say where it lies with --head or --config; where it is gone, start the table, which "
        "records that"
    ),
    Reason.HEAD_DAMAGED: EVIDENCE,
    Reason.HEAD_FOREIGN: EVIDENCE,
    Reason.HEAD_BEHIND: EVIDENCE,
    Reason.UNSIGNED: EVIDENCE,
    Reason.KEY: "compare the fingerprints with what the site wrote down when the table was set up",
}


@dataclass(frozen=True, slots=True)
class TamperingFault:
    seq: int
    """The first record that is not as it was written."""
    reason: Reason
    text: str
    do: str | None = None
    """The remedy, if it differs from the standard one for that reason; empty if `text` contains it.
    """

    @property
    def what_to_do(self) -> str:
        return WHAT_TO_DO[self.reason] if self.do is None else self.do


class IndexCheck:
    """Checks the indexes against every record, fed in order. An index that lacks a record, or has
    another time, hides it from readers of the index while the chain holds."""

    def __init__(self) -> None:
        self._seqs = {kind: array("q") for kind in INDEXES}
        self._times = array("d")

    def follow_index(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            if record.kind in self._seqs:
                self._seqs[record.kind].append(record.seq)
                if record.kind == SUMMARY:
                    self._times.append(record.at)
            yield record

    def fault(self, database: Database, upto: int) -> TamperingFault | None:
        """The first record that is missing or different in an index."""
        try:
            found = (self._of_kind(database, kind, upto) for kind in self._seqs)
            return next(filter(None, found), None)
        except JournalDamaged as damaged:
            return TamperingFault(upto, Reason.INDEX, str(damaged))

    def _of_kind(self, database: Database, kind: str, upto: int) -> TamperingFault | None:
        walked = self._seqs[kind]
        times = self._times if kind == SUMMARY else repeat(None, len(walked))
        wanted = zip(walked, times, strict=True)
        for own, there in zip_longest(wanted, database.indexed(kind, upto)):
            if own != there:
                return _not_indexed(kind, own, there)
        return None


def _not_indexed(
    kind: str, own: tuple[int, float | None] | None, there: tuple[int, float | None] | None
) -> TamperingFault:
    seq = min(each[0] for each in (own, there) if each is not None)
    if own is None or seq < own[0]:
        text = f"the index {INDEXES[kind]} holds record {seq}, which is no {kind}"
    elif there is None or seq < there[0]:
        text = f"the index {INDEXES[kind]} leaves out record {seq}: whoever reads by it misses that"
    else:
        text = f"the index {INDEXES[kind]} has another time than record {seq}"
    return TamperingFault(seq, Reason.INDEX, text)


def explain(
    database: Database, good: Head, kept: Head | None, damage: JournalDamaged
) -> TamperingFault:
    """Return why the chain ends after `good`; `damage` is the error of the walk."""
    try:
        if damage.seq is not None:
            return _explain(database, good, kept)
    except JournalDamaged:
        pass  # the search hit a worse place; the error of the walk is reported
    do = "" if damage.seq is None else None  # SQLite's own errors state the remedy
    return TamperingFault(good.seq + 1, Reason.UNREADABLE, str(damage), do)


def _explain(database: Database, good: Head, kept: Head | None) -> TamperingFault:
    place = good.seq + 1
    row = next(database.rows(BEFORE_ALL if good.seq == 0 else good.seq))
    here = record_of(row)
    if here is None:
        return TamperingFault(
            place, Reason.UNREADABLE, f"record {place} has values no record can have"
        )
    if here.seq < 1:
        return TamperingFault(here.seq, Reason.FOREIGN, f"a row numbered {here.seq} was put in")
    displaced = _at_another_place(database, good)
    if displaced is not None:
        return _displaced(database, good, here, displaced)
    if here.seq > place:
        text = f"{here.seq - place} removed: after record {good.seq} comes {here.seq}"
        return TamperingFault(place, Reason.REMOVED, text)
    return _does_not_follow(database, here, kept)


def _at_another_place(database: Database, good: Head) -> Record | None:
    """Find the true successor of `good` further on."""
    place = good.seq + 1
    for row in database.rows(place):
        record = record_of(row)
        if record is not None and _fits(database, good.digest, place, record):
            return record
    return None


def _displaced(database: Database, good: Head, here: Record, true: Record) -> TamperingFault:
    place, elsewhere = good.seq + 1, true.seq
    if here.seq > place:
        text = f"record {place} was renumbered: it lies at {elsewhere}"
        return TamperingFault(place, Reason.ORDER, text)
    before = true if elsewhere == place + 1 else database.head_at(elsewhere - 1)
    if before is not None and _fits(database, before.digest, elsewhere, here):
        text = f"records {place} and {elsewhere} have changed places"
        return TamperingFault(place, Reason.ORDER, text)
    text = f"a foreign row was put in as record {place}; the true one lies at {elsewhere}"
    return TamperingFault(place, Reason.FOREIGN, text)


def _does_not_follow(database: Database, here: Record, kept: Head | None) -> TamperingFault:
    place = here.seq
    row = next(database.rows(place), None)
    following = record_of(row) if row is not None else None
    followed = following is not None and (_fits(database, here.digest, place + 1, following))
    if followed or kept == Head(place, here.digest):
        text = f"record {place} was edited, or the one before it was written anew"
        return TamperingFault(place, Reason.EDITED, text)
    if following is not None:
        for shift in range(1, MAX_SHIFT + 1):
            if _fits(database, here.digest, place + 1 + shift, following):
                text = f"{shift} removed at record {place}, and the rest renumbered"
                return TamperingFault(place, Reason.REMOVED, text)
    text = f"record {place} neither follows from the one before nor is followed by the next"
    return TamperingFault(place, Reason.FOREIGN, text)


def _fits(database: Database, previous: bytes, seq: int, record: Record) -> bool:
    """Whether the record would follow there, regardless of its number."""
    placed = replace(record, seq=seq)
    return follows(previous, placed, hashed=database.is_copy) == record.digest

"""Where a chain breaks, what was done to it.

A record's digest is made from its predecessor's digest, its number and its fields. So an edited row
no longer follows but is still followed; a displaced row fits at the place it came from; a row that
neither follows nor is followed is none of ours.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.journal.chain import record_of
from controller.journal.database import LAST, Database
from controller.journal.errors import JournalDamaged
from controller.journal.records import Head, Record, digest_of

SHIFT_MOST: Final = 1000
"""How many removed rows are recognised when the rest was renumbered to hide the gap."""


class Reason(Enum):
    EDITED = "edited row"
    REMOVED = "removed row"
    FOREIGN = "foreign row inserted"
    ORDER = "wrong order"
    UNREADABLE = "unreadable"
    HEAD = "head mismatch"


@dataclass(frozen=True, slots=True)
class TamperingFault:
    seq: int
    """The first record that is not as it was written."""
    reason: Reason
    says: str


def explain(
    database: Database, good: Head, kept: Head | None, damage: JournalDamaged
) -> TamperingFault:
    """Why the chain ends after `good`; `damage` is what the walk ran into."""
    try:
        if damage.seq is not None:
            return _explain(database, good, kept)
    except JournalDamaged:
        pass  # looking around ran into a worse place; what the walk met is what we know
    return TamperingFault(good.seq + 1, Reason.UNREADABLE, str(damage))


def _explain(database: Database, good: Head, kept: Head | None) -> TamperingFault:
    place = good.seq + 1
    row = next(database.rows(-LAST if good.seq == 0 else good.seq))
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
        says = f"{here.seq - place} removed: after record {good.seq} comes {here.seq}"
        return TamperingFault(place, Reason.REMOVED, says)
    return _does_not_follow(database, here, kept)


def _at_another_place(database: Database, good: Head) -> Record | None:
    """The true successor of `good`, if it lies somewhere further on."""
    place = good.seq + 1
    for row in database.rows(place):
        record = record_of(row)
        if record is not None and digest_of(good.digest, place, record) == record.digest:
            return record
    return None


def _displaced(database: Database, good: Head, here: Record, true: Record) -> TamperingFault:
    place, elsewhere = good.seq + 1, true.seq
    if here.seq > place:
        says = f"record {place} was renumbered: it lies at {elsewhere}"
        return TamperingFault(place, Reason.ORDER, says)
    before = true if elsewhere == place + 1 else database.head_at(elsewhere - 1)
    if before is not None and digest_of(before.digest, elsewhere, here) == here.digest:
        says = f"records {place} and {elsewhere} have changed places"
        return TamperingFault(place, Reason.ORDER, says)
    says = f"a foreign row was put in as record {place}; the true one lies at {elsewhere}"
    return TamperingFault(place, Reason.FOREIGN, says)


def _does_not_follow(database: Database, here: Record, kept: Head | None) -> TamperingFault:
    place = here.seq
    row = next(database.rows(place), None)
    following = record_of(row) if row is not None else None
    followed = following is not None and (
        digest_of(here.digest, place + 1, following) == following.digest
    )
    if followed or kept == Head(place, here.digest):
        says = f"record {place} was edited, or the one before it was written anew"
        return TamperingFault(place, Reason.EDITED, says)
    if following is not None:
        for shift in range(1, SHIFT_MOST + 1):
            if digest_of(here.digest, place + 1 + shift, following) == following.digest:
                says = f"{shift} removed at record {place}, and the rest renumbered"
                return TamperingFault(place, Reason.REMOVED, says)
    says = f"record {place} neither follows from the one before nor is followed by the next"
    return TamperingFault(place, Reason.FOREIGN, says)

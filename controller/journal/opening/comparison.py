"""Decides whether a copy is another state of the same journal or another history.

Length is no criterion: an attacker with a copy of the files can extend it elsewhere. Records are
chained, so two journals with the same digest at one record agree in all before it, and two that
differ there differ in everything after it. So digests are compared at every stored end.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.journal import audit
from controller.journal.database import Database
from controller.journal.errors import JournalError
from controller.journal.head import HeadRole, last_head_path, read_head
from controller.journal.records import Head


@dataclass(frozen=True, slots=True)
class Divergence:
    """The stored records that a copy lacks."""

    lost: int = 0
    """Number of the last stored record if the copy lacks it."""
    parted: int | None = None
    """The last common record if the copy has another history; 0: none."""
    unknown: bool = False
    """Something is stored, but none of it can be read."""

    @property
    def undoes(self) -> bool:
        """Whether restoring the copy would undo recorded steps, as far as can be determined."""
        return self.lost > 0 or self.parted is not None or self.unknown


def compare_journals(copy: Path, journal: Path, head: Path) -> Divergence:
    """Compare `copy`, which must be valid, with what can be read of `journal`, its head and the
    head's other copy. If nothing is stored, nothing can be undone."""
    with closing(Database.read(copy)) as database:
        end = audit.head(copy)
        kept = list(_kept(head))
        there = _good_part_of(journal)
        if there is not None:
            kept.append(there)
        known = [each for each in kept if each.seq > 0]
        if not known:
            return Divergence(unknown=_something_is_there(journal, head))
        parted = [each for each in known if _goes_otherwise(database, each, end)]
        furthest = max(each.seq for each in known)
        if there is not None:
            common = _in_common(database, journal, min(end.seq, there.seq))
            if parted or common < min(end.seq, there.seq):
                return Divergence(furthest - common, common)
        if parted:
            return Divergence(furthest, 0)  # the first difference cannot be determined
        return Divergence(max(0, furthest - end.seq))


def _goes_otherwise(copy: Database, kept: Head, end: Head) -> bool:
    return kept.seq <= end.seq and copy.digest_at(kept.seq) != kept.digest


def _in_common(copy: Database, journal: Path, most: int) -> int:
    """The last record that both have; two chains never meet again after they part."""
    with closing(Database.read(journal)) as database:
        least = 0
        while least < most:
            middle = (least + most + 1) // 2
            if copy.digest_at(middle) == database.digest_at(middle):
                least = middle
            else:
                most = middle - 1
        return least


def _kept(head: Path) -> Iterator[Head]:
    """The ends stored in the head and its other copy, if their signatures are valid."""
    for path, role in ((head, HeadRole.HEAD), (last_head_path(head), HeadRole.LAST)):
        try:
            found = read_head(path, role)
        except JournalError:
            continue  # the table reports it when it opens
        if found is not None and found.is_by(found.key):
            yield found.head


def _good_part_of(journal: Path) -> Head | None:
    try:
        return audit.verify(journal).head if journal.exists() else None
    except JournalError:
        return None


def _something_is_there(journal: Path, head: Path) -> bool:
    places = (journal, head, last_head_path(head))
    return any(each.exists() and each.stat().st_size > 0 for each in places)

"""Is a copy of a journal a later or earlier state of the same history, or another history?

Length says nothing: whoever has a copy of the files can play on with it elsewhere until it is
longer. Records are chained, so two journals that have the same digest at one record agree in all
before it, and two that differ there differ for ever. So digests are compared, at every end that
anybody kept.
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
    """What a copy has not, of all that was kept."""

    lost: int = 0
    """Records that were kept and are not in it."""
    parted: int | None = None
    """The last record it has in common with what was kept, if it goes on otherwise; 0: none."""
    unknown: bool = False
    """Something was kept, and none of it can be read: nobody can tell."""

    @property
    def undoes(self) -> bool:
        """Whether putting it in place would undo what was recorded, as far as anybody can tell."""
        return self.lost > 0 or self.parted is not None or self.unknown


def compare_journals(copy: Path, journal: Path, head: Path) -> Divergence:
    """`copy` must be good; of `journal`, and of the head and its other copy, what can be read
    counts. Where nothing was ever kept there is nothing to undo."""
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
            return Divergence(furthest, 0)  # nobody can tell since when
        return Divergence(max(0, furthest - end.seq))


def _goes_otherwise(copy: Database, kept: Head, end: Head) -> bool:
    return kept.seq <= end.seq and copy.digest_at(kept.seq) != kept.digest


def _in_common(copy: Database, journal: Path, most: int) -> int:
    """The last record that both have: a chain that has parted never meets again."""
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
    """What the head and its other copy say, where they are as somebody signed them."""
    for path, role in ((head, HeadRole.HEAD), (last_head_path(head), HeadRole.LAST)):
        try:
            found = read_head(path, role)
        except JournalError:
            continue  # the table will say so itself
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

"""What a journal has lost, measured against the second copy of its head."""

from dataclasses import dataclass
from enum import Enum

from controller.journal.database import Database
from controller.journal.errors import JournalDamaged
from controller.journal.records import Head


class LossKind(Enum):
    DAMAGED = "damaged"
    """Rows after the last good record do not fit the chain."""
    MISSING = "missing"
    """The kept head is ahead: the end was lost, or an old copy was put back."""
    FOREIGN = "foreign"
    """The kept head has another digest: the history was edited, or is another table's."""
    NO_HEAD = "no head"
    """There are records but no kept head, so nobody can tell whether some are missing."""


@dataclass(frozen=True, slots=True)
class Loss:
    kind: LossKind
    expected: Head | None
    """The kept head; `None` when there is none."""
    found: Head
    """The last good record; for a foreign history the record at the kept head's place."""
    damaged_rows: int
    """Rows that do not fit; the first append sets them aside in the table `damaged`."""
    says: str

    def __str__(self) -> str:
        return self.says


def loss_between(
    database: Database, kept: Head | None, head: Head, fault: JournalDamaged | None
) -> Loss | None:
    """Compare the kept head with the good part of the journal, which ends at `head`."""
    if fault is not None:
        rows = database.count_after(head.seq)
        says = f"{fault}; the journal is good up to record {head.seq}, {rows} rows after it are not"
        return Loss(LossKind.DAMAGED, kept, head, rows, says)
    if kept is None:
        if head.seq == 0:
            return None
        says = f"the journal ends at record {head.seq}, but no head was kept to compare it with"
        return Loss(LossKind.NO_HEAD, None, head, 0, says)
    if kept.seq > head.seq:
        says = (
            f"the journal ends at record {head.seq}, but record {kept.seq} had been written: "
            "its end was lost, or an old copy was put back"
        )
        return Loss(LossKind.MISSING, kept, head, 0, says)
    there = database.head_at(kept.seq)
    if there == kept:
        return None
    says = (
        f"record {kept.seq} is not the one that was written: the history was edited, or this is "
        "another table's journal"
    )
    return Loss(LossKind.FOREIGN, kept, there or head, 0, says)

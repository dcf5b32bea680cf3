"""Reading a journal without being its writer: check it, show a round, hand it on, rescue it.

Works beside a running table and on the file of a stopped one. No key is used anywhere here: a
sealed card prints as "sealed".
"""

import csv
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

import msgspec

from controller.journal.chain import end_of, record_of, walk
from controller.journal.database import LAST, ROWS_AT_ONCE, Database
from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.head import read_head
from controller.journal.records import EMPTY, Head, Record, canonical, digest_of
from controller.journal.tampering import Reason, TamperingFault, explain

FIELDS: Final = ("seq", "kind", "version", "at", "shoe", "round", "body", "sealed", "digest")


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    head: Head
    """How far the journal is good."""
    fault: TamperingFault | None
    set_aside: int
    """Rows that an earlier opening found damaged and moved to the table `damaged`."""

    @property
    def good(self) -> bool:
        return self.fault is None

    def __str__(self) -> str:
        if self.fault is None:
            says = f"{self.head.seq} records, every one follows from the one before"
        else:
            says = (
                f"record {self.fault.seq}: {self.fault.reason.value}: {self.fault.says}; "
                f"good up to record {self.head.seq}"
            )
        return says + (f"; {self.set_aside} damaged rows set aside" if self.set_aside else "")


def verify(path: Path, head_path: Path | None = None) -> AuditVerdict:
    """Walk the whole chain; with `head_path` compare its end with the kept head."""
    # The head is read first: a running table appends before it keeps.
    kept = None if head_path is None else read_head(head_path)
    with closing(Database.read(path)) as database:
        aside = database.count_set_aside()
        head, damage = end_of(walk(database.rows(-LAST), EMPTY), EMPTY)
        if damage is not None:
            return AuditVerdict(head, explain(database, head, kept, damage), aside)
        fault = None if head_path is None else _against_head(database, head, kept, head_path)
        return AuditVerdict(head, fault, aside)


def read(path: Path, after: int = 0) -> Iterator[Record]:
    """The records after number `after`, checked as they are read, beside a running table."""
    with closing(Database.read(path)) as database:
        start = database.head_at(after)
        if start is None:
            raise JournalDamaged(f"record {after} is not in {path}", seq=after)
        yield from walk(database.rows(after), start)


def last_time(path: Path) -> float | None:
    """When the last record was written; None for a journal without one, or none at all."""
    if not path.exists():
        return None
    with closing(Database.read(path)) as database:
        record = database.last_row()
        found = None if record is None else record_of(record)
        return None if found is None else found.at


def last_checkpoint(path: Path) -> int:
    """The number of the last checkpoint; 0 where there is none."""
    with closing(Database.read(path)) as database:
        return next(database.checkpoints(), 0)


def checkpoint_before(path: Path, at: float) -> int:
    """The number of the last checkpoint not later than `at`; 0 where there is none."""
    with closing(Database.read(path)) as database:
        for seq in database.checkpoints():
            row = next(database.rows(seq - 1, seq), None)
            record = None if row is None else record_of(row)
            if record is not None and record.at <= at:
                return seq
        return 0


def checkpoints(path: Path) -> list[int]:
    """The numbers of the records from which a table can be rebuilt, rising."""
    with closing(Database.read(path)) as database:
        return sorted(database.checkpoints())


def head(path: Path) -> Head:
    """The last record there is, its digest not checked."""
    with closing(Database.read(path)) as database:
        row = database.last_row()
        record = None if row is None else record_of(row)
        return EMPTY if record is None else Head(record.seq, record.digest)


def show(path: Path, number: int, shoe: int | None = None) -> list[dict[str, Any]]:
    """The records of one round in order; of every shoe that has one unless `shoe` says which.

    A row that does not follow from its predecessor is shown all the same, with `"fits": False`.
    """
    with closing(Database.read(path)) as database:
        shown = []
        for row in database.rows_of_round(number, shoe):
            record = record_of(row)
            if record is None:
                raise JournalDamaged(f"record {row[0]} has values no record can have")
            before = database.head_at(record.seq - 1)
            fits = before is not None and (
                digest_of(before.digest, record.seq, record) == record.digest
            )
            shown.append(plain(record) | {"fits": fits})
        return shown


def plain(record: Record) -> dict[str, Any]:
    """A record for people and other programs, in the order of `FIELDS`."""
    try:
        body = msgspec.json.decode(record.body)
    except msgspec.DecodeError:
        body = record.body.hex()
    sealed = None if record.sealed is None else "sealed"
    values = (
        record.seq, record.kind, record.version, record.at, record.shoe, record.round, body, sealed,
        record.digest.hex(),
    )  # fmt: skip
    return dict(zip(FIELDS, values, strict=True))


def export_csv(path: Path, out: TextIO) -> int:
    """Every record as a line with `body` as JSON text; gives their number."""
    writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
    writer.writeheader()
    count = 0
    for record in read(path):
        found = plain(record)
        writer.writerow(found | {"body": canonical(found["body"]).decode()})
        count += 1
    return count


def export_jsonl(path: Path, out: TextIO) -> int:
    """Every record as a line of JSON; gives their number."""
    count = 0
    for record in read(path):
        out.write(msgspec.json.encode(plain(record)).decode() + "\n")
        count += 1
    return count


def recover(path: Path, out: Path) -> AuditVerdict:
    """Copy the good part into the new journal `out`; the verdict says what stopped it.

    The kept head is left alone, so that a table that opens `out` reports what is missing.
    """
    if out.exists():
        raise JournalUnwritable(f"{out} exists: name a file that does not")
    with closing(Database.read(path)) as source, closing(Database.write(out)) as target:
        head, damage = end_of(_copied(walk(source.rows(0), EMPTY), target), EMPTY)
        fault = None if damage is None else explain(source, head, None, damage)
        return AuditVerdict(head, fault, source.count_set_aside() if fault is None else 0)


def _copied(records: Iterator[Record], target: Database) -> Iterator[Record]:
    piece: list[Record] = []
    try:
        for record in records:
            piece.append(record)
            if len(piece) == ROWS_AT_ONCE:
                target.insert(piece)
                piece = []
            yield record
    finally:
        if piece:
            target.insert(piece)


def _against_head(
    database: Database, head: Head, kept: Head | None, path: Path
) -> TamperingFault | None:
    if kept is None:
        return TamperingFault(
            head.seq, Reason.HEAD, f"there is no kept head in {path} to compare with"
        )
    if kept.seq > head.seq:
        says = f"record {kept.seq} had been written: the end was lost, or an old copy put back"
        return TamperingFault(head.seq + 1, Reason.HEAD, says)
    if database.head_at(kept.seq) != kept:
        says = f"record {kept.seq} is not the one that was written: another history"
        return TamperingFault(kept.seq, Reason.HEAD, says)
    return None

"""An old month in a test's database: into files and out, as the nightly run does it."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from controller.floor.proof import archive_restore, hours, months
from controller.floor.store.rows import COLUMNS
from controller.journal.records import RECORD_FORMAT, STEP, Entry, Head, Record, chain_entry
from support.floor.archives import FLOOR
from support.floor.records import put_records
from support.floor.servers import FloorDatabase

JANUARY = datetime(2025, 1, 31, 23, 59, 50, tzinfo=UTC)
MONTH, NEXT = date(2025, 1, 1), date(2025, 2, 1)
NOW = datetime(2026, 11, 17, 12, 30, tzinfo=UTC).timestamp()


def rows_of(found: FloorDatabase, table: str) -> list[tuple[Any, ...]]:
    with found.connect() as owner:
        return owner.execute(
            f"SELECT {COLUMNS} FROM floor.record WHERE table_id = %s ORDER BY seq", [table]
        ).fetchall()


def archived(found: FloorDatabase, folder: Path, month: date = MONTH) -> list[Path]:
    with found.connect("floor_retention") as retention, found.connect("floor_proof") as proof:
        retention.autocommit = proof.autocommit = True
        to = months.Archive(retention, proof, folder, FLOOR)
        return months.archive_month(to, month, NOW)


def drop(found: FloorDatabase, folder: Path, month: date = MONTH) -> int:
    with found.connect("floor_retention") as retention:
        return months.drop_month(retention, month, folder)


def restored(found: FloorDatabase, file: Path) -> int:
    with found.connect() as owner:
        return archive_restore.restore(owner, file, [FLOOR.public])[1]


def sent_on(found: FloorDatabase, table: str, records: list[Record], *clock: float) -> list[Record]:
    """The table goes on after these, one record for each time of its clock; all of them."""
    head = Head(records[-1].seq, records[-1].digest)
    more = []
    for at in clock:
        more.append(chain_entry(head, Entry(STEP, RECORD_FORMAT, at, 1, 1, b"{}", None)))
        head = Head(more[-1].seq, more[-1].digest)
    with found.connect() as owner:
        put_records(owner, table, more, NOW - 7200)
    with found.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", NOW - 3600)
    return [*records, *more]

"""A month that goes while others read and write: nobody waits for the look at its files, and no
record goes that came meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from controller.floor.proof import hours
from controller.floor.proof.form import ProofError
from controller.floor.store import partitions
from support.floor.archives import FLOOR, journal
from support.floor.months import JANUARY, archived, drop, rows_of
from support.floor.records import put_records
from support.floor.servers import FloorDatabase
from support.floor.visitor import until

AT = JANUARY.timestamp() - 600
RECORDS = journal(15, begin=AT)
ASKED = "SELECT floor.drop_month('2025-01-01', '13 months')"


@pytest.fixture
def proven(database: FloorDatabase, tmp_path: Path) -> FloorDatabase:
    """January is in a file, and may go."""
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 1, 1, tzinfo=UTC))
        put_records(owner, "bac-01", RECORDS[:14], AT + 20)
    with database.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", AT + 30)
    archived(database, tmp_path)
    return database


def waits(found: FloorDatabase) -> bool:
    with found.connect() as owner:
        row = owner.execute(
            "SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation"
            " WHERE c.relname = 'record_2025_01' AND NOT l.granted"
        ).fetchone()
    return row == (1,)


@pytest.mark.parametrize("seq", [15, 7])
def test_a_record_that_comes_between_the_look_and_the_lock_keeps_its_month(
    proven: FloorDatabase, tmp_path: Path, seq: int
) -> None:
    """One that lies in no file, and one with a number that lies in one."""
    late = RECORDS[14] if seq == 15 else journal(14, begin=AT + 5)[6]
    with ThreadPoolExecutor(1) as pool, proven.connect() as owner, owner.transaction():
        put_records(owner, "bac-01", [late])
        dropped = pool.submit(drop, proven, tmp_path)
        until(lambda: waits(proven) or dropped.done())
    with pytest.raises(ProofError, match=r"2025-01 stays: records came to the month"):
        dropped.result()
    assert len(rows_of(proven, "bac-01")) == 15


def test_files_are_looked_at_while_others_write(proven: FloorDatabase) -> None:
    """With the lock first this would be refused because the month is in use."""
    with proven.connect() as owner:
        owner.execute("UPDATE floor.archive SET end_digest = 'x'")
    with proven.connect() as writer, proven.connect("floor_retention") as retention:
        writer.execute("LOCK TABLE floor.record_2025_01 IN ROW EXCLUSIVE MODE")
        with pytest.raises(psycopg.errors.IntegrityError, match="does not fit"):
            retention.execute(ASKED)


def test_a_transaction_that_sees_the_past_lets_nothing_go(proven: FloorDatabase) -> None:
    with proven.connect("floor_retention") as retention:
        retention.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        retention.execute("SELECT count(*) FROM floor.record")
        with proven.connect() as owner:
            put_records(owner, "bac-01", [RECORDS[14]])
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="sees what others"):
            retention.execute(ASKED)
    assert len(rows_of(proven, "bac-01")) == 15

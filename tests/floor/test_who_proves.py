"""No role alone lets a month go: one tells of a file, another has read it, and the database holds
both to its records."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from controller.floor.proof import files, hours
from controller.floor.proof.form import ProofError
from controller.floor.store import partitions
from controller.journal.records import NO_DIGEST
from support.floor.archives import FLOOR, OTHER, journal
from support.floor.months import JANUARY, MONTH, archived, drop, rows_of, sent_on
from support.floor.records import put_records
from support.floor.servers import FloorDatabase

AT = JANUARY.timestamp() - 600
RECORDS = journal(14, begin=AT)
REFUSED = psycopg.errors.InsufficientPrivilege


@pytest.fixture
def january(database: FloorDatabase) -> FloorDatabase:
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 1, 1, tzinfo=UTC))
        put_records(owner, "bac-01", RECORDS, AT + 20)
    with database.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", AT + 30)
    return database


def row(**other: Any) -> dict[str, Any]:
    """What retention could tell of a file that nobody wrote: all that the database has is true."""
    return {
        "site": "sands", "table_id": "bac-01", "epoch": 1, "month": MONTH, "first": 1,
        "last": 14, "file": "nothing", "sha256": b"s" * 32, "before_digest": NO_DIGEST,
        "end_digest": RECORDS[-1].digest, **other,
    }  # fmt: skip


def told(connection: psycopg.Connection[Any], **other: Any) -> None:
    said = row(**other)
    places = ", ".join(f"%({name})s" for name in said)
    connection.execute(f"INSERT INTO floor.archive ({', '.join(said)}) VALUES ({places})", said)


def proven(connection: psycopg.Connection[Any], **other: Any) -> None:
    said = row(**other)
    names = ("site", "table_id", "epoch", "file", "sha256", "first", "last", "before_digest",
             "end_digest")  # fmt: skip
    places = ", ".join(["%s"] * len(names))
    connection.execute(f"SELECT floor.file_proven({places})", [said[name] for name in names])


def test_retention_alone_cannot_say_that_a_file_is_good(
    january: FloorDatabase, tmp_path: Path
) -> None:
    with january.connect("floor_retention") as retention:
        for more in ({"verified": JANUARY}, {"gone": 14}, {"written": JANUARY}):
            with pytest.raises(REFUSED), retention.transaction():
                told(retention, **more)
        told(retention)
        retention.commit()
        for statement in (
            "UPDATE floor.archive SET verified = now()",
            "UPDATE floor.archive SET gone = 14",
            "UPDATE floor.archive SET end_digest = ''",
        ):
            with pytest.raises(REFUSED), retention.transaction():
                retention.execute(statement)
        with pytest.raises(REFUSED), retention.transaction():
            proven(retention)
        with pytest.raises(psycopg.errors.IntegrityError, match=r"record 1 .* lies in no file"):
            retention.execute("SELECT floor.drop_month('2025-01-01', '1 month')")
    assert len(rows_of(january, "bac-01")) == 14
    (file,) = archived(january, tmp_path)
    assert file.name == "1-2025-01.sabot", "what was made up stands in nobody's way"


def test_proof_alone_tells_of_no_file(january: FloorDatabase) -> None:
    with january.connect("floor_proof") as proof:
        for statement in (
            "INSERT INTO floor.archive SELECT * FROM floor.archive",
            "UPDATE floor.archive SET verified = now()",
            "DELETE FROM floor.archive",
            "SELECT floor.drop_month('2025-01-01', '1 month')",
        ):
            with pytest.raises(REFUSED), proof.transaction():
                proof.execute(statement)
        with pytest.raises(psycopg.errors.IntegrityError, match="nobody told of a file nothing"):
            proven(proof)


LIES: dict[str, dict[str, Any]] = {
    "past_its_end": {"last": 999},
    "another_end": {"end_digest": b"x" * 32},
    "short_by_one": {"last": 13},
    "another_begin": {"before_digest": b"x" * 32},
    "follows_no_file": {"first": 5, "before_digest": RECORDS[3].digest},
    "does_not_follow": {"first": 5, "before_digest": b"x" * 32},
    "before_all": {"first": 0},
    "turned_round": {"first": 15, "before_digest": RECORDS[13].digest},
    "no_such_history": {"epoch": 2},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_row_that_fits_no_records_is_not_taken_from_both(
    january: FloorDatabase, lie: str
) -> None:
    with january.connect("floor_retention") as retention:
        told(retention, **LIES[lie])
    with january.connect("floor_proof") as proof, pytest.raises(psycopg.errors.IntegrityError):
        proven(proof, **LIES[lie])


@pytest.mark.parametrize("change", [{"last": 999}, {"end_digest": b"x"}, {"before_digest": b"x"},
                                    {"gone": 1}])  # fmt: skip
def test_a_month_stays_that_does_not_fit_its_files(
    january: FloorDatabase, tmp_path: Path, change: dict[str, Any]
) -> None:
    """Whoever changed the row: the database looks again before records go."""
    archived(january, tmp_path)
    ((column, value),) = change.items()
    with january.connect() as owner:
        owner.execute(f"UPDATE floor.archive SET {column} = %s", [value])
    with (
        january.connect("floor_retention") as retention,
        pytest.raises(psycopg.errors.IntegrityError, match="does not fit"),
    ):
        retention.execute("SELECT floor.drop_month('2025-01-01', '1 month')")
    assert len(rows_of(january, "bac-01")) == 14


def test_a_record_that_is_there_twice_makes_up_for_none(
    january: FloorDatabase, tmp_path: Path
) -> None:
    """Fourteen rows, and record 5 is not among them."""
    archived(january, tmp_path)
    with january.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE seq = 5")
        put_records(owner, "bac-01", [journal(14, begin=AT + 5)[5]])
    with (
        january.connect("floor_retention") as retention,
        pytest.raises(psycopg.errors.IntegrityError, match="does not fit: records 1 to 14"),
    ):
        retention.execute("SELECT floor.drop_month('2025-01-01', '1 month')")


def test_a_file_follows_the_record_that_is_here(january: FloorDatabase, tmp_path: Path) -> None:
    """Not only the file before it."""
    archived(january, tmp_path)
    sent_on(january, "bac-01", RECORDS, AT + 100)
    (late,) = archived(january, tmp_path)
    with january.connect() as owner:
        owner.execute("UPDATE floor.record SET digest = 'x' WHERE seq = 14")
    with (
        january.connect("floor_proof") as proof,
        pytest.raises(ProofError, match="does not follow record 14 here"),
    ):
        files.prove(proof, late, str(late.relative_to(tmp_path)), {FLOOR.public})


def test_the_database_is_told_what_stands_in_the_file(
    january: FloorDatabase, tmp_path: Path
) -> None:
    """Not what the row says; and a file by a stranger's key is none of the floor's."""
    (file,) = archived(january, tmp_path)
    name = str(file.relative_to(tmp_path))
    with january.connect() as owner:
        owner.execute("UPDATE floor.archive SET sha256 = 'x', verified = NULL")
    with january.connect("floor_proof") as proof:
        assert files.own_keys(proof, "sands") == {FLOOR.public}
        with pytest.raises(ProofError, match="nobody told of a file sands/bac-01/1-2025-01"):
            files.prove(proof, file, name, {FLOOR.public})
        with pytest.raises(ProofError, match="signed by another key"):
            files.prove(proof, file, name, {OTHER.public})


def test_a_run_that_was_cut_off_before_its_file_was_proven_is_made_up_for(
    january: FloorDatabase, tmp_path: Path
) -> None:
    (file,) = archived(january, tmp_path)
    with january.connect() as owner:
        owner.execute("UPDATE floor.archive SET verified = NULL")
    with pytest.raises(ProofError, match="lies in no file that was verified"):
        drop(january, tmp_path)
    assert archived(january, tmp_path) == [file]
    assert archived(january, tmp_path) == []
    with january.connect() as owner:
        owner.execute("UPDATE floor.archive SET verified = NULL")
    file.write_bytes(b"damaged meanwhile")
    assert [each.name for each in archived(january, tmp_path)] == ["1-2025-01-2.sabot"]
    assert drop(january, tmp_path) == 14
    assert file.read_bytes() == b"damaged meanwhile"

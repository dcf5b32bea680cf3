"""Roots and months with a real database: who may do what; nothing goes before it is proven."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from controller.floor.proof import archive_restore, hours, months
from controller.floor.proof.form import ProofError
from controller.floor.proof.months import NotAll
from controller.floor.proof.verify import verify
from controller.floor.service import periodic_jobs
from controller.floor.store import partitions
from controller.journal.records import EMPTY, Head, chain_entry
from support.floor.archives import FLOOR, OTHER, journal
from support.floor.months import JANUARY, MONTH, NEXT, NOW, archived, drop, rows_of
from support.floor.records import put_records
from support.floor.servers import FloorDatabase
from support.floor.visitor import until

TABLES = ("bac-01", "bac-02", "bac-03")


@pytest.fixture
def filled(database: FloorDatabase) -> FloorDatabase:
    """Three tables that played over the end of a month, and a root of the hour after."""
    at = JANUARY.timestamp()
    with database.connect() as owner:
        for month in (JANUARY, datetime(2025, 2, 1, tzinfo=UTC)):
            partitions.open_month(owner, partitions.month_of(month))
        for n, table in enumerate(TABLES):
            put_records(owner, table, journal(14 + n, begin=at), at + 20)
    with database.connect("floor_proof") as proof:
        assert hours.make(proof, FLOOR, "sands", at + 30) is not None
    return database


def test_months_go_to_files_out_of_the_database_and_back(
    filled: FloorDatabase, tmp_path: Path
) -> None:
    before = {table: rows_of(filled, table) for table in TABLES}
    with filled.connect("floor_retention") as retention:
        assert months.due(retention, NOW) == [MONTH, NEXT]
        assert months.due(retention, JANUARY.timestamp()) == []
    january = archived(filled, tmp_path)
    february = archived(filled, tmp_path, NEXT)
    assert [str(each.relative_to(tmp_path)) for each in january] == [
        f"sands/{table}/1-2025-01.sabot" for table in TABLES
    ]
    assert all(verify(each, [FLOOR.public]).good for each in (*january, *february))
    assert archived(filled, tmp_path) == [], "each is written once"
    assert drop(filled, tmp_path) == 3 * 9
    assert drop(filled, tmp_path, NEXT) == 5 + 6 + 7
    with filled.connect("floor_retention") as retention:
        assert months.due(retention, NOW) == []
    assert [rows_of(filled, table) for table in TABLES] == [[], [], []]
    with filled.connect() as owner:
        counts = [archive_restore.restore(owner, file)[1] for file in (*january, *february)]
        assert counts == [9, 9, 9, 5, 6, 7]
        assert archive_restore.restore(owner, january[0])[1] == 0, "what is there stays"
    assert {table: rows_of(filled, table) for table in TABLES} == before


def test_a_month_stays_while_a_file_is_missing_or_damaged(
    filled: FloorDatabase, tmp_path: Path
) -> None:
    with pytest.raises(ProofError, match="lies in no file that was verified"):
        drop(filled, tmp_path)
    files = archived(filled, tmp_path)
    whole = files[1].read_bytes()
    for damaged in (whole[:-1], whole[:2000] + b"x" + whole[2001:], b""):
        files[1].write_bytes(damaged)
        with pytest.raises(ProofError, match="the month stays"):
            drop(filled, tmp_path)
    files[1].unlink()
    with pytest.raises(ProofError, match="the month stays"):
        drop(filled, tmp_path)
    assert len(rows_of(filled, TABLES[0])) == 14


def test_a_record_that_came_after_the_file_keeps_its_month(
    filled: FloorDatabase, tmp_path: Path
) -> None:
    """A table that was away sends records of January in spring."""
    archived(filled, tmp_path)
    more = journal(20, begin=JANUARY.timestamp() - 3600)
    with filled.connect() as owner:
        put_records(owner, "bac-09", more, NOW)
    with pytest.raises(ProofError, match=r"record 1 of sands/bac-09 .history 1. lies in no file"):
        drop(filled, tmp_path)


def test_a_month_without_a_root_waits(filled: FloorDatabase, tmp_path: Path) -> None:
    with filled.connect() as owner:
        put_records(
            owner, "bac-09", journal(5, begin=JANUARY.timestamp()), JANUARY.timestamp() + 100
        )
        put_records(owner, "bac-00", journal(5, begin=JANUARY.timestamp()), JANUARY.timestamp() + 9)
        owner.execute("UPDATE floor.record SET received = to_timestamp(%s) WHERE table_id = %s",
                      [JANUARY.timestamp() + 100, "bac-00"])  # fmt: skip
    with pytest.raises(NotAll, match=r"sands/bac-09 .history 1.: no root has record 5") as waits:
        archived(filled, tmp_path)
    assert [each.parent.name for each in waits.value.made] == [*TABLES], "the others do not wait"
    assert len(waits.value.faults) == 2
    with filled.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", JANUARY.timestamp() + 7200)
    assert [each.parent.name for each in archived(filled, tmp_path)] == ["bac-00", "bac-09"]


def test_damaged_rows_make_no_file(filled: FloorDatabase, tmp_path: Path) -> None:
    with filled.connect() as owner:
        owner.execute("UPDATE floor.record SET body = 'x' WHERE table_id = 'bac-02' AND seq = 7")
    with pytest.raises(ProofError, match="record 7 does not follow from record 6"):
        archived(filled, tmp_path)
    assert {each.parent.name for each in tmp_path.rglob("*.sabot")} == {"bac-01", "bac-03"}
    assert not [*tmp_path.rglob("*.records"), *tmp_path.rglob("*.new")]


def test_a_clock_that_jumps_loses_nothing(database: FloorDatabase, tmp_path: Path) -> None:
    """Records with times of other months lie in the file between which they were written."""
    at = JANUARY.timestamp()
    head, found = EMPTY, []
    for plain in journal(9, begin=at):
        jumped = {4: at + 9e8, 5: at - 9e8}.get(plain.seq, plain.at)
        found.append(chain_entry(head, replace(plain, at=jumped)))
        head = Head(found[-1].seq, found[-1].digest)
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 1, 1, tzinfo=UTC))
        put_records(owner, "bac-01", found, at + 20)
    with database.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", at + 30)
    (file,) = archived(database, tmp_path)
    header = verify(file).header
    assert header is not None
    assert (header.first, header.last) == (1, 9)


FORBIDDEN = (
    "DELETE FROM floor.record",
    "UPDATE floor.record SET body = ''",
    "INSERT INTO floor.record SELECT * FROM floor.record",
    "DROP TABLE floor.record_2025_01",
    "ALTER TABLE floor.record DETACH PARTITION floor.record_2025_01",
    "DELETE FROM floor.archive",
    "DELETE FROM floor.root",
    "UPDATE floor.root SET root = ''",
)


@pytest.mark.parametrize("role", ["floor_proof", "floor_retention"])
def test_nobody_takes_records_away_by_other_means(filled: FloorDatabase, role: str) -> None:
    with filled.connect(role) as connection:
        for statement in FORBIDDEN:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(statement)


@pytest.mark.parametrize("role", ["floor_proof", "floor_sink", "floor_derive", "floor_web"])
def test_only_retention_lets_a_month_go(filled: FloorDatabase, role: str) -> None:
    with filled.connect(role) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT floor.drop_month('2025-01-01', '13 months')")


def test_a_month_that_is_young_or_none_stays_whoever_asks(
    filled: FloorDatabase, tmp_path: Path
) -> None:
    archived(filled, tmp_path)
    with filled.connect("floor_retention") as retention:
        for month, kept, why in (
            ("2026-11-01", "13 months", "not old enough"),
            ("2025-01-01", "0 months", "one month at least"),
            ("2025-01-01", "10 years", "not old enough"),
            ("2025-01-02", "13 months", "there is no month"),
            ("2019-01-01", "13 months", "there is no month"),
            ("2026-11-01 BC", "13 months", "there is no month"),
            ("2026-11-01", "-1200 months +36030 days", "one month at least"),
            ("2025-01-01", "400 days -1 hour", "one month at least"),
            ("2026-11-01", "32 days", "not old enough"),
        ):
            with pytest.raises(psycopg.Error, match=why), retention.transaction():
                retention.execute("SELECT floor.drop_month(%s, %s)", [month, kept])


def test_an_hour_has_one_root_and_roots_follow(filled: FloorDatabase) -> None:
    at = JANUARY.timestamp()
    with filled.connect("floor_proof") as proof:
        assert hours.make(proof, OTHER, "sands", at + 31) is None
        second = hours.make(proof, FLOOR, "sands", at + 7200)
        assert second is not None
        assert second.root.size == 3
        assert str(hours.check(proof, "sands")) == "2 roots, each after the one before"
    with filled.connect() as owner:
        owner.execute(
            "UPDATE floor.root SET leaves = convert_to("
            "replace(convert_from(leaves, 'UTF8'), ',14,', ',15,'), 'UTF8')"
        )
    with (
        filled.connect("floor_proof") as proof,
        pytest.raises(ProofError, match="the root of hour"),
    ):
        hours.check(proof, "sands")


def test_a_clock_that_was_ahead_is_told_and_roots_go_on(filled: FloorDatabase) -> None:
    at, year = JANUARY.timestamp(), 365 * 86_400
    with filled.connect("floor_proof") as proof:
        assert not hours.tell_ahead(proof, "sands", at + 31), "the hour has begun"
        ahead = hours.make(proof, FLOOR, "sands", at + year)
        assert ahead is not None
        assert hours.tell_ahead(proof, "sands", at + 60)
        assert hours.make(proof, FLOOR, "sands", at + 60) is None, "it has its root from before"
        for hour in (1, 2):
            made = hours.make(proof, FLOOR, "sands", at + 60 + 3600 * hour)
            assert made is not None
            assert hours.tell_ahead(proof, "sands", at + 60 + 3600 * hour)
        said = str(hours.check(proof, "sands"))
        assert said.startswith("4 roots, each after the one before; 1 times the hour goes back")
        found = proof.execute("SELECT table_id, kind, gaps, closed FROM floor.exception").fetchall()
        assert found == [("", "root_ahead", {"at": "2026-01-31 23:00 UTC"}, None)]
        assert hours.make(proof, FLOOR, "sands", at + year) is None, "that hour has one"
        assert not hours.tell_ahead(proof, "sands", at + year)
        left = proof.execute("SELECT count(*) FROM floor.exception WHERE closed IS NULL").fetchone()
        assert left == (0,)


def test_the_service_tells_of_a_root_that_lies_ahead(filled: FloorDatabase) -> None:
    at = JANUARY.timestamp() + 60
    with filled.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", at + 7200)

    def told() -> bool:
        with filled.connect() as owner:
            return owner.execute("SELECT kind FROM floor.exception").fetchall() == [("root_ahead",)]

    async def service() -> None:
        conninfo = filled.as_("floor_proof")
        part = asyncio.create_task(
            periodic_jobs.make_roots(conninfo, "sands", FLOOR, (), lambda: at)
        )
        await asyncio.to_thread(until, told)
        part.cancel()

    asyncio.run(service())


def test_time_stamps_come_from_a_program_or_are_asked_for_again(filled: FloorDatabase) -> None:
    echo = "import sys; sys.stdout.buffer.write(b'stamp ' + sys.stdin.buffer.read())"
    with filled.connect("floor_proof") as proof:
        for program in (["/nowhere"], [sys.executable, "-c", "raise SystemExit(1)"], ["true"]):
            assert hours.stamp(proof, "sands", hours.by_command(program)) == 0
        assert hours.stamp(proof, "sands", hours.by_command([sys.executable, "-c", echo])) == 1
        ((kept, stamp),) = hours.kept_from(proof, "sands", 0)
        assert stamp == b"stamp " + kept.root.fingerprint
        assert hours.stamp(proof, "sands", hours.by_command(["/nowhere"])) == 0

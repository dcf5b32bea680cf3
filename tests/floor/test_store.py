"""The floor's tables: who may do what, tried by doing it, and months made ahead."""

from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from controller.floor.store import migration, partitions
from support.floor.servers import NOW, FloorDatabase

RECORD = (
    "INSERT INTO floor.record (site, table_id, epoch, seq, at, at_s, shoe, round, kind, version,"
    " body, sealed, digest) VALUES ('s', 't', 1, %s, %s, 0, 0, 0, 'step', 4, '', NULL, '')"
)
FORBIDDEN = (
    "UPDATE floor.record SET kind = 'x'",
    "DELETE FROM floor.record",
    "TRUNCATE floor.record",
    "UPDATE floor.record_2026_11 SET kind = 'x'",
    "DELETE FROM floor.record_2026_11",
    "DELETE FROM floor.record_default",
    "DELETE FROM floor.head",
    "DELETE FROM floor.divergence",
    "DROP TABLE floor.record",
    "ALTER TABLE floor.record DETACH PARTITION floor.record_2026_11",
)
ROLES = ("floor_sink", "floor_derive", "floor_web")


@pytest.mark.parametrize("role", ROLES)
def test_nobody_changes_a_record(database: FloorDatabase, role: str) -> None:
    with database.connect() as owner:
        owner.execute(RECORD, [1, NOW])
    with database.connect(role) as connection:
        for statement in FORBIDDEN:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(sql.SQL(statement))
        assert connection.execute("SELECT count(*) FROM floor.record").fetchone() == (1,)


@pytest.mark.parametrize("role", ["floor_derive", "floor_web"])
def test_only_the_sink_inserts_records(database: FloorDatabase, role: str) -> None:
    with (
        database.connect(role) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(RECORD, [1, NOW])


@pytest.mark.parametrize("role", ["floor_sink", "floor_web"])
def test_only_the_deriver_writes_rounds(database: FloorDatabase, role: str) -> None:
    with (
        database.connect(role) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("DELETE FROM floor.round")


@pytest.mark.parametrize("column", ["who", "word", "seen", "signed", "signature", "made"])
def test_nobody_changes_what_was_ordered(database: FloorDatabase, column: str) -> None:
    change = sql.SQL("UPDATE floor.order_log SET {0} = {0}").format(sql.Identifier(column))
    for role in ROLES:
        with (
            database.connect(role) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(change)


def test_an_answer_to_an_order_stays_as_it_is(database: FloorDatabase) -> None:
    answer = "UPDATE floor.order_log SET outcome = %s WHERE id = 'one'"
    with database.connect() as owner:
        owner.execute(
            "INSERT INTO floor.order_log (id, site, table_id, word, who, role, seen, made, expires,"
            " signed, signature) VALUES ('one', 's', 't', 'approve', 'ben', 'pit_supervisor', 1,"
            " now(), now(), '', '')"
        )
    with database.connect("floor_web") as web:
        web.execute(answer, ["refused"])
    with database.connect("floor_web") as web, pytest.raises(psycopg.errors.IntegrityError):
        web.execute(answer, ["accepted"])


def test_sink_begins_no_epoch_and_moves_no_register(database: FloorDatabase) -> None:
    with (
        database.connect("floor_sink") as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("UPDATE floor.table_register SET epoch = 2")


def test_wrong_clock_goes_to_the_default_and_to_its_month_once_there(
    database: FloorDatabase,
) -> None:
    late = datetime(2031, 5, 3, tzinfo=UTC)
    with database.connect() as owner:
        owner.execute(RECORD, [1, late])
        owner.execute(RECORD, [2, NOW])
        count = "SELECT count(*) FROM floor.record_default"
        assert owner.execute(count).fetchone() == (1,)
        assert partitions.make(owner, late, ahead=0) == ["record_2031_04", "record_2031_05"]
        assert owner.execute(count).fetchone() == (0,)
        assert owner.execute("SELECT seq FROM floor.record_2031_05").fetchall() == [(1,)]
        assert owner.execute("SELECT count(*) FROM floor.record").fetchone() == (2,)
        assert partitions.make(owner, late, ahead=0) == []


def test_months_run_over_the_year() -> None:
    found = [f"{each:%Y-%m}" for each in partitions.wanted(datetime(2026, 11, 30, tzinfo=UTC))]
    assert found == ["2026-10", "2026-11", "2026-12", "2027-01", "2027-02"]


def test_migrating_twice_changes_nothing(database: FloorDatabase) -> None:
    assert migration.migrate(database.as_()) == migration.newest()
    with database.connect() as owner:
        assert migration.form_of(owner) == migration.newest()


def test_migrations_stand_in_one_line() -> None:
    """Two that name the same one before them, or have one name, stop every floor."""
    folder = Path(migration.__file__).parent / "migrations" / "versions"
    files = sorted(folder.glob("v*.py"))
    numbers = [file.name[1:5] for file in files]
    assert numbers == [f"{n:04}" for n in range(1, len(files) + 1)]
    for number, file in zip(numbers, files, strict=True):
        assert f'revision = "{number}"' in file.read_text("utf-8")

"""Records that come when their month has its file, by clocks that are wrong: each lies in a file of
its own, and what was proven before stays as it is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.floor.proof import hours
from controller.floor.proof.form import ProofError
from controller.floor.proof.verify import verify
from controller.floor.store import partitions
from controller.journal.records import Record
from support.floor.archives import FLOOR, journal
from support.floor.auditor import both
from support.floor.months import (
    JANUARY,
    MONTH,
    NEXT,
    NOW,
    archived,
    drop,
    restored,
    rows_of,
    sent_on,
)
from support.floor.records import put_records
from support.floor.servers import FloorDatabase

AT = JANUARY.timestamp() - 600


@pytest.fixture
def played(database: FloorDatabase) -> dict[str, list[Record]]:
    """Two tables with all their records in January, under a root."""
    found = {"bac-01": journal(14, begin=AT), "bac-02": journal(9, begin=AT)}
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 1, 1, tzinfo=UTC))
        for table, records in found.items():
            put_records(owner, table, records, AT + 20)
    with database.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", AT + 30)
    return found


def holds(file: Path) -> tuple[int, int]:
    """From which record to which; both programs say that it is good."""
    assert both(file, FLOOR.public) is not None
    header = verify(file).header
    assert header is not None
    return header.first, header.last


def test_a_file_stays_when_its_month_comes_back_with_one_more_record(
    database: FloorDatabase, played: dict[str, list[Record]], tmp_path: Path
) -> None:
    one, two = archived(database, tmp_path)
    whole = one.read_bytes()
    assert drop(database, tmp_path) == 14 + 9
    sent_on(database, "bac-01", played["bac-01"], AT + 100)
    assert restored(database, two) == 9, "and January is a month again, with the late record"
    (more,) = archived(database, tmp_path)
    assert one.read_bytes() == whole
    assert more.name == "1-2025-01-2.sabot"
    assert (holds(one), holds(more)) == ((1, 14), (15, 15))
    assert archived(database, tmp_path) == [], "each record is archived once"
    assert drop(database, tmp_path) == 9 + 1
    assert rows_of(database, "bac-01") == []
    assert (restored(database, more), restored(database, one)) == (1, 14)
    assert [row[3] for row in rows_of(database, "bac-01")] == [*range(1, 16)]
    assert drop(database, tmp_path) == 15, "what is proven already goes again"


def test_a_late_record_in_a_month_that_was_only_kept(
    database: FloorDatabase, played: dict[str, list[Record]], tmp_path: Path
) -> None:
    one, _ = archived(database, tmp_path)
    whole, records = one.read_bytes(), played["bac-01"]
    for number in (2, 3):
        records = sent_on(database, "bac-01", records, AT + 100 + number)
        with database.connect("floor_proof") as proof:
            hours.make(proof, FLOOR, "sands", NOW + number * 3600)
        with pytest.raises(ProofError, match=rf"record {13 + number} of .* lies in no file"):
            drop(database, tmp_path)
        (more,) = archived(database, tmp_path)
        assert more.name == f"1-2025-01-{number}.sabot"
        assert holds(more) == (13 + number, 13 + number)
    assert one.read_bytes() == whole
    assert drop(database, tmp_path) == 16 + 9


def test_a_clock_that_goes_to_and_fro_between_months(
    database: FloorDatabase, played: dict[str, list[Record]], tmp_path: Path
) -> None:
    """15 is of February, 16 of January, 17 of February: each lies in one file, whatever its month,
    and either month goes when its own records are in files."""
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 2, 1, tzinfo=UTC))
    month = 20 * 86_400
    sent_on(database, "bac-01", played["bac-01"], AT + month, AT + 50, AT + month + 9)
    one, _ = archived(database, tmp_path)
    assert holds(one) == (1, 16)
    with pytest.raises(ProofError, match=r"record 17 of .* lies in no file"):
        drop(database, tmp_path, NEXT)
    assert drop(database, tmp_path, MONTH) == 15 + 9
    (other,) = archived(database, tmp_path, NEXT)
    assert holds(other) == (17, 17)
    assert drop(database, tmp_path, NEXT) == 2, "one of them lies in January's file"
    assert (restored(database, one), restored(database, other)) == (16, 1)
    assert drop(database, tmp_path, MONTH) == 15
    assert [row[3] for row in rows_of(database, "bac-01")] == [15, 17]


def test_a_database_that_forgot_its_files_finds_them_again(
    database: FloorDatabase, played: dict[str, list[Record]], tmp_path: Path
) -> None:
    """Restored from a dump of the night before: the same records come to the same file, and where
    they do not the file that is there stays, beside a new one."""
    assert played
    one, two = archived(database, tmp_path)
    kept = {each: (each.read_bytes(), each.stat().st_ino) for each in (one, two)}
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.archive")
    two.write_bytes(kept[two][0][:-1])
    again = archived(database, tmp_path)
    assert [each.name for each in again] == ["1-2025-01.sabot", "1-2025-01-2.sabot"]
    assert (one.read_bytes(), one.stat().st_ino) == kept[one]
    assert two.read_bytes() == kept[two][0][:-1]
    assert drop(database, tmp_path) == 14 + 9


def test_another_record_with_a_number_that_lies_in_a_file_keeps_its_month(
    database: FloorDatabase, played: dict[str, list[Record]], tmp_path: Path
) -> None:
    """A number between the first and the last is not enough: it is held to the record itself."""
    archived(database, tmp_path)
    other = journal(14, begin=AT + 5)
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE table_id = 'bac-01' AND seq = 7")
        put_records(owner, "bac-01", [other[6]])
    with pytest.raises(ProofError, match=r"record 7 in the database is not the one in .*stays"):
        drop(database, tmp_path)
    assert len(rows_of(database, "bac-01")) == len(played["bac-01"])


def test_two_that_archive_at_once_take_turns(
    database: FloorDatabase, played: dict[str, list[Record]], tmp_path: Path
) -> None:
    assert played
    with database.connect() as owner:
        owner.execute("SELECT pg_advisory_lock(hashtext('floor.archive'))")
        with pytest.raises(ProofError, match="another archive is under way"):
            archived(database, tmp_path)
    assert len(archived(database, tmp_path)) == 2

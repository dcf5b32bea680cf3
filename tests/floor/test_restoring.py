"""Files back into the database: only the floor's own, of records that came from their table."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.floor.proof import archive_restore, hours, roots
from controller.floor.proof.archive import ArchivePart, write
from controller.floor.proof.form import ProofError
from controller.floor.proof.tree import SiteHead
from controller.floor.sink.writer import Writer
from controller.floor.store import partitions
from controller.journal.keys.signing import Signer
from controller.journal.records import NO_DIGEST, Record
from controller.protocol.names import TableName
from support.floor.archives import FLOOR, OTHER, journal, left
from support.floor.months import JANUARY, archived, drop, rows_of
from support.floor.oracle import check_rows
from support.floor.records import put_records
from support.floor.servers import FloorDatabase
from support.floor.tables import FLOOR_SIGNER, MadeJournal, Sender

AT = JANUARY.timestamp() - 600
NAME = TableName("sands", "bac-01")


@pytest.fixture
def january(database: FloorDatabase) -> FloorDatabase:
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 1, 1, tzinfo=UTC))
        put_records(owner, "bac-01", journal(14, begin=AT), AT + 20)
    with database.connect("floor_proof") as proof:
        hours.make(proof, FLOOR, "sands", AT + 30)
    return database


def file_of(
    folder: Path, records: list[Record], signer: Signer = FLOOR, name: TableName = NAME
) -> Path:
    """A good file of these records, signed by that key alone."""
    sent = left(records)
    head = SiteHead(*name, 1, sent[-1].seq, sent[-1].digest)
    kept = roots.rooted(signer, name.site, int(AT) // 3600 * 3600, [head], None)
    path = roots.path_in(kept, (*name, 1))
    assert path is not None
    part = ArchivePart(1, sent[-1].seq, NO_DIGEST, path, kept.root)
    return write(folder / f"{len(sent)}.sabot", part, sent, signer, AT).file


def restored(found: FloorDatabase, file: Path, *keys: bytes) -> int:
    with found.connect() as owner:
        return archive_restore.restore(owner, file, keys)[1]


def test_a_floor_that_is_behind_the_file_waits_for_the_table(
    database: FloorDatabase, tmp_path: Path
) -> None:
    """Else the table's own records would find their places taken, for ever."""
    table = Sender(NAME, MadeJournal("bac-01", at=AT))
    table.journal.grow(30)
    file = file_of(tmp_path, table.journal.records)
    with pytest.raises(ProofError, match="no history 1 of sands/bac-01: enrol the table"):
        restored(database, file, FLOOR.public)
    sink = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
    half = Sender(NAME, table.journal.cut(20))
    half.send_all(sink.write)
    with pytest.raises(ProofError, match=r"records up to 31.* up to 20 .*let the table send first"):
        restored(database, file, FLOOR.public)
    table.send_all(sink.write)
    check_rows(database, [table])
    assert restored(database, file, FLOOR.public) == 0
    sink.close()


def test_without_a_key_only_the_floors_own_files_are_put_back(
    january: FloorDatabase, tmp_path: Path
) -> None:
    (own,) = archived(january, tmp_path)
    assert drop(january, tmp_path) == 14
    strange = file_of(tmp_path, journal(14, begin=AT), OTHER)
    with pytest.raises(ProofError, match="signed by another key"):
        restored(january, strange)
    with pytest.raises(ProofError, match=r"no root of wynn yet.* --key"):
        restored(january, file_of(tmp_path, journal(9), FLOOR, TableName("wynn", "bac-01")))
    (tmp_path / "odd.sabot").write_bytes(b"odd")
    with pytest.raises(ProofError, match="not an archive file"):
        restored(january, tmp_path / "odd.sabot")
    assert rows_of(january, "bac-01") == []
    assert restored(january, own) == 14


def test_another_record_under_a_number_that_is_here_refuses_the_whole_file(
    january: FloorDatabase, tmp_path: Path
) -> None:
    before = rows_of(january, "bac-01")
    file = file_of(tmp_path, journal(14, begin=AT + 5))
    with january.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE seq < 9")
    with pytest.raises(ProofError, match=r"record 9 of .* is another one: nothing of the file"):
        restored(january, file, FLOOR.public)
    assert rows_of(january, "bac-01") == before[8:]


def test_a_record_that_is_here_with_another_time_is_another_one(
    january: FloorDatabase, tmp_path: Path
) -> None:
    """A record's key in the database has its time: it would be there twice."""
    file = file_of(tmp_path, journal(14, begin=AT))
    with january.connect() as owner:
        owner.execute("UPDATE floor.record SET at = at + interval '1 s' WHERE seq = 9")
    with pytest.raises(ProofError, match=r"record 9 of .* is another one"):
        restored(january, file, FLOOR.public)

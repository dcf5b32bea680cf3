"""A backup is whole or not there; putting one back loses nothing in silence."""

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.journal import audit, exports
from controller.journal.errors import JournalUnwritable
from controller.journal.keys.signing import Signer
from controller.journal.store import Journal
from controller.messages.catalogue import english
from controller.service import first_records
from controller.upkeep import backups
from controller.upkeep.backups import BackupError
from controller.upkeep.files import digest_of
from support.journal.journals import checkpoint, kept, opened, run, step

NOW = datetime(2026, 11, 16, 4, 30, tzinfo=UTC)
LATER = datetime(2026, 11, 17, 4, 30, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path


def written(folder: Path, first: int, last: int) -> None:
    with opened(folder) as journal:
        for number in range(first, last + 1):
            journal.append(step(number))
        journal.round_ended()


def made(folder: Path, now: datetime = NOW) -> Path:
    path = folder / "journal.db"
    return backups.back_up(path, folder / "head.json", folder / "backups", now).path


def test_backup_beside_a_running_table_holds_every_record(folder: Path) -> None:
    with opened(folder) as journal:
        journal.append(checkpoint(1), step(2), step(3))
        journal.round_ended()
        found = backups.back_up(journal.path, folder / "head.json", folder / "backups", NOW)
        assert found.head == journal.head
        journal.append(step(4))
        assert [r.seq for r in audit.read(found.path)] == [1, 2, 3, 4]
    assert backups.check(found.path) == found.head
    assert not list((folder / "backups").glob("*.part*"))


def test_damaged_journal_is_not_backed_up_and_leaves_nothing(folder: Path) -> None:
    written(folder, 1, 5)
    run(folder, "UPDATE records SET at = at + 1 WHERE seq = 3")
    with pytest.raises(BackupError, match="record 3"):
        made(folder)
    assert list((folder / "backups").iterdir()) == []


@pytest.mark.parametrize("place", [0, 100, 5000, -1])
def test_a_flipped_byte_in_a_backup_is_found(folder: Path, place: int) -> None:
    written(folder, 1, 5)
    backup = made(folder)
    data = bytearray(backup.read_bytes())
    data[place] ^= 1
    backup.write_bytes(data)
    with pytest.raises(BackupError, match="has changed since it was made"):
        backups.check(backup)


def test_a_backup_without_its_description_or_with_another_is_refused(folder: Path) -> None:
    written(folder, 1, 5)
    backup = made(folder)
    about = backup.with_name(backup.name + ".json")
    right = about.read_bytes()
    for wrong in (b"{}", b'{"made":"\xff"}', b"[" * 100_000):
        about.write_bytes(wrong)
        with pytest.raises(BackupError, match="is not what lies beside a backup"):
            backups.check(backup)
    about.write_bytes(re.sub(rb'"digest":"[0-9a-f]+"', b'"digest":"no hex"', right))
    with pytest.raises(BackupError, match="is not whole"):
        backups.check(backup)
    about.unlink()
    with pytest.raises(BackupError, match="No such file"):
        backups.check(backup)


def test_the_same_second_twice_does_not_overwrite(folder: Path) -> None:
    written(folder, 1, 2)
    made(folder)
    with pytest.raises(BackupError, match="exists already"):
        made(folder)


def test_putting_back_the_newest_goes_on_where_it_was(folder: Path) -> None:
    written(folder, 1, 5)
    backup, journal, head = made(folder), folder / "journal.db", folder / "head.json"
    journal.write_bytes(b"")
    journal.with_name("journal.db-wal").unlink(missing_ok=True)
    told = backups.put_back(backup, journal, head, (), LATER)
    assert told.lost == 0
    with opened(folder) as again:
        assert again.loss is None
        assert again.head == kept(folder)
    assert (folder / "journal.db.before-20261117T043000Z").exists()


def test_going_back_behind_the_kept_head_takes_two_people_and_shows(folder: Path) -> None:
    written(folder, 1, 5)
    backup, journal, head = made(folder), folder / "journal.db", folder / "head.json"
    written(folder, 6, 9)
    for people in ((), ("pia",), ("pia", "pia")):
        with pytest.raises(BackupError, match="4 records before"):
            backups.put_back(backup, journal, head, people, LATER)
        assert audit.verify(journal, head).good, "nothing was touched"
    told = backups.put_back(backup, journal, head, ("pia", "max"), LATER)
    assert told.summary == (
        f"pia and max put back {backup.name}, which ends at record 6; 4 records after it are gone"
    )
    assert backups.waiting(journal) == told
    with opened(folder) as again:
        assert again.loss is not None, "the table that opens it waits for people"
    backups.recorded(journal)
    assert backups.waiting(journal) is None


def test_records_of_a_round_that_is_not_over_are_kept_too(folder: Path) -> None:
    written(folder, 1, 5)
    backup, journal, head = made(folder), folder / "journal.db", folder / "head.json"
    with opened(folder) as table:
        table.append(step(6))
    with pytest.raises(BackupError, match="1 records before"):
        backups.put_back(backup, journal, head, (), LATER)
    journal.write_bytes(b"no journal any more" * 1000)
    journal.with_name("journal.db-wal").unlink(missing_ok=True)
    with pytest.raises(BackupError, match="1 records before"):
        backups.put_back(backup, journal, head, (), LATER)
    assert backups.put_back(backup, journal, head, ("pia", "max"), LATER).lost == 1


def of_a_copied_disk(folder: Path, last: int) -> Path:
    """A backup of the same journal as it was played on in another machine, up to step `last`."""
    elsewhere = folder / "elsewhere"
    shutil.copytree(folder, elsewhere)
    with opened(elsewhere) as journal:
        for number in range(100, 100 + last):
            journal.append(step(number))
        journal.round_ended()
    return made(elsewhere, LATER)


@pytest.mark.parametrize("beyond", [2, 4, 40])
def test_another_history_of_any_length_is_not_put_back_by_one_person(
    folder: Path, beyond: int
) -> None:
    written(folder, 1, 5)
    other, journal, head = (
        of_a_copied_disk(folder, beyond),
        folder / "journal.db",
        folder / "head.json",
    )
    written(folder, 6, 9)
    before = journal.read_bytes()
    for people in ((), ("pia",), ("pia", "pia")):
        with pytest.raises(BackupError, match="is another history: after record 6") as refused:
            backups.put_back(other, journal, head, people, LATER)
        assert "4 kept records are not in it" in str(refused.value)
    assert journal.read_bytes() == before
    assert backups.waiting(journal) is None
    told = backups.put_back(other, journal, head, ("pia", "max"), LATER)
    assert (told.lost, told.parted) == (4, 6)
    said = english(first_records.restored_sentence(told))
    assert "replaced the journal" in said
    with opened(folder) as again:
        assert again.loss is not None, "the table that opens it waits for people"


def test_journal_of_another_table_is_another_history_from_its_first_record(folder: Path) -> None:
    written(folder, 1, 5)
    other = folder / "other"
    (other / "backups").mkdir(parents=True)
    with Journal.open(
        other / "journal.db", head_path=other / "head.json", signer=Signer(bytes([7] * 32))
    ) as journal:
        journal.append(*map(step, range(1, 6)))
        journal.round_ended()
    backup = made(other)
    with pytest.raises(BackupError, match="after record 0 it is not what was kept"):
        backups.put_back(backup, folder / "journal.db", folder / "head.json", ("pia",), LATER)


@pytest.mark.parametrize("left", ["journal", "head", "last", "nothing"])
def test_spoiling_what_it_is_compared_with_helps_nobody(folder: Path, left: str) -> None:
    written(folder, 1, 5)
    other, journal, head = of_a_copied_disk(folder, 9), folder / "journal.db", folder / "head.json"
    written(folder, 6, 9)
    spoilt = {"journal": journal, "head": head, "last": head.with_name("head.json.last")}
    for name, path in spoilt.items():
        if name != left:
            path.write_bytes(b"spoilt" * 1000)
    journal.with_name("journal.db-wal").unlink(missing_ok=True)
    said = "nobody can tell" if left == "nothing" else "is another history"
    with pytest.raises(BackupError, match=said):
        backups.put_back(other, journal, head, ("pia",), LATER)


def test_a_head_that_nobody_signed_as_it_stands_vouches_for_nothing(folder: Path) -> None:
    written(folder, 1, 5)
    other, journal, head = of_a_copied_disk(folder, 9), folder / "journal.db", folder / "head.json"
    written(folder, 6, 9)
    forged = json.loads(head.read_text())
    found = audit.head(other)
    head.write_text(json.dumps(forged | {"seq": found.seq, "digest": found.digest.hex()}))
    with pytest.raises(BackupError, match="is another history"):
        backups.put_back(other, journal, head, ("pia",), LATER)


def test_a_backup_verifies_anywhere_and_gives_a_new_machine_its_head(folder: Path) -> None:
    written(folder, 1, 5)
    backup = made(folder)
    assert audit.verify(backup, key=folder / "journal.db.pub").good
    new = folder / "new"
    new.mkdir()
    backups.put_back(backup, new / "journal.db", new / "head.json", (), LATER)
    with opened(new) as journal:
        assert journal.loss is None
        assert journal.head.seq == 6


def test_a_copy_without_sealed_cards_is_no_backup(folder: Path) -> None:
    written(folder, 1, 5)
    backup = made(folder)
    copy = folder / "copy.db"
    exports.export_copy(folder / "journal.db", folder / "head.json", copy)
    for end in ("", ".head", ".pub"):
        copy.with_name(copy.name + end).replace(backup.with_name(backup.name + end))
    about = backup.with_name(backup.name + ".json")
    said = json.loads(about.read_text())
    about.write_text(json.dumps(said | {"sha256": digest_of(backup)}))
    with pytest.raises(BackupError, match="a copy without sealed cards"):
        backups.check(backup)


def test_only_so_many_backups_are_kept_the_newest(folder: Path) -> None:
    written(folder, 1, 2)
    first, second = made(folder), made(folder, LATER)
    assert backups.prune(folder / "backups", 1) == [first]
    assert sorted((folder / "backups").iterdir()) == [
        second,
        *(second.with_name(second.name + end) for end in (".head", ".json", ".pub")),
    ]
    assert backups.prune(folder / "backups", 1) == []


def test_a_running_table_is_not_replaced_under_its_feet(folder: Path) -> None:
    written(folder, 1, 5)
    backup = made(folder)
    with opened(folder) as journal, pytest.raises(JournalUnwritable, match="already open"):
        backups.put_back(backup, journal.path, folder / "head.json", (), LATER)
    assert backups.waiting(folder / "journal.db") is None

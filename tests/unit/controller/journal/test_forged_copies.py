"""Copies without sealed cards: they verify like the journal, and whatever is done to them shows."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from controller.journal import audit, exports
from controller.journal.database import APPLICATION_ID, COPY_ID
from controller.journal.errors import JournalDamaged
from controller.journal.head import head_path_for
from controller.journal.store import Journal
from controller.journal.tampering import Reason
from controller.runtime.open_table import JournalPlaces
from support.journal.forging import copy_of, pub, records, sql
from support.journal.real_table import play


def test_a_copy_verifies_with_the_same_command_and_has_no_blob(
    original: Path, tmp_path: Path
) -> None:
    out = copy_of(original, tmp_path)
    found = audit.verify(out, key=pub(original))
    assert (found.good, found.is_copy, found.head) == (True, True, audit.verify(original).head)
    assert "a copy without sealed cards" in str(found)
    data = out.read_bytes()
    for record in records(original):
        if record.sealed is not None:
            assert record.sealed not in data
            assert hashlib.sha256(record.sealed).digest() in data
    assert [each.body for each in records(out)] == [each.body for each in records(original)]


def test_a_copy_is_made_beside_a_running_table(forged: Path, tmp_path: Path) -> None:
    places = JournalPlaces.next_to(forged)
    keys = places.keys(os.urandom)
    with Journal.open(forged, head_path=places.head, signer=keys.signer):
        assert audit.verify(copy_of(forged, tmp_path)).good


COPIES = [
    ("UPDATE records SET sealed = zeroblob(32) WHERE seq = 8", Reason.EDITED),
    ("UPDATE records SET sealed = NULL WHERE sealed IS NOT NULL", Reason.FOREIGN),
    ("UPDATE records SET body = x'7b7d' WHERE seq = 9", Reason.EDITED),
    ("DELETE FROM records WHERE seq > 15", Reason.HEAD),
    ("UPDATE records SET version = 0 WHERE seq > 9", Reason.FOREIGN),
    (f"PRAGMA application_id = {APPLICATION_ID}", Reason.FOREIGN),
]


@pytest.mark.parametrize(("forge", "reason"), COPIES)
def test_a_forged_copy_is_found(original: Path, tmp_path: Path, forge: str, reason: Reason) -> None:
    out = copy_of(original, tmp_path)
    sql(out, forge)
    found = audit.verify(out)
    assert found.fault is not None
    assert found.fault.reason is reason, str(found)


def test_a_copy_without_its_head_is_bad(original: Path, tmp_path: Path) -> None:
    out = copy_of(original, tmp_path)
    head_path_for(out).unlink()
    found = audit.verify(out)
    assert found.fault is not None
    assert found.fault.reason is Reason.NO_HEAD


def test_a_copy_passed_off_as_the_journal_is_refused_by_the_table(
    forged: Path, tmp_path: Path
) -> None:
    out = copy_of(forged, tmp_path)
    for end in ("-wal", "-shm"):
        forged.with_name(forged.name + end).unlink(missing_ok=True)
    shutil.copy(out, forged)
    assert audit.verify(forged).is_copy
    with pytest.raises(JournalDamaged, match="a copy without sealed cards"):
        play(forged)
    with pytest.raises(JournalDamaged, match="a copy without sealed cards"):
        exports.recover(forged, tmp_path / "recovered.db")


def test_a_journal_marked_as_a_copy_is_found(forged: Path) -> None:
    sql(forged, f"PRAGMA application_id = {COPY_ID}")
    found = audit.verify(forged)
    assert not found.good

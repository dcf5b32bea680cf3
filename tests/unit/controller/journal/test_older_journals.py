"""Journals that older releases wrote, taken over: they verify whole, and so does a copy of them."""

import random
import shutil
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from controller.engine import session
from controller.engine.replay import Diverged
from controller.journal import audit, exports
from controller.journal.database import Database
from controller.journal.head import read_head
from controller.journal.records import FORM, KEYS, RELEASE
from controller.journal.seal import create_key
from controller.journal.tampering import Reason
from controller.rulebooks import rulebook
from controller.runtime.open_table import Places, open_table
from controller.table.holds import LatchKind
from controller.table.rules import House, Rules
from support.journal.forging import copy_of, moved, pub, records, sql

SAMPLES = Path(__file__).parents[3] / "support" / "journal" / "samples"
RULES = Rules(rulebook("mbs-baccarat-8"), House("mbs-baccarat-8", burn="none"))


@pytest.fixture(params=sorted(SAMPLES.glob("form-*/sealed.db")), ids=lambda path: path.parent.name)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    sample: Path = request.param
    for end in ("", ".head"):
        shutil.copy(sample.with_name(sample.name + end), tmp_path / f"journal.db{end}")
    create_key(Places.beside(tmp_path / "journal.db").key, random.Random(7).randbytes)
    return tmp_path / "journal.db"


def test_it_verifies_before_and_after_it_was_taken_over(old: Path, tmp_path: Path) -> None:
    before = audit.verify(old)
    assert (before.good, before.key) == (True, None)
    with open_table(RULES, old) as opened:
        assert opened.machine.table.opened
    found = records(old)
    first = next(each for each in found if each.version >= FORM)
    assert (first.kind, first.seq) == (KEYS, before.head.seq + 1)
    after = audit.verify(old, key=pub(old))
    assert after.good
    copy = audit.verify(copy_of(old, tmp_path), key=pub(old))
    assert (copy.good, copy.head) == (True, after.head)


def test_a_start_that_fails_leaves_it_to_the_older_release(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def diverged(*_: object, **__: object) -> NoReturn:
        raise Diverged("it leads elsewhere")

    head, before = old.with_name("journal.db.head").read_bytes(), records(old)
    with monkeypatch.context() as broken:
        broken.setattr(session, "replayed", diverged)
        for _ in range(2):
            with pytest.raises(Diverged), open_table(RULES, old):
                pass
    assert records(old) == before
    assert old.with_name("journal.db.head").read_bytes() == head
    assert not Places.beside(old).signing.exists()
    with closing(Database.read(old)) as database:
        assert database.layout == 1
    with open_table(RULES, old):
        pass
    assert audit.verify(old, key=pub(old)).good
    assert [each.kind for each in records(old)[len(before) :]][:2] == [KEYS, RELEASE]
    assert Places.beside(old).signing.exists()


def test_taken_over_it_cannot_go_back_to_an_unsigned_head(old: Path) -> None:
    line = old.with_name("journal.db.head").read_bytes()
    with open_table(RULES, old):
        pass
    old.with_name("journal.db.head").write_bytes(line)
    assert read_head(old.with_name("journal.db.head")) is not None
    found = audit.verify(old)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD_UNSIGNED


def test_a_copy_from_before_the_upgrade_can_be_put_back_and_is_told(
    old: Path, tmp_path: Path
) -> None:
    before = moved(old, tmp_path / "before")
    with open_table(RULES, old):
        pass
    for end in ("", ".head"):
        shutil.copy(before.with_name(before.name + end), old.with_name(old.name + end))
    for end in (".pub", ".head.last"):
        old.with_name(old.name + end).unlink(missing_ok=True)
    assert not audit.verify(old, signing=Places.beside(old).signing).good
    with open_table(RULES, old) as opened:
        assert any(each.kind is LatchKind.JOURNAL_LOSS for each in opened.machine.table.latches)
    assert any(b"journal_downgraded" in each.body for each in records(old))
    assert audit.verify(old, key=pub(old), signing=Places.beside(old).signing).good


def test_what_is_made_of_an_older_journal_is_of_its_layout(old: Path, tmp_path: Path) -> None:
    """A backup or a recovered part is no sign that somebody had signed."""
    exports.recover(old, tmp_path / "recovered.db")
    exports.export_whole(old, old.with_name("journal.db.head"), tmp_path / "whole.db")
    for name in ("recovered.db", "whole.db"):
        assert audit.verify(tmp_path / name).good


def test_an_older_record_edited_after_it_was_taken_over_is_found(old: Path) -> None:
    with open_table(RULES, old):
        pass
    sql(old, "UPDATE records SET body = x'7b7d' WHERE seq = 3")
    found = audit.verify(old)
    assert found.fault is not None
    assert (found.fault.reason, found.fault.seq) == (Reason.EDITED, 3)


def test_cut_back_to_what_the_older_release_wrote_it_is_found(old: Path) -> None:
    """Every newer record, the public key and the signed head are gone; the old head is back."""
    line, end = old.with_name("journal.db.head").read_bytes(), audit.verify(old).head
    with open_table(RULES, old):
        pass
    sql(old, "DELETE FROM records WHERE seq > ?", end.seq)
    old.with_name("journal.db.head").write_bytes(line)
    pub(old).unlink()
    found = audit.verify(old)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD
    assert "names no key any more" in str(found)

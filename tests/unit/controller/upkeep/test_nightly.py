from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from controller.config import file as config
from controller.config.file import Config, JournalPaths
from controller.journal import exports
from controller.journal.head import head_path_for
from controller.journal.seal import create_key
from controller.upkeep import backups, nightly
from support.journal.forging import sql
from support.journal.real_table import play, played


@pytest.fixture
def site(tmp_path: Path) -> Config:
    path = played(tmp_path)
    journal = JournalPaths(str(path), str(head_path_for(path)), f"{path}.key")
    house = msgspec.structs.replace(config.DEMO.table, burn="none", deal_face="down")
    return msgspec.structs.replace(config.DEMO, journal=journal, table=house)


def test_a_whole_journal_is_good_and_says_whose_it_is(site: Config) -> None:
    found = nightly.check_journal(site)
    assert found.good
    assert "signed by key" in found.text


def test_losses_that_the_table_recorded_are_counted(site: Config, tmp_path: Path) -> None:
    path = Path(site.journal.path)
    head_path_for(path).unlink()
    play(path)
    found = nightly.check_journal(site)
    assert found.good
    assert found.text.endswith("1 loss recorded by the table itself")
    made = backups.back_up(path, head_path_for(path), tmp_path, datetime(2026, 11, 16, tzinfo=UTC))
    assert made.summary.endswith("records; 1 loss recorded by the table itself")


def test_a_cut_end_of_the_open_round_is_bad(site: Config) -> None:
    sql(Path(site.journal.path), "DELETE FROM records WHERE seq = (SELECT max(seq) FROM records)")
    found = nightly.check_journal(site)
    assert not found.good
    assert "had been written" in found.text


def test_a_copy_in_the_journal_s_place_is_bad(site: Config, tmp_path: Path) -> None:
    path, out = Path(site.journal.path), tmp_path / "copy.db"
    exports.export_copy(path, head_path_for(path), out)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    out.replace(path)
    found = nightly.check_journal(site)
    assert not found.good
    assert "a copy without sealed cards" in found.text


def test_a_release_that_could_not_sign_cannot_open(site: Config) -> None:
    assert nightly.can_open(site).good
    signing = Path(site.journal.signing)
    signing.chmod(0o644)
    found = nightly.can_open(site)
    assert not found.good
    assert "is open to others" in found.text
    signing.chmod(0o600)
    kept = signing.read_bytes()
    signing.write_bytes(bytes(32))
    assert "put the journal's own key back" in nightly.can_open(site).text
    signing.unlink()
    found = nightly.can_open(site)
    assert not found.good
    assert f"{signing} is missing" in found.text
    assert not signing.exists(), "looking makes no key"
    create_key(signing, lambda _: kept)
    assert nightly.can_open(site).good

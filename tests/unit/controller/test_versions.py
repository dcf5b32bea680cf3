"""Update and rollback in mid-shoe: old records are read, newer ones are refused with the reason."""

from pathlib import Path

import msgspec
import pytest

from controller import table
from controller.config import file as config
from controller.config.file import Journal
from controller.round.machine import MOVES, State
from controller.runtime.open_table import open_table, replayed
from controller.session import WrittenByNewer
from controller.upkeep import nightly

OPEN = {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": "open_table", "at": 1}
LOAD = {
    "from": "staff", "who": "d1", "role": "dealer", "do": "load_shoe", "at": 2,
    "with": {"deck_set": "blue", "verified_by": "pia", "cut": True},
}  # fmt: skip


def say(path: Path, *lines: dict[str, object]) -> None:
    with open_table(config.DEMO.rules(), path) as session:
        for line in lines:
            assert session.handle(msgspec.convert(line, table.Message)).accepted


@pytest.fixture
def site(tmp_path: Path) -> config.Config:
    path = tmp_path / "journal.db"
    say(path, OPEN, LOAD)
    journal = Journal(str(path), f"{path}.head", f"{path}.key")
    return msgspec.structs.replace(config.DEMO, journal=journal)


def test_rollback_works_while_only_old_records_are_there(site: config.Config) -> None:
    assert nightly.can_open(site).good


def test_rollback_is_refused_once_a_newer_record_is_there(
    site: config.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(site.journal.path)
    with monkeypatch.context() as newer:
        newer.setattr(table, "VERSION", table.VERSION + 1)
        newer.setattr("controller.session.VERSION", table.VERSION)
        say(path, {**OPEN, "do": "open_betting", "role": "dealer", "at": 3})
        assert nightly.can_open(site).good, "the newer release itself goes on"
    found = nightly.can_open(site)
    assert not found.good
    assert "a newer release has written to this journal" in found.says
    with pytest.raises(WrittenByNewer, match=f"and this release knows {table.VERSION}"):
        say(path)
    with pytest.raises(WrittenByNewer):
        replayed(config.DEMO.rules(), path)


def test_what_an_older_release_refused_is_not_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 1 did not listen to its devices while the table was closed."""
    path = tmp_path / "old.db"
    close = {**OPEN, "do": "close_table", "at": 3}
    lid = {"from": "shoe", "event": "lid_open", "at": 4}
    with monkeypatch.context() as older:
        older.setattr(table, "VERSION", 1)
        older.setattr("controller.session.VERSION", 1)
        older.delitem(MOVES[State.CLOSED], "lid_open")
        say(path, OPEN, LOAD, close)
        with open_table(config.DEMO.rules(), path) as session:
            assert not session.handle(msgspec.convert(lid, table.Message)).accepted
    say(path, {**OPEN, "at": 5})
    assert replayed(config.DEMO.rules(), path).latches == ()


def test_a_journal_that_is_not_there_yet_is_no_obstacle(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "journal.db"))
    empty = msgspec.structs.replace(config.DEMO, journal=journal)
    assert nightly.can_open(empty).says == "there is none yet"

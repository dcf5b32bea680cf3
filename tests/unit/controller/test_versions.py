"""Update and rollback in mid-shoe: newer records are refused with the reason."""

from pathlib import Path

import msgspec
import pytest

from controller.config import file as config
from controller.config.file import JournalPaths
from controller.engine.replay import WrittenByNewer
from controller.journal.records import RECORD_FORMAT
from controller.runtime.open_table import open_table, replay_table
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import Payload
from controller.upkeep import nightly

OPEN = new_message("staff", "open_table", who="pia", role="pit_supervisor", at=1.0)
LOAD = new_message(
    "staff", "load_shoe", who="d1", role="dealer", at=2.0,
    deck_set="blue", verified_by="pia", cut=True,
)  # fmt: skip
VOUCH = new_message("staff", "approve", who="pia", role="pit_supervisor", at=2.0)


def say(path: Path, *told: Message[Payload]) -> None:
    with open_table(config.DEMO.rules(), path) as session:
        for each in told:
            assert session.handle(each).accepted


@pytest.fixture
def site(tmp_path: Path) -> config.Config:
    path = tmp_path / "journal.db"
    say(path, OPEN, LOAD, VOUCH)
    journal = JournalPaths(str(path), f"{path}.head", f"{path}.key")
    return msgspec.structs.replace(config.DEMO, journal=journal)


def test_rollback_works_while_only_old_records_are_there(site: config.Config) -> None:
    assert nightly.can_open(site).good


def test_rollback_is_refused_once_a_newer_record_is_there(
    site: config.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(site.journal.path)
    with monkeypatch.context() as newer:
        newer.setattr("controller.engine.step.RECORD_FORMAT", RECORD_FORMAT + 1)
        newer.setattr("controller.engine.replay.RECORD_FORMAT", RECORD_FORMAT + 1)
        say(path, new_message("staff", "open_betting", who="d1", role="dealer", at=3.0))
        assert nightly.can_open(site).good, "the newer release itself goes on"
    found = nightly.can_open(site)
    assert not found.good
    assert "a newer release has written to this journal" in found.text
    with pytest.raises(WrittenByNewer, match=f"and this release knows {RECORD_FORMAT}"):
        say(path)
    with pytest.raises(WrittenByNewer):
        replay_table(config.DEMO.rules(), path)


def test_a_journal_that_is_not_there_yet_is_no_obstacle(tmp_path: Path) -> None:
    journal = JournalPaths(str(tmp_path / "journal.db"))
    empty = msgspec.structs.replace(config.DEMO, journal=journal)
    assert nightly.can_open(empty).text == "there is none yet"

"""A disk in another machine: found at the first start there, until two people say it is right."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import DEMO
from controller.journal import audit
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.runtime.open_table import JournalPlaces, open_table
from controller.service import first_records
from controller.table.commands.message import new_message
from controller.table.commands.names import is_same_name
from controller.table.holds import HoldReason
from controller.upkeep.machine import binding

PC_1 = {"system": "c0ffee", "mainboard": "4c4c4544-0001"}
PC_2 = {"system": "c0ffee", "mainboard": "4c4c4544-0002"}
"""Debian's own id is copied with the disk."""


@pytest.fixture
def places(tmp_path: Path) -> JournalPlaces:
    return JournalPlaces.next_to(tmp_path / "journal.db")


class Started:
    """A table that was started on some machine, and what it recorded of it."""

    def __init__(self, places: JournalPlaces, identity: dict[str, str]) -> None:
        self.places, self.identity = places, identity

    def __enter__(self) -> "Started":
        self._open = open_table(DEMO.rules(), self.places)
        session = self.session = self._open.__enter__()
        first_records.record_other_machine(session, self.places, self.identity, 5.0)
        return self

    def __exit__(self, *_: Any) -> None:
        self._open.__exit__(None, None, None)

    def is_latched(self) -> bool:
        kinds = [each.kind for each in self.session.machine.table.latches]
        return HoldReason.JOURNAL_LOSS in kinds

    def last_code(self) -> str:
        return self.session.machine.table.notices[-1].code

    def say(self, do: str, who: str, **given: object) -> bool:
        word = new_message("staff", do, at=9.0, who=who, role="pit_supervisor", **given)
        return bool(self.session.handle(word).accepted)


def test_first_start_binds_the_table_and_the_next_says_nothing(places: JournalPlaces) -> None:
    with Started(places, PC_1) as table:
        assert table.last_code() == "machine_bound"
        assert not table.is_latched()
        end = table.session.journal.head
    with Started(places, PC_1) as table:
        assert table.session.journal.head == end
        assert not table.is_latched()


def test_copied_disk_in_a_second_pc_waits_for_two_people(
    places: JournalPlaces, tmp_path: Path
) -> None:
    with Started(places, PC_1):
        pass
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in tmp_path.glob("journal.db*"):
        shutil.copy(path, copy)
    second = JournalPlaces.next_to(copy / "journal.db")
    with Started(second, PC_2) as table:
        assert table.last_code() == "machine_is_another"
        assert table.is_latched()
        assert table.say("open_table", "pia")
        assert table.say("load_shoe", "pia", deck_set="red", verified_by="max") is False
        assert table.say("resume", "pia", reason="it is the new PC")
        assert table.is_latched(), "one person alone goes on over nothing"
        assert table.say("approve", "pia") is False
        assert table.is_latched()
        assert table.say("approve", "max")
        assert not table.is_latched()
    with Started(second, PC_2) as table:
        assert not table.is_latched(), "it belongs to the second PC now"
    with Started(places, PC_1) as table:
        assert not table.is_latched(), "and the first one was not touched"
    verdict = audit.verify(second.journal, second.head)
    assert verdict.good
    assert "continues on machine" in str(verdict.losses[0]), "an auditor reads it for ever"


def test_latch_lasts_over_restarts_until_two_people_have_said_so(places: JournalPlaces) -> None:
    with Started(places, PC_1):
        pass
    with Started(places, PC_2) as table:
        assert table.is_latched()
    with Started(places, PC_2) as table:
        assert table.is_latched()


@pytest.mark.parametrize("how", ["removed", "emptied", "edited", "another table's", "unsigned"])
def test_spoiling_what_says_which_machine_it_was_is_found(
    places: JournalPlaces, how: str, tmp_path: Path
) -> None:
    with Started(places, PC_1):
        pass
    kept = binding.kept_beside(places.head)
    if how == "removed":
        kept.unlink()
    elif how == "emptied":
        kept.write_bytes(b"")
    elif how == "edited":
        now = binding.MachineFingerprint.of(PC_2).parts["mainboard"]
        before = binding.MachineFingerprint.of(PC_1).parts["mainboard"]
        kept.write_text(kept.read_text().replace(before, now))
    elif how == "unsigned":
        kept.write_text('{"parts":{},"key":"","signature":""}')
    else:
        (tmp_path / "other").mkdir()
        other = JournalPlaces.next_to(tmp_path / "other" / "journal.db")
        with Started(other, PC_2):
            pass
        shutil.copy(binding.kept_beside(other.head), kept)
    with Started(places, PC_2) as table:
        assert table.last_code() == "machine_not_known"
        assert table.is_latched()


def test_hardware_that_hides_itself_is_another_machine(places: JournalPlaces) -> None:
    with Started(places, PC_1):
        pass
    with Started(places, {"system": "c0ffee"}) as table:
        assert table.is_latched()


def test_more_that_can_be_read_and_a_replaced_key_are_no_other_machine(
    places: JournalPlaces,
) -> None:
    with Started(places, {"system": "c0ffee"}):
        pass
    with Started(places, PC_1) as table:
        assert not table.is_latched()
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    rotate(
        where, KeyKind.SIGNING, ("pia", "max"), 0.0, lambda size: bytes([7] * size), is_same_name
    )
    with Started(places, PC_1) as table:
        assert not table.is_latched()
    with Started(places, PC_2) as table:
        assert table.is_latched(), "what could be read later counts too"


def test_what_makers_leave_in_a_mainboard_is_no_identity(tmp_path: Path) -> None:
    said = {"system": "C0FFEE\n", "mainboard": "To be filled by O.E.M.\n", "serial": "\0"}
    found = {name: tmp_path / name for name in (*said, "device_tree")}
    for name, text in said.items():
        found[name].write_text(text)
    assert binding.identity(found) == {"system": "c0ffee"}

"""Keys that were replaced: what was before stays readable, and whoever has the old key knows it."""

import os
import shutil
from pathlib import Path

import pytest
import structlog
from msgspec.structs import replace

from controller.journal import audit
from controller.journal.database import Database
from controller.journal.errors import JournalDamaged, JournalUnwritable, KeyRefused
from controller.journal.head import HeadFile, head_path_for
from controller.journal.keys import rotation
from controller.journal.keys.record import keys_in_record
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.journal.keys.signing import read_public
from controller.journal.records import KEYS
from controller.journal.store import Journal
from controller.journal.tampering import Reason
from controller.runtime.open_table import JournalPlaces
from controller.table.commands.names import is_same_name
from support.journal.forging import moved, pub, public, records, written_anew
from support.journal.real_table import play


def rotated(journal: Path, kind: KeyKind) -> None:
    places = JournalPlaces.next_to(journal)
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    rotate(where, kind, ("pia", "max"), 0.0, os.urandom, is_same_name)


def test_a_journal_whose_key_was_replaced_is_known_by_the_old_one(
    forged: Path, original: Path
) -> None:
    for _ in range(2):
        rotated(forged, KeyKind.SIGNING)
    play(forged)
    found = audit.verify(forged, key=pub(original))
    assert found.good
    assert found.known_by is not None
    assert "handed the journal on" in str(found)
    assert audit.verify(forged, key=pub(forged)).known_by is None


def test_somebody_with_a_key_that_was_replaced_cannot_go_on_as_the_table(
    forged: Path, original: Path
) -> None:
    """He cuts the rotation off and signs with the old key: the true key shows it."""
    rotated(forged, KeyKind.SIGNING)
    now = moved(forged, forged.parent.with_name("now"))
    old = JournalPlaces.next_to(original).keys(os.urandom).signer
    found = records(original)
    written_anew(forged, [*found, replace(found[-1], body=b"{}")], old)
    public(pub(forged), old)
    assert audit.verify(forged).good
    verdict = audit.verify(forged, key=pub(now))
    assert verdict.fault is not None
    assert verdict.fault.reason is Reason.KEY


def test_a_rotation_moved_to_another_place_is_found(forged: Path) -> None:
    """The endorsement is of its place too."""
    rotated(forged, KeyKind.SIGNING)
    play(forged)
    signer = JournalPlaces.next_to(forged).keys(os.urandom).signer
    found = records(forged)
    place = next(n for n, each in enumerate(found) if n and each.kind == KEYS)
    found.insert(place + 1, found.pop(place))
    written_anew(forged, list(found), signer)
    verdict = audit.verify(forged)
    assert verdict.fault is not None
    assert verdict.fault.reason is Reason.KEYS


def test_old_cards_open_and_the_round_goes_on_after_both_keys_were_replaced(forged: Path) -> None:
    rotated(forged, KeyKind.SEALING)
    rotated(forged, KeyKind.SIGNING)
    rotated(forged, KeyKind.SEALING)
    play(forged)
    sealer = JournalPlaces.next_to(forged).sealer()
    opened = [sealer.open(each.sealed) for each in records(forged) if each.sealed is not None]
    assert [each.card_code for each in opened] == ["2H", "KC", "7D", "9S", "3H", "4C"]
    assert audit.verify(forged).good


def test_a_key_is_replaced_by_two_people_with_the_table_stopped(forged: Path) -> None:
    places = JournalPlaces.next_to(forged)
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    same = [("pia", "pia"), ("pia", "Pia "), ("pia", " "), ("", "max"), ("pia", "PIA", "max")]
    same += [("pia", "p\u0456a"), ("pia", "\uff50ia"), ("pia", "pi\u200ba")]  # all read "pia"
    for by in ((), ("pia",), *same):
        with pytest.raises(KeyRefused, match="two people"):
            rotate(where, KeyKind.SIGNING, by, 0.0, os.urandom, is_same_name)
    signer = places.keys(os.urandom).signer
    with (
        Journal.open(forged, head_path=places.head, signer=signer),
        pytest.raises(JournalUnwritable, match="already open for writing"),
    ):
        rotated(forged, KeyKind.SIGNING)


def test_a_journal_that_lost_something_is_settled_first(forged: Path) -> None:
    head_path_for(forged).unlink()
    with pytest.raises(JournalDamaged, match="have that settled first"):
        rotated(forged, KeyKind.SEALING)


def test_the_record_says_who_replaced_which_key(forged: Path) -> None:
    places = JournalPlaces.next_to(forged)
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    rotate(where, KeyKind.SIGNING, (" pia", "max\n"), 0.0, os.urandom, is_same_name)
    last = records(forged)[-1]
    named = keys_in_record(last)
    assert named.body.by == ("pia", "max")
    assert named.public == read_public(pub(forged))


def test_a_journal_put_back_from_before_a_rotation_is_the_old_key_s_again_and_says_so(
    forged: Path, original: Path
) -> None:
    assert JournalPlaces.next_to(forged).keys(os.urandom).warning is None
    rotated(forged, KeyKind.SIGNING)
    assert JournalPlaces.next_to(forged).keys(os.urandom).warning is None
    for end in ("-wal", "-shm"):
        forged.with_name(forged.name + end).unlink(missing_ok=True)
    shutil.copy(original, forged)
    with structlog.testing.capture_logs() as logs:
        play(forged)
    (told,) = [each for each in logs if each["event"] == "older_key_again"]
    assert f"from before {forged.name}.signing" in told["says"].replace(f"{forged.parent}/", "")
    found = audit.verify(forged)
    assert found.good, found
    assert len(found.losses) == 1
    assert read_public(pub(forged)) == read_public(pub(original))
    rotated(forged, KeyKind.SIGNING)
    assert JournalPlaces.next_to(forged).keys(os.urandom).warning is None
    assert audit.verify(forged).good


STEPS = {
    "before the new key": (rotation, "create_key"),
    "before the old key is kept": (rotation, "_keep"),
    "before the record": (Database, "insert"),
    "before the head": (HeadFile, "write"),
    "before the public half": (Journal, "_write_public"),
    "before the name": (os, "replace"),
}


@pytest.mark.parametrize("kind", KeyKind)
@pytest.mark.parametrize("stopped", STEPS)
def test_a_rotation_stopped_anywhere_leaves_a_table_that_goes_on(
    forged: Path, monkeypatch: pytest.MonkeyPatch, kind: KeyKind, stopped: str
) -> None:
    class PowerCut(BaseException):
        pass

    def cut(*_: object, **__: object) -> None:
        raise PowerCut

    def cut_after_the_record(journal: Journal) -> None:
        if len(records(journal.path)) > before:
            cut()

    where, name = STEPS[stopped]
    before = len(records(forged))
    with monkeypatch.context() as broken:
        if stopped == "before the public half":
            broken.setattr(where, name, cut_after_the_record)
        else:
            broken.setattr(where, name, cut)
        with pytest.raises(PowerCut):
            rotated(forged, kind)
    assert audit.verify(forged).good
    play(forged)
    assert audit.verify(forged).good
    assert not list(forged.parent.glob("*.next")), "the next opening finishes it"
    rotated(forged, kind)
    play(forged)
    assert audit.verify(forged, key=pub(forged)).good
    sealer = JournalPlaces.next_to(forged).sealer()
    for each in records(forged):
        assert each.sealed is None or sealer.open(each.sealed).card_code

import os
from pathlib import Path

import pytest

from controller.journal import audit
from controller.journal.errors import KeyRefused
from controller.journal.keys import files
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.runtime.open_table import JournalPlaces
from controller.table.commands.names import is_same_name
from support.journal.real_table import play


def test_keys_are_made_with_the_journal_and_private(tmp_path: Path) -> None:
    places = JournalPlaces.next_to(tmp_path / "journal.db")
    made = places.keys(os.urandom)
    assert not places.signing.exists(), "it gets its name when a journal names it"
    play(places.journal)
    assert not files.next_key_path(places.signing).exists()
    assert [each.stat().st_mode & 0o777 for each in (places.key, places.signing)] == [0o600] * 2
    again = places.keys(os.urandom)
    assert (again.signer.public, again.sealing_id) == (made.signer.public, made.sealing_id)
    assert repr(made.sealing) not in repr(made)


def test_a_backup_from_before_goes_on_with_the_keys_it_names(forged: Path, original: Path) -> None:
    places = JournalPlaces.next_to(forged)
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    for kind in KeyKind:
        rotate(where, kind, ("pia", "max"), 0.0, os.urandom, is_same_name)
    for end in ("", "-wal", "-shm", ".head"):
        old = original.with_name(original.name + end)
        new = forged.with_name(forged.name + end)
        new.unlink(missing_ok=True)
        if old.exists():
            new.write_bytes(old.read_bytes())
    play(forged)
    assert audit.verify(forged).good


def test_a_key_that_is_missing_is_not_made_anew(forged: Path) -> None:
    places = JournalPlaces.next_to(forged)
    for each, says in ((places.signing, "is signed with it"), (places.key, "sealed with it")):
        kept = each.read_bytes()
        each.unlink()
        with pytest.raises(KeyRefused, match=says):
            play(forged)
        each.write_bytes(kept)
        each.chmod(0o600)
    places.signing.chmod(0o644)
    with pytest.raises(KeyRefused, match="open to others"):
        play(forged)


def test_one_file_cannot_do_both(tmp_path: Path) -> None:
    with pytest.raises(KeyRefused, match="cannot both seal and sign"):
        files.open_keys(tmp_path / "j", tmp_path / "key", tmp_path / "key", os.urandom)

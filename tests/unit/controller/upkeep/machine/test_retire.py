"""A table PC goes: first the journal is elsewhere and proven, then nobody has its keys."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.console.auth.accounts import Accounts
from controller.journal import audit, exports
from controller.journal.errors import JournalUnwritable, KeyRefused
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.runtime.open_table import JournalPlaces, open_table
from controller.table.commands.names import is_same_name
from controller.upkeep.backups import BackupError
from controller.upkeep.machine import retire
from controller.upkeep.machine.retire import CannotRetire
from support.console.consoles import QUICK
from support.journal.journals import run
from support.journal.real_table import BETS, DEALT, ENDED, OPENING, RULES, play

PEOPLE = ("pia", "max")


@pytest.fixture
def places(tmp_path: Path) -> JournalPlaces:
    """A played table whose signing key was replaced once."""
    folder = tmp_path / "table"
    folder.mkdir()
    places = JournalPlaces.next_to(folder / "journal.db")
    play(places.journal, *OPENING, *ENDED)
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    rotate(where, KeyKind.SIGNING, PEOPLE, 0.0, lambda size: bytes([9] * size), is_same_name)
    return places


def test_the_export_is_proven_and_then_no_key_is_left(
    places: JournalPlaces, tmp_path: Path
) -> None:
    secrets = [each.read_bytes() for each in retire.key_files(places)]
    assert len(secrets) == 3
    done = retire.retire(RULES, places, tmp_path / "out", PEOPLE, 5.0)
    assert audit.verify(done.copy).good
    assert audit.verify(done.copy).head == done.head
    assert len(done.destroyed) == 3
    assert retire.key_files(places) == []
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not any(secret in left for secret in secrets)
    last = (tmp_path / "out/journal.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    assert '"what":"retired"' in last
    assert "pia and max" in last
    assert audit.verify(places.journal, places.head).good, "it still verifies, with the public key"
    with pytest.raises(KeyRefused, match="is missing"), open_table(RULES, places):
        pass


def keys_are_there(places: JournalPlaces) -> bool:
    return len(retire.key_files(places)) == 3


def test_a_journal_that_is_not_good_keeps_its_keys(places: JournalPlaces, tmp_path: Path) -> None:
    run(places.journal.parent, "UPDATE records SET at = at + 1 WHERE seq = 3")
    with pytest.raises(CannotRetire, match="its keys stay"):
        retire.retire(RULES, places, tmp_path / "out", PEOPLE, 5.0)
    assert keys_are_there(places)


def test_cards_of_an_open_round_keep_the_keys(places: JournalPlaces, tmp_path: Path) -> None:
    play(places.journal, *BETS, *DEALT)
    with pytest.raises(CannotRetire, match="a round is open"):
        retire.retire(RULES, places, tmp_path / "out", PEOPLE, 5.0)
    assert keys_are_there(places)


def test_an_export_that_is_not_the_journal_keeps_the_keys(
    places: JournalPlaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = tmp_path / "older"
    older.mkdir()
    for path in places.journal.parent.iterdir():
        shutil.copy(path, older)
    real = exports.export_copy

    def another(_path: Path, _head: Path, out: Path) -> object:
        other = JournalPlaces.next_to(older / places.journal.name)
        return real(other.journal, other.head, out)

    monkeypatch.setattr(exports, "export_copy", another)
    with pytest.raises(CannotRetire, match="is not what the journal is"):
        retire.retire(RULES, places, tmp_path / "out", PEOPLE, 5.0)
    assert keys_are_there(places)


def test_nothing_is_destroyed_beside_a_running_table_or_where_the_export_would_be(
    places: JournalPlaces, tmp_path: Path
) -> None:
    with open_table(RULES, places), pytest.raises(JournalUnwritable, match="already open"):
        retire.retire(RULES, places, tmp_path / "out", PEOPLE, 5.0)
    (tmp_path / "there").mkdir()
    for out in (tmp_path / "there", places.key.parent / "out"):
        with pytest.raises(CannotRetire):
            retire.retire(RULES, places, out, PEOPLE, 5.0)
    assert keys_are_there(places)


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_recorded(
    places: JournalPlaces, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    end = audit.verify(places.journal, places.head).head
    with pytest.raises(CannotRetire, match="cannot be made: Not a directory"):
        retire.retire(RULES, places, tmp_path / "file" / "out", PEOPLE, 5.0)
    assert audit.verify(places.journal, places.head).head == end
    assert keys_are_there(places)


@pytest.mark.parametrize("name", ["journal.db.key.old", "journal.db.signing.next"])
def test_a_link_among_the_keys_destroys_nothing(
    places: JournalPlaces, tmp_path: Path, name: str
) -> None:
    """Whoever may write to that folder would else have root overwrite any file."""
    victim = tmp_path / "victim"
    victim.write_text("not a key")
    (places.key.parent / name).symlink_to(victim)
    with pytest.raises(CannotRetire, match="is a link"):
        retire.retire(RULES, places, tmp_path / "out", PEOPLE, 5.0)
    assert victim.read_text() == "not a key"
    assert keys_are_there(places)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("mia\n111111\nmia\n111111\n", "two people"),
        ("mia\n111111\ndan\n222222\n", "may not approve"),
        ("mia\n111111\nmax\n000000\n", "wrong name or PIN"),
        ("mia\n111111\nmax\n333333\n", ""),
    ],
)
def test_two_people_say_so_at_the_machine(
    places: JournalPlaces, tmp_path: Path, typed: str, error: str
) -> None:
    accounts = Accounts(tmp_path / "staff.json", QUICK)
    for who, role, pin in (
        ("mia", "pit_manager", "111111"),
        ("dan", "pit_supervisor", "222222"),
        ("max", "pit_manager", "333333"),
    ):
        accounts.add(who, role, pin)
    file = tmp_path / "table.toml"
    house = (
        'rulebook = "mbs-baccarat-8"\nburn = "none"\ndeal_face = "down"\n'
        "minimum = 100\nmaximum = 100000000"
    )
    file.write_text(
        f"[table]\n{house}\n[money]\nchip_unit = 100\n"
        f'[journal]\npath = "{places.journal}"\nhead = "{places.head}"\nkey = "{places.key}"\n'
        f'signing_key = "{places.signing}"\n[console]\nstaff = "{tmp_path}/staff.json"\n'
    )
    done = CliRunner().invoke(
        app, ["retire", str(tmp_path / "out"), "--config", str(file)], input=typed
    )
    if error:
        assert isinstance(done.exception, BackupError)
        assert error in str(done.exception)
        assert keys_are_there(places)
    else:
        assert done.exception is None, done.output
        assert done.output.count(": destroyed") == 3
        assert retire.key_files(places) == []

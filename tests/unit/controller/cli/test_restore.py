"""`sabot restore` at a terminal: two people, their PINs, or nothing happens."""

import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.console.auth.accounts import SHORT_SECRET, Accounts
from controller.journal import audit
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.runtime.open_table import JournalPlaces
from controller.table.commands.names import is_same_name
from controller.upkeep import backups
from controller.upkeep.backups import BackupError
from support.console.consoles import QUICK
from support.journal.journals import opened, step
from support.journal.real_table import played

PINS = {
    "pia": ("pit_supervisor", "1111"),
    "max": ("pit_manager", "2222"),
    "dan": ("dealer", "3333"),
}


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, Path]:
    """A table's file and a backup that ends before the kept head."""
    accounts = Accounts(tmp_path / "staff.json", QUICK, SHORT_SECRET)
    for who, (role, pin) in PINS.items():
        accounts.add(who, role, pin)
    files = {"path": "journal.db", "head": "head.json", "key": "key"}
    lines = [f"{key} = {json.dumps(str(tmp_path / name))}" for key, name in files.items()]
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n[journal]\n'
        + "\n".join(lines)
        + f'\n[console]\nstaff = "{tmp_path}/staff.json"\n'
    )
    with opened(tmp_path) as journal:
        journal.append(step(1))
        journal.round_ended()
    path, head = tmp_path / "journal.db", tmp_path / "head.json"
    backup = backups.back_up(path, head, tmp_path, datetime(2026, 11, 16, tzinfo=UTC)).path
    with opened(tmp_path) as journal:
        journal.append(step(2), step(3))
        journal.round_ended()
    return config, backup


def restore(site: tuple[Path, Path], typed: str) -> tuple[str, BaseException | None]:
    config, backup = site
    found = CliRunner().invoke(app, ["restore", str(backup), "--config", str(config)], input=typed)
    return found.output, found.exception


def test_two_people_with_their_pins_go_back(site: tuple[Path, Path]) -> None:
    output, error = restore(site, "pia\n1111\nmax\n2222\n")
    assert error is None
    assert "pia and max put back" in output
    assert "1111" not in output
    assert audit.verify(site[0].parent / "journal.db").head.seq == 2


WRONG = {
    "the same person twice": ("pia\n1111\npia\n1111\n", "two people"),
    "a wrong PIN": ("pia\n1111\nmax\n9999\n", "wrong name or PIN"),
    "a stranger": ("eve\n1111\n", "wrong name or PIN"),
    "a dealer": ("dan\n3333\n", "may not approve"),
}


@pytest.mark.parametrize("who", WRONG)
def test_anybody_else_changes_nothing(who: str, site: tuple[Path, Path]) -> None:
    typed, said = WRONG[who]
    _, error = restore(site, typed)
    assert isinstance(error, BackupError)
    assert said in str(error)
    folder = site[0].parent
    assert audit.verify(folder / "journal.db", folder / "head.json").head.seq == 4


def test_another_history_asks_two_people_however_long_it_is(site: tuple[Path, Path]) -> None:
    config, folder = site[0], site[0].parent
    elsewhere = folder / "elsewhere"
    shutil.copytree(folder, elsewhere)
    with opened(folder) as journal:
        journal.append(step(4))
    with opened(elsewhere) as journal:
        journal.append(*map(step, range(50, 70)))
    other = backups.back_up(
        elsewhere / "journal.db",
        elsewhere / "head.json",
        elsewhere,
        datetime(2026, 11, 17, tzinfo=UTC),
    ).path
    output, error = restore((config, other), "\n")
    assert error is not None
    assert "is another history: after record 4" in output
    assert audit.verify(folder / "journal.db", folder / "head.json").good
    output, error = restore((config, other), "pia\n1111\nmax\n2222\n")
    assert error is None
    assert "pia and max put back" in output


def test_going_back_behind_a_rotation_says_that_the_old_key_signs_again(
    site: tuple[Path, Path],
) -> None:
    config, folder = site[0], site[0].parent / "played"
    folder.mkdir()
    journal = played(folder)
    places = JournalPlaces.next_to(journal)
    backup = backups.back_up(journal, places.head, folder, datetime(2026, 11, 16, tzinfo=UTC)).path
    where = KeyPlaces(journal, places.head, places.key, places.signing)
    rotate(where, KeyKind.SIGNING, ("pia", "max"), 0.0, os.urandom, is_same_name)
    text = config.read_text().replace(str(site[0].parent / "journal.db"), str(journal))
    text = text.replace(str(site[0].parent / "head.json"), str(places.head))
    config.write_text(text.replace(str(site[0].parent / "key"), str(places.key)))
    output, error = restore((config, backup), "pia\n1111\nmax\n2222\n")
    assert error is None
    assert "the older key is in use again" in output

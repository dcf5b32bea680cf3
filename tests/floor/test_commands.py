"""`sabot floor` as people type it: migrate, rebuild, reset by two, a demo that leaves nothing."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import typer

from controller.cli.floor import comparing, running
from controller.cli.floor.running import FloorError
from controller.console.auth import totp
from controller.console.auth.accounts import Accounts
from controller.floor.proof.archive_comparison import compare as compared
from controller.floor.sink.writer import Writer
from controller.floor.store import database_reset, migration
from controller.floor.store.database_reset import CannotReset
from controller.protocol.names import TableName
from controller.protocol.records import BatchVerdict
from support.console.consoles import QUICK
from support.floor.oracle import check_rows
from support.floor.servers import FloorDatabase
from support.floor.tables import FLOOR_SIGNER, MadeJournal, Sender
from support.journal.journals import SIGNER, opened, step

NAME = TableName("site", "t0")


@pytest.fixture
def config_file(database: FloorDatabase, tmp_path: Path) -> Path:
    roles = "\n".join(
        f'{key} = "{database.as_(f"floor_{key}")}"' for key in ("sink", "derive", "web", "owner")
    )
    file = tmp_path / "floor.toml"
    file.write_text(
        f'[site]\nname = "site"\n[database]\n{roles}\n[web]\nstaff = "{tmp_path}/staff.json"\n'
        f'[keys]\nsigning = "{tmp_path}/floor.signing"\n'
    )
    return file


def test_migrate_and_rebuild_say_what_they_did(
    config_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running.migrate(config_file)
    running.rebuild(config_file)
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"database schema version {migration.newest()}"
    assert second == "rebuilt from 0 records"


def test_database_that_is_away_is_told_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    away = f"host={tmp_path} dbname=none"
    file.write_text(f'[site]\nname = "site"\n[database]\nowner = "{away}"\n')
    with pytest.raises(FloorError, match="connection to server on socket"):
        running.migrate(file)


# --- the copy beside the journal -----------------------------------------------------------------


def table_with_a_journal(folder: Path) -> Sender:
    """A journal on disk, and who sends it."""
    with opened(folder) as journal:
        for number in range(30):
            journal.append(step(number, sealed=b"a card" if number % 5 == 0 else None))
        made = MadeJournal.__new__(MadeJournal)
        made.records, made.signer = list(journal.records()), SIGNER
    return Sender(NAME, made)


def test_compare_holds_every_record_against_the_journal(
    database: FloorDatabase,
    config_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sender, journal = table_with_a_journal(tmp_path), tmp_path / "journal.db"
    writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
    sender.most = 12
    for _ in range(2):  # where the floor stands, and one batch
        batch = sender.next_batch()
        assert batch is not None
        sender.heard(writer.write([batch])[0])
    comparing.compare("t0", journal, config_file)
    sender.send_all(writer.write)
    comparing.compare("t0", journal, config_file)
    behind, same = capsys.readouterr().out.splitlines()
    count = len(sender.journal.records)
    assert (
        behind
        == f"site/t0: 12 records, each once and with the same digest, {count - 12} not sent yet"
    )
    assert same == f"site/t0: {count} records, each once and with the same digest"
    with database.connect() as owner:
        owner.execute("UPDATE floor.record SET body = body || ' ' WHERE seq = 20")
    with pytest.raises(typer.Exit):
        comparing.compare("t0", journal, config_file)
    assert "NOT THE SAME: record 20 is another one" in capsys.readouterr().out
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE seq > 19")
    with pytest.raises(typer.Exit):
        comparing.compare("t0", journal, config_file)
    assert "record 20 is missing at the floor" in capsys.readouterr().out
    writer.close()


def test_compare_after_a_month_has_gone_into_files(database: FloorDatabase, tmp_path: Path) -> None:
    """What is here is held to the journal, what is in files to their ends; a hole is a hole."""
    sender, journal = table_with_a_journal(tmp_path), tmp_path / "journal.db"
    records = sender.journal.records
    writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
    sender.send_all(writer.write)
    writer.close()
    with database.connect() as owner:
        owner.autocommit = True
        for first, last in ((1, 8), (9, 12)):
            owner.execute(
                "INSERT INTO floor.archive (site, table_id, epoch, month, first, last, file,"
                " sha256, before_digest, end_digest, gone, verified)"
                " VALUES ('site', 't0', 1, '2025-01-01', %s, %s, %s, '', '', %s, %s, now())",
                [first, last, f"{first}.sabot", records[last - 1].digest, 8 if first == 1 else 1],
            )
        owner.execute("DELETE FROM floor.record WHERE seq < 9 OR seq = 11")
        said = str(compared(owner, NAME, journal))
        assert said == (
            f"{len(records) - 9} records, each once and with the same digest, "
            "9 more in archive files that end the same"
        )
        for broken, why in (
            ("UPDATE floor.archive SET end_digest = 'x' WHERE first = 1", "8 is another one in"),
            ("DELETE FROM floor.record WHERE seq = 10", "11 is missing at the floor"),
            ("DELETE FROM floor.record WHERE seq = 20", "20 is missing at the floor"),
            ("UPDATE floor.archive SET verified = NULL", "1 is missing at the floor"),
            ("UPDATE floor.head SET seq = 99", "has record 32, and the journal ends before it"),
        ):
            with owner.transaction(force_rollback=True):
                owner.execute(broken)
                found = str(compared(owner, NAME, journal))
                assert found.startswith("NOT THE SAME")
                assert why in found, found


# --- a new history --------------------------------------------------------------------------------


def test_new_history_goes_on_from_an_old_disk_and_the_old_one_stays(
    database: FloorDatabase,
) -> None:
    writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
    one = Sender(NAME, MadeJournal("t0"))
    one.journal.grow(30)
    one.send_all(writer.write)
    old = Sender(NAME, one.journal.cut(12), "two")
    old.journal.grow(6, "otherwise")
    old.send_all(writer.write)
    assert old.held
    with database.connect() as owner:
        assert database_reset.reset(owner, NAME, "carla", "dora", "disk lost") == 2
    old.held = False
    old.lost()
    old.send_all(writer.write)
    assert old.verdicts[-1].verdict is BatchVerdict.COMMITTED
    check_rows(database, [one], epoch=1)
    check_rows(database, [old], epoch=2)
    with database.connect() as owner:
        open_ = "SELECT count(*) FROM floor.exception WHERE closed IS NULL"
        assert owner.execute(open_).fetchone() == (0,)
        log = owner.execute("SELECT epoch, by_who, second, reason FROM floor.reset_log").fetchall()
        assert log == [(2, "carla", "dora", "disk lost")]
    writer.close()


@pytest.mark.parametrize(
    ("by", "second", "reason", "says"),
    [
        ("carla", "carla", "why", "it takes two"),
        ("carla", "CARLA", "why", "it takes two"),
        ("carla", "dora", "  ", "say why"),
        ("carla", "dora", "why", "there is no table t0"),
    ],
)
def test_reset_that_cannot_be(
    database: FloorDatabase, by: str, second: str, reason: str, says: str
) -> None:
    with database.connect() as owner, pytest.raises(CannotReset, match=says):
        database_reset.reset(owner, NAME, by, second, reason)


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    found = Accounts(tmp_path / "staff.json", QUICK)
    for who, role in (("ben", "pit_supervisor"), ("carla", "pit_manager"), ("eve", "surveillance")):
        found.add(who, role, "123456", who.title())
    return found


@pytest.mark.parametrize(
    ("who", "typed", "says"),
    [
        ("carla", ["654321", "000000"], "wrong PIN or code for carla"),
        ("carla", ["123456", "000000"], "wrong PIN or code for carla"),
        ("nobody", ["123456", "000000"], "wrong PIN or code for nobody"),
    ],
)
def test_whoever_is_not_there_resets_nothing(
    accounts: Accounts,
    monkeypatch: pytest.MonkeyPatch,
    who: str,
    typed: list[str],
    says: str,
) -> None:
    answers = iter(typed)
    monkeypatch.setattr(running, "_typed", lambda *_: next(answers))
    with pytest.raises(FloorError, match=says):
        running._check_person(accounts, who)


@pytest.mark.parametrize(("who", "may"), [("carla", True), ("ben", False), ("eve", False)])
def test_reset_takes_a_pit_manager(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch, who: str, may: bool
) -> None:
    secret, step = totp.new_secret(b"twenty bytes or so.."), int(time.time() // totp.STEP_S)
    accounts.second_factor(who, secret)
    answers = iter(["123456", totp.code_at(totp.key_of(secret), step)])
    monkeypatch.setattr(running, "_typed", lambda *_: next(answers))
    if may:
        running._check_person(accounts, who)
        return
    with pytest.raises(FloorError, match="needs a pit manager"):
        running._check_person(accounts, who)


# --- the demo -------------------------------------------------------------------------------------


@pytest.mark.second_tier
def test_demo_shows_a_living_table_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """One table of the twelve, from the command to Ctrl-C."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "controller", "floor", "demo", "--tables", "1", "--port", "0"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as demo:
        assert demo.stdout is not None
        url = ""
        for line in demo.stdout:
            if found := re.search(r"Open (http\S+)", line):
                url = found.group(1)
            if "Ctrl-C" in line:
                break
        with urllib.request.urlopen(f"{url}/healthz", timeout=60) as answer:
            assert answer.status == 200
        children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children").read_text().split()
        assert len(children) >= 3
        demo.send_signal(signal.SIGINT)
        assert demo.wait(60) == 0
    assert list(tmp_path.iterdir()) == []
    assert not any(Path(f"/proc/{child}").exists() for child in children)

"""The floor's nightly dump: restored before it counts, thrown away where it is of two moments."""

import os
import subprocess
from pathlib import Path

import pytest

from controller.floor.embedded.postgres import programs
from controller.floor.sink.writer import Writer
from controller.protocol.names import TableName
from support.floor.oracle import check_rows
from support.floor.servers import FloorDatabase, dropped
from support.floor.tables import FLOOR_SIGNER, MadeJournal, Sender

SCRIPT = Path(__file__).parents[2] / "deploy" / "floor" / "backup.sh"


@pytest.fixture
def sent(database: FloorDatabase) -> list[Sender]:
    writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
    senders = []
    for number in range(3):
        sender = Sender(TableName("site", f"t{number}"), MadeJournal(f"t{number}"))
        sender.journal.grow(20)
        sender.send_all(writer.write)
        senders.append(sender)
    writer.close()
    return senders


def backed_up(
    database: FloorDatabase, folder: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    host = database.as_().split("host=")[1].split()[0]
    environment = {
        **os.environ, "PATH": f"{programs()}:{os.environ['PATH']}", "PGHOST": host,
        "PGUSER": "floor_owner", "PGDATABASE": "postgres", **more,
    }  # fmt: skip
    return subprocess.run(
        ["bash", SCRIPT, folder, database.name],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_dump_is_kept_after_it_was_restored_and_fills_a_floor_again(
    database: FloorDatabase, sent: list[Sender], tmp_path: Path
) -> None:
    for _ in range(3):
        done = backed_up(database, tmp_path, KEEP="1")
        assert done.returncode == 0, done.stderr
    (dump,) = tmp_path.glob("*")
    assert dump.name.startswith("floor-")
    restored = FloorDatabase(database.server, f"{database.name}_again")
    with database.connect() as owner:
        owner.autocommit = True
        owner.execute(f"CREATE DATABASE {restored.name}")
    subprocess.run([programs() / "pg_restore", "-d", restored.as_(), dump], check=True)
    check_rows(restored, sent)
    again = Writer(restored.as_("floor_sink"), FLOOR_SIGNER)
    for sender in sent:
        sender.journal.grow(5)
        sender.lost()
        sender.send_all(again.write)
    again.close()
    check_rows(restored, sent)
    dropped(restored)


@pytest.mark.usefixtures("sent")
def test_dump_whose_heads_do_not_fit_is_not_kept(database: FloorDatabase, tmp_path: Path) -> None:
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE table_id = 't1' AND seq > 15")
    done = backed_up(database, tmp_path)
    assert done.returncode == 1
    assert "1 tables do not end as their head says" in done.stderr
    assert list(tmp_path.iterdir()) == []

"""A site from its first command on: authority, tables, subscribers, archive, by `sabot floor`."""

import json
import time
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.config import file as table_config
from controller.floor.enrolment.site import SiteFolder
from controller.floor.proof import hours
from controller.floor.service.keys import signer_of
from controller.floor.store import partitions
from controller.journal.keys.signing import fingerprint, read_public
from support.boxes import unboxed
from support.floor.archives import journal
from support.floor.records import put_records
from support.floor.servers import FloorDatabase

ROLES = ("sink", "derive", "web", "proof", "retention", "hooks")


class Site:
    """A configured floor, and a way to say commands to it."""

    def __init__(self, database: FloorDatabase, folder: Path) -> None:
        self.database = database
        self.folder = folder
        self.config = folder / "floor.toml"
        self.signing = folder / "floor.signing"
        reached = {role: database.as_(f"floor_{role}") for role in ROLES} | {
            "owner": database.as_()
        }
        lines = [
            "[site]", 'name = "sands"',
            "[database]", *(f"{name} = {json.dumps(how)}" for name, how in reached.items()),
            "[nats]", 'servers = ["tls://10.0.0.7:4222"]',
            "[keys]", f"signing = {json.dumps(str(self.signing))}",
            "[tables]", f"folder = {json.dumps(str(folder / 'site'))}",
            "[proof]", f"archive = {json.dumps(str(folder / 'archive'))}",
        ]  # fmt: skip
        self.config.write_text("\n".join(lines) + "\n")

    def say(self, *words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["floor", *words, "--config", str(self.config)])
        text = done.output if done.exception is None else f"{done.output}{done.exception}"
        return done.exit_code, text

    def row(self, table: str) -> tuple[Any, ...] | None:
        with self.database.connect() as owner:
            return owner.execute(
                "SELECT title, certificate, bearer, revoked IS NOT NULL FROM floor.table_register"
                " WHERE table_id = %s",
                [table],
            ).fetchone()


@pytest.fixture
def site(database: FloorDatabase, tmp_path: Path) -> Site:
    return Site(database, tmp_path)


def test_a_table_is_enrolled_and_revoked_in_broker_and_database(site: Site, tmp_path: Path) -> None:
    code, told = site.say("init", "--host", "10.0.0.7")
    assert code == 0, told
    assert "nats-server -c" in told
    out = tmp_path / "bac-01"
    code, told = site.say("enrol", "bac-01", "--out", str(out), "--title", "Table 1")
    assert code == 0, told
    register = SiteFolder(tmp_path / "site").register
    (enrolled,) = register.good(time.time())
    assert site.row("bac-01") == ("Table 1", enrolled.fingerprint, enrolled.bearer_digest, False)
    assert "until " in site.say("tables")[1]
    assert "exists: name a new folder" in unboxed(site.say("enrol", "x", "--out", str(out))[1])
    assert "bac-01 is enrolled" in site.say("enrol", "bac-01", "--out", str(tmp_path / "b"))[1]
    assert site.say("revoke", "bac-01")[0] == 0
    assert site.row("bac-01") == ("Table 1", None, None, True)
    assert "revoked" in site.say("tables")[1]
    code, _ = site.say("enrol", "bac-01", "--out", str(tmp_path / "again"))
    assert code == 0
    row = site.row("bac-01")
    assert row is not None
    assert (row[0], row[3]) == ("Table 1", False)


def test_the_lines_it_prints_are_a_tables_section(site: Site, tmp_path: Path) -> None:
    site.say("init", "--host", "10.0.0.7")
    _, told = site.say("enrol", "bac-01", "--out", str(tmp_path / "out"))
    section = told[told.index("[floor]") :].split("no broker runs")[0]
    found = msgspec.convert(tomllib.loads(section)["floor"], table_config.Floor)
    assert (found.site, found.table, found.url) == ("sands", "bac-01", "tls://10.0.0.7:4222")
    names = {
        Path(str(each)).name for each in (found.floor_key, found.certificate, found.key, found.ca)
    }
    assert names <= {each.name for each in (tmp_path / "out").iterdir()}


def test_a_room_without_a_broker_gets_a_token(site: Site, tmp_path: Path) -> None:
    site.say("init", "--host", "10.0.0.7")
    text = site.config.read_text().replace('servers = ["tls://10.0.0.7:4222"]', "servers = []")
    site.config.write_text(text + '[web]\nnames = ["floor.sands.example"]\n')
    _, told = site.say("enrol", "bac-01", "--out", str(tmp_path / "out"))
    section = told[told.index("[floor]") :].split("no broker runs")[0]
    found = msgspec.convert(tomllib.loads(section)["floor"], table_config.Floor)
    assert found.url == "https://floor.sands.example:8480"
    assert found.certificate is None
    assert (tmp_path / "out" / Path(str(found.token)).name).exists()


def test_a_database_that_is_away_makes_no_certificate(site: Site, tmp_path: Path) -> None:
    site.say("init", "--host", "10.0.0.7")
    text = site.config.read_text().replace(site.database.name, "nowhere")
    site.config.write_text(text)
    code, told = site.say("enrol", "bac-01", "--out", str(tmp_path / "out"))
    assert code == 1
    assert "nowhere" in told
    assert SiteFolder(tmp_path / "site").register.tables == ()
    assert not (tmp_path / "out").exists()


def test_subscribers_by_command(site: Site) -> None:
    code, secret = site.say(
        "webhook", "add", "studio", "https://studio.example/h", "--event", "result"
    )
    assert (code, secret[:6]) == (0, "whsec_")
    assert (
        "studio  https://studio.example/h  result  all tables  active"
        in site.say("webhook", "list")[1]
    )
    assert secret.strip() not in site.say("webhook", "list")[1]
    assert site.say("webhook", "pause", "studio", "--why", "holiday")[0] == 0
    assert "paused: holiday" in site.say("webhook", "list")[1]
    assert site.say("webhook", "resume", "studio")[0] == 0
    assert "is not https" in site.say("webhook", "add", "other", "http://studio.example/h")[1]
    assert "not been told" in site.say("webhook", "replay", "studio", "bac-01", "--from", "3")[1]
    assert site.say("webhook", "undelivered") == (0, "")
    assert site.say("webhook", "remove", "studio")[0] == 0
    assert "no subscriber studio" in site.say("webhook", "remove", "studio")[1]


def test_an_old_month_by_command_and_back(site: Site, tmp_path: Path) -> None:
    january = datetime(2025, 1, 20, tzinfo=UTC)
    signer = signer_of(site.signing)
    with site.database.connect() as owner:
        partitions.open_month(owner, partitions.month_of(january))
        put_records(owner, "bac-01", journal(8, begin=january.timestamp()), january.timestamp() + 9)
    with site.database.connect("floor_proof") as proof:
        hours.make(proof, signer, "sands", january.timestamp() + 20)
    assert site.say("roots") == (0, "sands: 1 roots, each after the one before\n")
    code, told = site.say("archive", "--keep")
    assert code == 0, told
    file = tmp_path / "archive/sands/bac-01/1-2025-01.sabot"
    assert told == f"{file}: written and verified\n"
    assert site.say("archive") == (0, "2025-01: 8 records are now in files only\n")
    assert site.say("archive") == (0, "")
    key = signer.public.hex()
    code, told = site.say("restore-month", str(file), "--key", key)
    assert (code, told.endswith(": 8 records restored\n")) == (0, True)
    code, told = site.say("restore-month", str(file), "--key", "00" * 32)
    assert code == 1
    assert "signed by another key" in told


def test_a_table_that_has_to_wait_stops_no_other_in_the_night(site: Site, tmp_path: Path) -> None:
    """January of one has no root yet; that of the next is written, February goes."""
    january, february = (datetime(2025, month, 20, tzinfo=UTC).timestamp() for month in (1, 2))
    with site.database.connect() as owner:
        for month in (1, 2):
            partitions.open_month(owner, datetime(2025, month, 1, tzinfo=UTC))
        put_records(owner, "bac-02", journal(8, begin=january), january + 9)
        put_records(owner, "bac-03", journal(4, begin=february), february + 9)
    with site.database.connect("floor_proof") as proof:
        hours.make(proof, signer_of(site.signing), "sands", february + 20)
    with site.database.connect() as owner:
        put_records(owner, "bac-01", journal(5, begin=january), february + 7200)
    folder = tmp_path / "archive/sands"
    code, told = site.say("archive")
    assert code == 1
    assert f"{folder}/bac-02/1-2025-01.sabot: written and verified\n" in told
    assert "2025-01: sands/bac-01 (history 1): no root has record 5 yet" in told
    assert "2025-01: 13 records" not in told
    assert "2025-02: 4 records are now in files only\n" in told
    with site.database.connect("floor_proof") as proof:
        hours.make(proof, signer_of(site.signing), "sands", february + 9000)
    code, told = site.say("archive")
    assert (code, told.endswith("2025-01: 13 records are now in files only\n")) == (0, True)


def test_another_key_of_the_floor_and_the_old_ones_public_half_stays(site: Site) -> None:
    old = signer_of(site.signing).public
    status, said = site.say("new-key")
    assert status == 0, said
    new = signer_of(site.signing).public
    assert new != old
    assert fingerprint(old) in said
    assert fingerprint(new) in said
    (aside,) = site.folder.glob("floor-*.old")
    assert read_public(aside.with_suffix(".pub")) == old
    assert read_public(site.signing.with_suffix(".pub")) == new
    assert [each.stat().st_mode & 0o077 for each in (aside, site.signing)] == [0, 0]

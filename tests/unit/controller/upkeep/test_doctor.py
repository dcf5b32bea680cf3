"""The doctor's page says what is wrong first; the bundle holds no secret and no sealed card."""

import http.server
import json
import os
import re
import threading
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config import file as config
from controller.config.file import Config
from controller.journal.bodies import JsonLine
from controller.runtime import open_table
from controller.table.commands.message import message_from_line, new_message
from controller.upkeep import backups, bundle, doctor, results
from controller.upkeep.doctor import Patient, ReadyAnswer
from controller.upkeep.results import JobResult
from controller.upkeep.selftest import Machine

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def steps() -> Iterator[dict[str, Any]]:
    yield {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": "open_table"}
    shoe = {"deck_set": "blue", "verified_by": "pia", "cut": True}
    yield {"from": "staff", "who": "dan", "role": "dealer", "do": "load_shoe", "with": shoe}
    yield {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": "approve"}
    method = {"method": "A"}
    yield {"from": "staff", "who": "max", "role": "pit_manager", "do": "method", "with": method}
    yield {"from": "staff", "who": "dan", "role": "dealer", "do": "open_betting"}
    bet = {"wager": "banker", "amount": 2000, "position": 1}
    yield {"from": "player", "who": "ann-lee", "do": "place", "with": bet}
    yield {"from": "staff", "who": "dan", "role": "dealer", "do": "close_betting"}
    for card in ("7S", "8D"):  # face down: nobody may see them yet
        yield {"from": "shoe", "event": "card", "card": card}


@pytest.fixture
def site(tmp_path: Path) -> tuple[Config, Path]:
    path, file, log = tmp_path / "journal.db", tmp_path / "table.toml", tmp_path / "sabot.log"
    house = msgspec.structs.replace(config.DEMO.table, hlga=True)
    demo = msgspec.structs.replace(config.DEMO, table=house)
    with open_table.open_table(demo.rules(), path) as session:
        for n, step in enumerate(steps()):
            line = msgspec.convert({"at": NOW.timestamp() - 60 + n, **step}, JsonLine)
            answer = session.handle(message_from_line(line))
            assert answer.accepted, answer.why
    log.write_text("a line\n")
    file.write_text("[table]\n")
    files = config.JournalPaths(str(path), f"{path}.head", f"{path}.key")
    logs = msgspec.structs.replace(demo.logs, file=str(log))
    return msgspec.structs.replace(demo, journal=files, logs=logs), file


def patient(site: tuple[Config, Path], said: dict[str, Any] | None = None) -> Patient:
    def ask(address: str) -> ReadyAnswer:
        if said is None:
            raise ConnectionRefusedError("nobody there")
        assert address == "http://127.0.0.1:8470/readyz"
        return msgspec.convert(said, ReadyAnswer)

    machine = Machine(NOW.timestamp, lambda _: 10**12, lambda: 10**10)
    return Patient(site[0], site[1], machine, ask, lambda: "active")


def test_all_is_well_when_everything_is(site: tuple[Config, Path], tmp_path: Path) -> None:
    journal = site[0].journal
    backups.back_up(Path(journal.path), Path(journal.head), tmp_path, NOW)
    for job in results.JOBS:
        results.keep(site[0], job.name, JobResult(NOW.timestamp(), good=True, text="done"))
    found = doctor.examine(patient(site, {"devices": []}), tmp_path)
    assert doctor.page(found).startswith("Sabot doctor: all is well\n"), doctor.page(found)


def test_what_is_wrong_comes_first(site: tuple[Config, Path], tmp_path: Path) -> None:
    lines = doctor.page(doctor.examine(patient(site), tmp_path)).splitlines()
    assert lines[0] == "Sabot doctor: 4 of 16 findings need somebody"
    assert lines[2] == "BAD  table: its console does not answer: nobody there"
    assert lines[3] == "BAD  nightly check: never done: systemctl start sabot-verify"
    assert lines[5].startswith("BAD  newest copy: none in")


def test_a_missing_signing_key_is_told(site: tuple[Config, Path], tmp_path: Path) -> None:
    signing = Path(site[0].journal.signing)
    signing.unlink()
    page = doctor.page(doctor.examine(patient(site, {"devices": []}), tmp_path))
    assert f"BAD  journal: {signing} is missing" in page


def test_a_job_of_the_night_that_failed_or_stopped_running_is_told(
    site: tuple[Config, Path], tmp_path: Path
) -> None:
    results.keep(site[0], results.NIGHT, JobResult(NOW.timestamp(), good=False, text="record 7"))
    results.keep(
        site[0], results.BACKUP, JobResult(NOW.timestamp() - 3 * 86400, good=True, text="")
    )
    found = {each.what: each for each in doctor.examine(patient(site, {}), tmp_path)}
    assert str(found["nightly check"]) == "BAD  nightly check: 2026-11-18 12:00 UTC: record 7"
    assert str(found["backup"]).startswith("BAD  backup: not for 3 days")


def test_a_result_that_cannot_be_read_counts_as_bad(site: tuple[Config, Path]) -> None:
    results.keep(site[0], results.NIGHT, JobResult(NOW.timestamp(), good=True, text=""))
    (path,) = (Path(site[0].journal.path).parent / "upkeep").iterdir()
    path.write_text("{")
    result = results.last(site[0], results.NIGHT)
    assert result is not None
    assert not result.good


def test_a_table_that_takes_no_more_says_why(site: tuple[Config, Path], tmp_path: Path) -> None:
    said = {"status": 503, "detail": "the table has stopped: the disk is full"}
    found = {each.what: each for each in doctor.examine(patient(site, said), tmp_path)}
    assert "the disk is full" in found["table"].text
    assert not found["table"].good


def test_a_device_that_misreads_is_flagged_from_the_journal(
    site: tuple[Config, Path], tmp_path: Path
) -> None:
    found = {each.what: each for each in doctor.examine(patient(site, {}), tmp_path)}
    assert str(found["shoe's misreads"]) == "good  shoe's misreads: 0 of 2 cards in the last day"
    journal = site[0].journal
    files = (journal.path, journal.head, journal.key, journal.signing)
    places = open_table.JournalPlaces(*map(Path, files))
    with open_table.open_table(site[0].rules(), places) as session:
        for n in range(3):
            at = NOW.timestamp() - 30 + n
            session.handle(new_message("shoe", "read_failed", at=at))
    found = {each.what: each for each in doctor.examine(patient(site, {}), tmp_path)}
    assert not found["shoe's misreads"].good, found["shoe's misreads"]


def test_a_stopped_table_says_why_and_how_its_devices_are(
    site: tuple[Config, Path], tmp_path: Path
) -> None:
    shoe = {"name": "shoe", "driver": "shoe_angel_eye", "link": "lost"}
    said = {"stopped_by": "link lost", "devices": [shoe]}
    found = {each.what: each for each in doctor.examine(patient(site, said), tmp_path)}
    assert found["table"].text == "stopped: link lost; shoe (shoe_angel_eye) lost"
    assert not found["table"].good


def test_an_old_backup_is_told(site: tuple[Config, Path], tmp_path: Path) -> None:
    journal, long_ago = site[0].journal, NOW.replace(day=1)
    backups.back_up(Path(journal.path), Path(journal.head), tmp_path, long_ago)
    found = {each.what: each for each in doctor.examine(patient(site, {}), tmp_path)}
    assert not found["newest copy"].good
    assert "17 days old" in found["newest copy"].text


@pytest.mark.parametrize("status", [200, 503])
def test_the_console_is_asked_and_a_refusal_is_an_answer(status: int) -> None:
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps({"stopped_by": "lid open"}).encode())

        def log_message(self, *_: object) -> None:
            """Not into the test's output."""

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.handle_request)
        serving.start()
        found = doctor.ask_console(f"http://127.0.0.1:{server.server_port}/readyz")
        serving.join(60)
    assert found == ReadyAnswer(stopped_by="lid open")


def test_bundle_holds_what_a_maker_needs_and_nothing_it_must_not(
    site: tuple[Config, Path], tmp_path: Path
) -> None:
    out = tmp_path / "bundle.zip"
    bundle.pack(site[0], site[1], "all is well\n", NOW, out)
    with zipfile.ZipFile(out) as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
    assert {"doctor.txt", "journal.jsonl", "logs/sabot.log", "packages.txt"} <= set(inside)
    records = [json.loads(line) for line in inside["journal.jsonl"].splitlines()]
    assert all(re.fullmatch("[0-9a-f]{64}", record["sealed"]) for record in records[-2:])
    everything = b"".join(inside.values())
    key = Path(site[0].journal.key).read_bytes()
    # Quoted: two letters alone stand in many a key or digest by chance.
    for secret in (b'"7S"', b'"8D"', b"ann-lee", key, key.hex().encode()):
        assert secret not in everything, secret
    with pytest.raises(FileExistsError):
        bundle.pack(site[0], site[1], "", NOW, out)


def test_a_link_or_a_pipe_among_the_logs_is_not_packed(
    site: tuple[Config, Path], tmp_path: Path
) -> None:
    """Whoever may write there would else have root give away any file, or wait for ever."""
    secret = tmp_path / "shadow"
    secret.write_text("root:secret")
    logs = Path(site[0].logs.file or "").parent
    (logs / "sabot.log.1").symlink_to(secret)
    os.mkfifo(logs / "sabot.log.2")
    bundle.pack(site[0], site[1], "", NOW, tmp_path / "bundle.zip")
    with zipfile.ZipFile(tmp_path / "bundle.zip") as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
    assert b"root:secret" not in b"".join(inside.values())
    assert inside["logs/sabot.log.1"].startswith(b"not read: ")
    assert inside["logs/sabot.log.2"] == b"not read: it is no plain file\n"

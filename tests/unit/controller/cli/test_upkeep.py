"""The commands as a technician types them, on a journal that a real table wrote."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import load
from controller.upkeep import results
from support import programs
from support.boxes import unboxed

LINES: list[dict[str, Any]] = [
    {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": "open_table"},
    {"from": "staff", "who": "d1", "role": "dealer", "do": "load_shoe",
     "with": {"deck_set": "blue", "verified_by": "pia", "cut": True}},
    {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": "approve"},
    {"from": "staff", "who": "d1", "role": "dealer", "do": "open_betting"},
    {"from": "player", "who": "ann", "do": "place",
     "with": {"wager": "banker", "amount": 2000, "position": 1}},
    {"from": "staff", "who": "d1", "role": "dealer", "do": "close_betting"},
    *({"from": "shoe", "event": "card", "card": card} for card in ("9H", "2C", "KD", "3S")),
    {"from": "staff", "who": "d1", "role": "dealer", "do": "announce"},
    {"from": "staff", "who": "d1", "role": "dealer", "do": "settle"},
]  # fmt: skip
AT = 1_795_000_000


def sabot(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return programs.call_text(*words, given=given)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table's file, and the journal of one round."""
    file = tmp_path / "table.toml"
    file.write_text(
        f"""
        [table]
        rulebook = "mbs-baccarat-8"
        burn = "none"
        [money]
        chip_unit = 100
        [site]
        name = "table 7"
        [journal]
        path = "{tmp_path}/journal.db"
        head = "{tmp_path}/journal.db.head"
        key = "{tmp_path}/journal.db.key"
        """
    )
    given = "".join(json.dumps({"at": AT + n, **line}) + "\n" for n, line in enumerate(LINES))
    played = sabot(
        "table", "--jsonl", "--config", str(file), "--journal", f"{tmp_path}/journal.db",
        given=given,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    return file


def kept(config: Path, job: str) -> results.JobResult:
    """What the table and the doctor are told of a job."""
    found = results.last(load(config), job)
    assert found is not None
    return found


def test_report_tells_the_shift_in_every_form(config: Path) -> None:
    for form, told in (("text", "house win      20"), ("csv", "Total,rounds,count,1"),
                       ("html", "<h1>table 7")):  # fmt: skip
        found = sabot("report", "shift", "2026-11-18T00:00", "--hours", "48", "--as", form,
                      "--config", str(config))  # fmt: skip
        assert found.returncode == 0, found.stderr
        assert told in found.stdout


def test_backup_and_night_check_of_a_whole_and_of_a_damaged_journal(
    config: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    made = sabot("backup", "--to", str(folder), "--keep", "3", "--config", str(config))
    assert made.returncode == 0, made.stderr
    assert "16 records" in made.stdout
    assert sabot("verify-night", "--config", str(config)).returncode == 0
    assert kept(config, results.BACKUP).good
    assert kept(config, results.NIGHT).good
    (tmp_path / "journal.db.head").write_text('{"seq":99,"digest":"' + "00" * 32 + '"}')
    night = sabot("verify-night", "--config", str(config))
    assert night.returncode == 1
    assert "damaged head" in night.stderr
    refused = sabot("backup", "--to", str(folder), "--config", str(config))
    assert refused.returncode == 1
    assert "is not whole, so nothing was copied" in refused.stderr
    for job in (results.NIGHT, results.BACKUP):
        assert not kept(config, job).good
        assert "damaged head" in kept(config, job).text


def test_a_configuration_signed_by_the_site_and_then_changed_is_bad(
    config: Path, tmp_path: Path
) -> None:
    key = tmp_path / "site"
    assert "fingerprint" in sabot("sign", "make-key", str(key)).stdout
    with config.open("a") as more:
        more.write(f'[checks]\nsite_key = "{key}.pub"\n')
    assert sabot("sign", "file", str(config), "--key", f"{key}.key").returncode == 0
    good = sabot("verify-files", "--config", str(config))
    assert "as the site signed it" in good.stdout
    config.write_text(config.read_text().replace("table 7", "table 8"))
    bad = sabot("verify-files", "--config", str(config))
    assert bad.returncode == 1
    assert "is not as it was signed" in bad.stderr


def test_wheels_are_listed_and_signed(config: Path, tmp_path: Path) -> None:
    house = tmp_path / "wheelhouse"
    house.mkdir()
    key = tmp_path / "maker"
    sabot("sign", "make-key", str(key))
    none = sabot("sign", "wheels", str(house), "--key", f"{key}.key")
    assert none.returncode == 2
    assert "holds 0 wheels of Sabot" in unboxed(none.stderr)
    assert config.exists()

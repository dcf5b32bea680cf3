"""`sabot journal` as people script it: a real process, its exit status and its words."""

import json
import subprocess
import sys
from pathlib import Path

from support.journal.journals import run

SABOT = Path(sys.executable).with_name("sabot")


def sabot(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SABOT, "journal", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_verify_says_good_or_fails_with_a_sentence(filled: Path) -> None:
    file = filled / "journal.db"
    good = sabot("verify", file, "--head", filled / "head.json")
    assert (good.returncode, good.stderr) == (0, "")
    assert "20 records, every one follows" in good.stdout
    run(filled, "UPDATE records SET round = 9 WHERE seq = 7")
    bad = sabot("verify", file)
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "record 7: edited row" in bad.stderr


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    answer = sabot("verify", tmp_path / "none.db")
    assert answer.returncode == 1
    assert answer.stderr.startswith("sabot: ")
    assert "Traceback" not in answer.stderr


def test_show_prints_a_round_for_people_and_for_machines(filled: Path) -> None:
    people = sabot("show", filled / "journal.db", 2, "--shoe", 1)
    assert (people.returncode, len(people.stdout.splitlines())) == (0, 4)
    machines = sabot("show", filled / "journal.db", 2, "--shoe", 1, "--json")
    assert [each["seq"] for each in json.loads(machines.stdout)] == [7, 8, 9, 10]
    nothing = sabot("show", filled / "journal.db", 99)
    assert nothing.returncode == 1
    assert "no round 99" in nothing.stderr


def test_export_writes_both_forms(filled: Path) -> None:
    lines = sabot("export", filled / "journal.db", "--jsonl")
    assert len(lines.stdout.splitlines()) == 20
    table = sabot("export", filled / "journal.db", "--csv", "--out", filled / "out.csv")
    assert table.returncode == 0
    assert len((filled / "out.csv").read_text(encoding="utf-8").splitlines()) == 21
    assert sabot("export", filled / "journal.db").returncode == 2


def test_recover_writes_a_journal_that_verifies(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 12")
    answer = sabot("recover", filled / "journal.db", "--out", filled / "new.db")
    assert "11 records taken over" in answer.stdout
    assert "removed row" in answer.stderr
    assert sabot("verify", filled / "new.db").returncode == 0

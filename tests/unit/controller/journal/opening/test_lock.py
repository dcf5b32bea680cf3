import json
import os
from pathlib import Path

import pytest

from controller.journal import audit
from controller.journal.errors import JournalUnwritable
from controller.journal.opening.lock import exclusive_lock
from controller.journal.store import Journal
from support.journal.journals import SIGNER, opened, step
from support.programs import run_text, start


def test_whoever_is_alone_keeps_every_writer_out(filled: Path) -> None:
    with (
        exclusive_lock(filled / "journal.db"),
        pytest.raises(JournalUnwritable, match=f"by process {os.getpid()}"),
    ):
        opened(filled)
    opened(filled).close()


def test_nobody_is_alone_beside_a_writer(filled: Path) -> None:
    with opened(filled), pytest.raises(JournalUnwritable, match="already open for writing"):
        exclusive_lock(filled / "journal.db").__enter__()


@pytest.mark.parametrize("spelt", ["linked file", "linked folder", "relative", "with dots"])
def test_a_journal_has_one_writer_by_whatever_path_it_is_reached(
    filled: Path, spelt: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "folder").symlink_to(filled)
    (tmp_path / "other.db").symlink_to(filled / "journal.db")
    monkeypatch.chdir(filled)
    path = {
        "linked file": tmp_path / "other.db",
        "linked folder": tmp_path / "folder" / "journal.db",
        "relative": Path("journal.db"),
        "with dots": filled / ".." / filled.name / "journal.db",
    }[spelt]
    with (
        opened(filled),
        pytest.raises(
            JournalUnwritable, match=f"already open for writing by process {os.getpid()}"
        ),
    ):
        Journal.open(path, head_path=tmp_path / "another.head", signer=SIGNER)


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_writer_whose_lock_is_taken_away_takes_nothing_more(filled: Path, how: str) -> None:
    lock = filled / "journal.db.lock"
    with opened(filled) as first:
        first.append(step(20))
        lock.unlink()
        if how == "replaced":
            with opened(filled):
                pass
        with pytest.raises(JournalUnwritable, match="another may be writing too"):
            first.append(step(21))
        with pytest.raises(JournalUnwritable, match="takes nothing more since an earlier error"):
            first.append(step(21))


def test_a_lock_that_was_moved_away_is_missed_at_the_rounds_end(filled: Path) -> None:
    with opened(filled) as first:
        first.append(step(20))
        (filled / "journal.db.lock").rename(filled / "moved")
        with pytest.raises(JournalUnwritable, match="another may be writing too"):
            first.round_ended()


def test_two_writers_with_two_names_of_one_file_find_each_other_out(filled: Path) -> None:
    """A second name (a hard link) has a lock of its own: the chain and the head tell."""
    second = filled / "elsewhere"
    second.mkdir()
    (second / "journal.db").hardlink_to(filled / "journal.db")
    (second / "head.json").hardlink_to(filled / "head.json")
    refused = 0
    try:
        with opened(filled) as one, opened(second) as two:
            for journal in (one, two, one, two):
                try:
                    journal.append(step(30))
                except JournalUnwritable:
                    refused += 1
    except JournalUnwritable:
        refused += 1
    assert refused
    assert audit.verify(filled / "journal.db").head.seq <= 23


def test_second_program_on_a_journal_is_told_who_has_it(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    words = ("table", "--jsonl", "--journal", journal)
    opens = {"from": "staff", "do": "open_table", "who": "pia", "role": "pit_supervisor"}
    with start(*words) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write(json.dumps(opens).encode() + b"\n")
        first.stdin.flush()
        assert json.loads(first.stdout.readline())["accepted"]
        second = run_text(*words)
        assert second.returncode == 1
        assert f"already open for writing by process {first.pid}" in second.stderr

"""Files cut short or with a flipped bit: a valid prefix opens, or a sentence says why not.

Whatever happens, no record comes back that was not written, and when the kept head is ahead of what
opens, the loss is reported.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.journal import audit, exports
from controller.journal.errors import JournalDamaged, JournalError, JournalUnwritable
from controller.journal.head import read_head
from controller.journal.records import KEYS, Record
from support.journal.journal_writer import entry
from support.journal.journals import assert_chained, opened, step

TESTS = Path(__file__).parents[3]
RECORDS = 60

Damage = Callable[[bytearray], None]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of three shoes whose writer was killed: part in the database, part in the log."""
    folder = tmp_path_factory.mktemp("stopped")
    subprocess.run(
        [
            sys.executable,
            TESTS / "support/journal/journal_writer.py",
            folder,
            str(RECORDS),
            "--die",
        ],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        check=False,
    )
    assert (folder / "journal.db-wal").stat().st_size > 8192
    return folder


@pytest.fixture(scope="module")
def closed(stopped: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, closed in good order: everything in the database, no log."""
    folder = copied(stopped, tmp_path_factory.mktemp("closed") / "journal")
    with opened(folder) as journal:
        journal.round_ended()
    assert not (folder / "journal.db-wal").exists()
    return folder


def copied(folder: Path, target: Path) -> Path:
    target.mkdir()
    for name in ("journal.db", "journal.db-wal", "journal.db.pub", "head.json"):
        if (folder / name).exists():
            shutil.copy(folder / name, target / name)
    return target


def as_written(records: list[Record]) -> bool:
    return all(
        (record.kind, record.body) == (entry(record.seq).kind, entry(record.seq).body)
        for record in records
        if record.kind != KEYS
    )


def outcome(folder: Path) -> str:
    """Open, read, append: what becomes of a damaged journal, in a word."""
    kept = read_head(folder / "head.json")
    assert kept is not None
    try:
        journal = opened(folder)
    except JournalError as error:
        return "refused" if len(str(error)) > 30 else "refused without a sentence"
    with journal:
        assert as_written(list(journal.since_checkpoint()))
        assert (journal.head.seq >= kept.head.seq) or journal.loss is not None
        length = journal.head.seq
        try:
            records = list(journal.records())
        except JournalDamaged:
            return "old record damaged"
        assert_chained(records)
        assert as_written(records)
        try:
            journal.append(step(1))
        except JournalUnwritable:
            return "not writable"
    if length < RECORDS:
        return "shorter"
    return "whole"


def damage(source: Path, place: Path, name: str, how: Damage) -> str:
    folder = copied(source, place)
    content = bytearray((folder / name).read_bytes())
    how(content)
    (folder / name).write_bytes(content)
    found = outcome(folder)
    shutil.rmtree(folder)
    return found


def cut_at(position: int) -> Damage:
    def cut(content: bytearray) -> None:
        del content[position:]

    return cut


def flip_at(position: int, bit: int) -> Damage:
    def flip(content: bytearray) -> None:
        content[position] ^= 1 << bit

    return flip


def positions(size: int, count: int, seed: int) -> Iterator[int]:
    """The ends, around every page and frame, and the rest by chance."""
    rng = random.Random(seed)
    near = {0, 1, 31, 32, 33, 99, 100, size - 1}
    near |= {page + off for page in range(0, size, 4096) for off in (-1, 0, 1)}
    near |= {32 + frame + off for frame in range(0, size, 4120) for off in (0, 24)}
    inside = sorted(each for each in near if 0 <= each < size)
    yield from rng.sample(inside, min(len(inside), count // 2))
    yield from (rng.randrange(size) for _ in range(count // 2))


def outcomes(source: Path, name: str, tmp_path: Path, kind: str, count: int) -> dict[str, int]:
    found: dict[str, int] = {}
    rng = random.Random(count)
    size = (source / name).stat().st_size
    for number, position in enumerate(positions(size, count, seed=count)):
        how = cut_at(position) if kind == "cut" else flip_at(position, rng.randrange(8))
        try:
            result = damage(source, tmp_path / str(number), name, how)
        except BaseException:
            sys.stderr.write(f"{kind} {name} at {position}\n")
            raise
        found[result] = found.get(result, 0) + 1
    return found


@pytest.mark.parametrize("kind", ["cut", "flip"])
def test_a_damaged_log_opens_up_to_the_damage(stopped: Path, tmp_path: Path, kind: str) -> None:
    found = outcomes(stopped, "journal.db-wal", tmp_path, kind, 120)
    assert set(found) <= {"shorter", "whole"}, "SQLite's own checksums end the log there"
    assert found["shorter"] > 60


@pytest.mark.parametrize("kind", ["cut", "flip"])
def test_a_damaged_database_opens_in_part_or_says_why_not(
    closed: Path, tmp_path: Path, kind: str
) -> None:
    found = outcomes(closed, "journal.db", tmp_path, kind, 400)
    assert sum(found.values()) > 200
    assert "refused without a sentence" not in found
    if kind == "cut":
        assert "whole" not in found


@pytest.mark.second_tier
@pytest.mark.parametrize("kind", ["cut", "flip"])
@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal"])
def test_damage_at_thousands_of_places(
    stopped: Path, closed: Path, tmp_path: Path, name: str, kind: str
) -> None:
    source = closed if name == "journal.db" else stopped
    assert sum(outcomes(source, name, tmp_path, kind, 6000).values()) > 3000


def test_a_database_cut_to_nothing_keeps_its_log(stopped: Path, tmp_path: Path) -> None:
    folder = copied(stopped, tmp_path / "cut")
    log = (folder / "journal.db-wal").read_bytes()
    (folder / "journal.db").write_bytes(b"")
    with pytest.raises(JournalDamaged, match="keep the log"):
        opened(folder)
    assert (folder / "journal.db-wal").read_bytes() == log


def test_recover_saves_what_is_before_a_torn_page(closed: Path, tmp_path: Path) -> None:
    """Pages of zeros in the middle, as a disk gives back for sectors it lost."""
    folder = copied(closed, tmp_path / "torn")
    content = bytearray((folder / "journal.db").read_bytes())
    saved = []
    for page in range(3, len(content) // 4096):
        torn = content.copy()
        torn[page * 4096 : (page + 1) * 4096] = bytes(4096)
        (folder / "journal.db").write_bytes(torn)
        new = tmp_path / f"{page}.db"
        try:
            verdict = exports.recover(folder / "journal.db", new)
        except JournalError:
            continue
        records = list(audit.read(new))
        assert len(records) == verdict.head.seq
        assert as_written(records)
        saved.append(len(records))
    assert max(saved) > RECORDS // 2


def test_an_old_copy_put_back_is_found_against_the_head(closed: Path, tmp_path: Path) -> None:
    folder = copied(closed, tmp_path / "old")
    with opened(folder) as journal:
        journal.append(step(1))
        journal.round_ended()
    shutil.copy(closed / "journal.db", folder / "journal.db")
    with opened(folder) as journal:
        assert journal.loss is not None
        assert journal.loss.expected is not None
        assert journal.loss.expected.seq == journal.head.seq + 1
    assert not audit.verify(folder / "journal.db", folder / "head.json").good

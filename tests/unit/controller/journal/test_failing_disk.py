"""A disk that fails or fills up: the first error latches, and nothing acknowledged is lost."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from controller.journal import audit
from controller.journal.errors import JournalError, JournalUnwritable
from support.journal.faulty_disk import FaultyDisk, What, fails_at
from support.journal.journal_writer import assert_survived, entry
from support.journal.journals import opened

TESTS = Path(__file__).parents[3]


def write_until_it_fails(folder: Path, disk: FaultyDisk) -> tuple[list[int], bool]:
    """What was acknowledged, and whether an error came through to us."""
    acknowledged: list[int] = []
    try:
        journal = opened(folder, disk.name)
    except JournalError:
        return acknowledged, True
    failed = False
    try:
        for seq in range(2, 16):
            acknowledged.append(journal.append(entry(seq))[0].seq)
            if seq % 6 == 0:
                journal.round_ended()
    except JournalUnwritable:
        failed = True
        calls = disk.calls
        for again in (journal.round_ended, lambda: journal.append(entry(99))):
            with pytest.raises(JournalUnwritable, match="since an earlier error"):
                again()
        assert disk.calls == calls, "a latched journal leaves the disk alone"
    finally:
        with suppress(JournalError):
            journal.close()
    if failed:
        assert disk.calls == calls, "closing a latched journal syncs nothing"
    return acknowledged, failed


@pytest.mark.usefixtures("small_log")
@pytest.mark.parametrize("what", ["sync", "write", "truncate", "delete"])
def test_an_error_at_the_nth_call_latches_and_loses_nothing(tmp_path: Path, what: What) -> None:
    failures = 0
    for number in count(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        disk = FaultyDisk(f"{what}-{number}", fails_at(number), counts=(what,))
        acknowledged, failed = write_until_it_fails(folder, disk)
        failures += failed
        assert_survived(folder, acknowledged)
        assert audit.verify(folder / "journal.db", folder / "head.json").good
        disk.unregister()
        if disk.calls < number:
            break
        assert failed or len(acknowledged) == 14
    if what in ("sync", "write"):
        assert failures > 14, "every append can fail"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, list[str]]]:
    """A quarter of a megabyte of tmpfs where we may mount one, else a limit on file sizes."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "sabot-test", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    yield folder, [] if mounted else ["--limit", "150000"]
    if mounted:
        subprocess.run(["umount", str(folder)], check=True)


def writer(
    folder: Path, *words: str, traced: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*traced, sys.executable, TESTS / "support/journal/journal_writer.py", folder, *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        check=False,
    )


def fill(folder: Path, *more: str) -> tuple[list[int], list[str]]:
    done = writer(folder, "100000", "--until-refused", *more)
    assert done.returncode == 3, done.stdout[-500:]
    lines = done.stdout.splitlines()
    return [int(each) for each in lines[:-3]], lines[-3:]


def test_a_full_disk_latches_and_loses_nothing(small_disk: tuple[Path, list[str]]) -> None:
    folder, limit = small_disk
    acknowledged, (first, *later) = fill(folder, *limit)
    assert any(says in first for says in ("disk is full", "disk failed", "No space left"))
    assert all("since an earlier error" in each for each in later)
    assert_survived_in(folder, acknowledged)


def test_a_file_that_may_not_grow_latches_and_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "limited"
    folder.mkdir()
    acknowledged, (first, *_) = fill(folder, "--limit", "200000")
    assert first.startswith("refused: ")
    assert_survived_in(folder, acknowledged)


def assert_survived_in(folder: Path, acknowledged: list[int]) -> None:
    """As the next process sees it, on a disk with room again."""
    roomy = folder.parent / "roomy"
    roomy.mkdir()
    for name in ("journal.db", "journal.db-wal", "head.json"):
        if (folder / name).exists():
            (roomy / name).write_bytes((folder / name).read_bytes())
    assert len(acknowledged) > 10
    assert_survived(roomy, acknowledged)


@pytest.mark.second_tier
@pytest.mark.parametrize(
    ("call", "only", "most"),
    [("fdatasync", "", 14), ("fsync", "", 1), ("pwrite64", "head.json", 10)],
    ids=["fdatasync", "fsync", "the head, written and synced in one call"],
)
def test_an_error_of_the_system_at_the_nth_sync_is_never_swallowed(
    tmp_path: Path, call: str, only: str, most: int
) -> None:
    """SQLite's automatic checkpoint would swallow some of these; a VFS in Python cannot show it."""
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    refused = 0
    for number in count(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        log = tmp_path / f"{number}.log"
        trace = ["strace", "-f", "-qq", "-y", "-o", str(log), "-e", f"trace={call},write"]
        trace += ["-e", f"inject={call}:error=EIO:when={number}"]
        trace += ["-P", str(folder / only)] if only else []
        done = writer(folder, "14", "--until-refused", traced=trace)
        calls = log.read_text()
        if "INJECTED" not in calls:
            break
        before, after = calls.split("(INJECTED)")
        if done.returncode == 0:
            last = before.splitlines()[-1]
            assert "write(1<" not in after or f"<{folder}>" in last, last
        assert done.returncode in (0, 3, 4)
        refused += done.returncode == 3
        said = [each for each in done.stdout.splitlines() if each.isdigit()]
        assert_survived(folder, [int(each) for each in said])
    assert refused > most

"""`kill -9` at random moments, at every call of the disk, and at every system call.

The oracle is always the same: every acknowledged record is there once and in order, as it was, the
chain holds, nothing is reported lost, and the next process goes on.
"""

import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from support.journal.journal_writer import assert_survived

TESTS = Path(__file__).parents[3]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(TESTS)}
SYSTEM_CALLS = "pwrite64,write,fdatasync,fsync,ftruncate,unlink,rename,fallocate,fcntl"


def python(script: str, *words: object, traced: tuple[str, ...] = ()) -> list[str]:
    return [*traced, sys.executable, str(TESTS / "support/journal" / script), *map(str, words)]


def numbers(output: bytes) -> list[int]:
    return [int(line) for line in output.splitlines()]


def killed_after(folder: Path, acknowledgements: int, wait_s: float) -> list[int]:
    """Let a writer run without end, and kill it a moment after so many acknowledgements."""
    with subprocess.Popen(
        python("journal_writer.py", folder, 10**6), stdout=subprocess.PIPE, env=ENVIRONMENT
    ) as writer:
        assert writer.stdout is not None
        seen = [int(writer.stdout.readline()) for _ in range(acknowledgements)]
        select.select([], [], [], wait_s)  # a moment nobody chose, in the middle of anything
        writer.send_signal(signal.SIGKILL)
        return seen + numbers(writer.stdout.read())


def kill_at_random(folder: Path, times: int, seed: int) -> None:
    rng = random.Random(seed)
    length = 1
    for _ in range(times):
        seen = killed_after(folder, rng.randint(1, 40), rng.random() * 0.003)
        assert seen[0] == length + 1
        length = assert_survived(folder, seen)


def test_killed_at_random_moments_it_goes_on_each_time(tmp_path: Path) -> None:
    kill_at_random(tmp_path, times=2, seed=1)


@pytest.mark.second_tier
def test_killed_at_random_moments_many_times(tmp_path: Path) -> None:
    kill_at_random(tmp_path, times=300, seed=int(os.environ.get("SABOT_SEED", "2")))


def kill_at_every_call(folder: Path, records: int, *more: str) -> int:
    done = subprocess.run(
        python("journal_kills.py", folder, records, *more),
        capture_output=True,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return int(done.stdout)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param((), id="whole writes", marks=pytest.mark.second_tier),
        pytest.param(("--tear",), id="torn writes"),
    ],
)
def test_killed_at_every_call_of_the_disk(tmp_path: Path, how: tuple[str, ...]) -> None:
    assert kill_at_every_call(tmp_path, 8, *how) > 30


@pytest.mark.second_tier
@pytest.mark.parametrize("how", [(), ("--tear",)], ids=["whole writes", "torn writes"])
def test_killed_at_every_call_of_the_disk_over_several_shoes(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    assert kill_at_every_call(tmp_path, 200, *how) > 600


@pytest.mark.second_tier
def test_killed_at_every_system_call(tmp_path: Path) -> None:
    """The interpreter's own calls are among them: those before the journal cost time, not truth."""
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    log = tmp_path / "calls"
    trace = ("strace", "-f", "-qq", "-e", f"trace={SYSTEM_CALLS}", "-o", str(log))
    (tmp_path / "whole").mkdir()
    subprocess.run(
        python("journal_writer.py", tmp_path / "whole", 14, traced=trace),
        stdout=subprocess.DEVNULL,
        env=ENVIRONMENT,
        check=True,
    )
    calls = Counter(re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE))
    assert calls["fdatasync"] + calls["fsync"] > 14
    for call, times in calls.items():
        for number in range(1, times + 1):
            folder = tmp_path / f"{call}-{number}"
            folder.mkdir()
            kill = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                    "-e", f"inject={call}:signal=KILL:when={number}")  # fmt: skip
            done = subprocess.run(
                python("journal_writer.py", folder, 14, traced=kill),
                stdout=subprocess.PIPE,
                env=ENVIRONMENT,
                check=False,
            )
            assert done.returncode in (0, -signal.SIGKILL, 128 + signal.SIGKILL), (call, number)
            assert_survived(folder, numbers(done.stdout))
            shutil.rmtree(folder)

"""`--forks`: every test once, its outcome and output as without, also of a process that dies."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.forked import Shares

TESTS = Path(__file__).parents[2]
CONFTEST = """
import os, pytest
from pathlib import Path
from support import forked


def pytest_configure(config):
    forked.register(config, 2)


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    made = tmp_path_factory.mktemp("once")
    up = Path(__file__).with_name(f"up-{os.getpid()}")
    up.touch()
    yield made
    up.unlink()
"""
FILES = {
    "test_one.py": """
import os, pytest

@pytest.mark.parametrize("n", range(5))
def test_good(n, once):
    assert once.is_dir()

def test_bad():
    print("what it printed")
    assert 1 == 2

def test_skipped():
    pytest.skip("not here")
""",
    "test_two.py": """
import os

def test_dies():
    os._exit(3)

def test_after_it():
    pass
""",
    "test_three.py": """
import threading, time, pytest

@pytest.mark.timeout(1)
def test_takes_too_long():
    threading.Thread(target=time.sleep, args=(3,), name="its thread").start()
    time.sleep(60)
""",
}


def run(folder: Path, *options: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", folder, "-rA"]
    done = subprocess.run(
        [*command, *options, folder],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=250,
        check=False,
    )
    return done.stdout


def test_outcomes_are_told_and_who_dies_is_replaced(tmp_path: Path) -> None:
    told = run(tmp_path)
    assert re.search(r"3 failed, 6 passed, 1 skipped", told), told
    assert "what it printed" in told
    assert "assert 1 == 2" in told
    assert "the process that ran it ended with 3" in told
    assert "FAILED test_two.py::test_dies" in told
    assert re.search("FAILED test_three.py::test_takes_too_long - .*Timeout", told)
    assert "Stack of its thread" in told
    assert "PASSED test_two.py::test_after_it" in told


def test_it_stops_at_the_first_failure_when_asked_to_and_leaves_nothing_up(tmp_path: Path) -> None:
    assert "stopping after 1 failures" in run(tmp_path, "-x")
    assert list(tmp_path.glob("up-*")) == []


@pytest.mark.parametrize("processes", [1, 2, 3, 6])
def test_every_test_is_shared_out_once(processes: int) -> None:
    shares, found = Shares([[0, 1, 2, 3], [4], [5, 6], [7, 8, 9]]), []
    while (place := shares.next_for(len(found) % processes)) is not None:
        found.append(place)
    assert sorted(found) == list(range(10))


def test_one_comes_from_each_end_keeps_its_file_and_helps_whoever_has_most() -> None:
    shares = Shares([[0, 1, 2, 3], [4, 5], [6]])
    assert [shares.next_for(each) for each in (0, 1, 0, 1, 1, 1, 0, 1)] == [
        0,
        6,
        1,
        4,
        5,
        3,
        2,
        None,
    ]

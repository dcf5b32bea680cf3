"""`--how-long`: what is left by what each test cost before, in a real run of pytest."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import how_long

TESTS = Path(__file__).parents[2]
KNOWN = {"test_it.py::test_dear": 90.0, "test_it.py::test_cheap": 15.0}
CONFTEST = """
from pathlib import Path
from support import how_long


def pytest_configure(config):
    how_long.KNOWN = Path(__file__).with_name("known.json")
    how_long.EVERY_S = 0.0
    how_long.register(config)
"""
FILE = """
import pytest


def test_dear():
    pass


@pytest.mark.parametrize("n", [1, 2])
def test_cheap(n):
    assert n == 1
"""


@pytest.mark.parametrize(
    ("nodeid", "cost"),
    [
        ("test_it.py::test_dear", 90.0),
        ("test_it.py::test_cheap[a-b[1]]", 15.0),
        ("test_it.py::test_cheap[two\nlines]", 15.0),
        ("test_it.py::test_new[1]", how_long.UNKNOWN_S),
    ],
)
def test_a_test_costs_what_its_function_did(nodeid: str, cost: float) -> None:
    assert how_long.cost_of(nodeid, KNOWN) == cost


@pytest.mark.parametrize(
    ("share", "elapsed_s", "says"),
    [
        (0.25, 600.0, "3 of 9 tests, 25% of the work, after 10 min; about 30 min to go"),
        (1.0, 600.0, "3 of 9 tests, 100% of the work, after 10 min; about 0 min to go"),
        (0.0, 60.0, "3 of 9 tests, 0% of the work, after 1 min"),
    ],
)
def test_the_rest_takes_as_long_as_its_share(share: float, elapsed_s: float, says: str) -> None:
    assert how_long.sentence(3, 9, share, elapsed_s) == says


def test_a_run_says_how_much_there_is_what_is_left_and_what_has_failed(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(FILE, encoding="utf-8")
    (tmp_path / "known.json").write_text(json.dumps(KNOWN), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", tmp_path, "-q"]
    ran = subprocess.run(
        [*command, "-p", "no:randomly", tmp_path],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""},
        timeout=250,
        check=False,
    )
    said = [line for line in ran.stdout.splitlines() if re.search(r" tests|has failed", line)]
    assert [line.lstrip(".F").partition(", after")[0] for line in said] == [
        "3 tests: about 2 min of processor time",
        "1 of 3 tests, 75% of the work",
        "2 of 3 tests, 88% of the work",
        "test_it.py::test_cheap[2] has failed",
        "3 of 3 tests, 100% of the work",
    ], ran.stdout


def test_the_mean_of_a_function_is_kept_the_dearest_in_all_first(tmp_path: Path) -> None:
    """Of all processes; what lies between tests is no test's."""
    told = {
        "1.tsv": "20.00\t(start and collection)\n2.00\ta.py::test_one[1]\n0.10\t(between tests)\n",
        "2.tsv": "4.00\ta.py::test_one[2]\n5.00\tb.py::test_two\n",
    }
    for name, lines in told.items():
        (tmp_path / name).write_text(lines, encoding="utf-8")
    assert list(how_long.kept(tmp_path).items()) == [
        ("a.py::test_one", 3.0),
        ("b.py::test_two", 5.0),
    ]


def test_what_is_kept_is_of_tests_that_are_there(pytestconfig: pytest.Config) -> None:
    known = json.loads(how_long.KNOWN.read_text("utf-8"))
    for each in known:
        path, _, function = each.rpartition("::")
        text = (pytestconfig.rootpath / path.partition("::")[0]).read_text("utf-8")
        assert f"def {function}(" in text, each

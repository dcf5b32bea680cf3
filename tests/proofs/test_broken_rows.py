"""Where a clause is a row of data, breaking the row makes one of the clause's tests fail."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.second_tier

ROOT = Path(__file__).parents[2]
CLAUSE_TESTS = ROOT / "controller" / "rulebooks" / "clause_tests.json"


def unit_tests_of_clauses() -> list[str]:
    """The files that hold them. The list is exact: `test_register` compares it with the marks."""
    listed = json.loads(CLAUSE_TESTS.read_text("utf-8"))
    tests = {test for book in listed.values() for named in book.values() for test in named}
    return sorted({each.partition("::")[0] for each in tests if each.startswith("tests/unit/")})


@pytest.mark.timeout(600)
def test_every_broken_row_is_noticed(tmp_path: Path) -> None:
    report = tmp_path / "broken_rows.json"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "support.clauses.broken_rows",
    ]
    run = subprocess.run(
        [*command, f"--broken-rows-to={report}", *unit_tests_of_clauses()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), run.stdout + run.stderr
    found = json.loads(report.read_text())
    assert found["broken"] > 500
    assert found["survived"] == []

"""Where a clause is a row of data, breaking the row makes one of the clause's tests fail."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(300)
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
        [*command, f"--broken-rows-to={report}", "tests/unit"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), run.stdout + run.stderr
    found = json.loads(report.read_text())
    assert found["broken"] > 500
    assert found["survived"] == []

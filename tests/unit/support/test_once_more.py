"""Which failures of a whole run are tried once more, and what comes of it: real runs of pytest."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support import once_more

BROWSER = "tests/browser/test_it.py::test_it"


@pytest.mark.parametrize(
    ("failed", "tried"),
    [
        ([BROWSER], True),
        (["tests/floor/test_x.py::test_a[1]", "tests/scenario/test_y.py::test_b"], True),
        ([], False),
        ([f"{BROWSER}[{n}]" for n in range(once_more.MOST + 1)], False),
        ([BROWSER, "tests/unit/test_z.py::test_c"], False),
        (["tests/browser/test_it.py"], False),
    ],
)
def test_a_few_failures_of_real_parts_are_tried_again(failed: list[str], *, tried: bool) -> None:
    assert once_more.excusable(failed) is tried


@pytest.mark.parametrize(("holds", "code"), [(True, 0), (False, 1)])
def test_what_fails_alone_too_stops_the_gate(tmp_path: Path, *, holds: bool, code: int) -> None:
    test = tmp_path / "tests/browser/test_it.py"
    test.parent.mkdir(parents=True)
    test.write_text(f"def test_it():\n    assert {holds}\n", "utf-8")
    cache = tmp_path / once_more.CACHE
    cache.parent.mkdir(parents=True)
    cache.write_text(json.dumps({BROWSER: True}), "utf-8")
    ran = subprocess.run(
        [sys.executable, once_more.__file__],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stdout
    assert ("PASSED ALONE" in ran.stdout) is holds

"""The lock files: every package by version and hash, and no word of where it was fetched."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = sorted(ROOT.glob("requirements*.lock"))
NODE = ROOT / "tests" / "pages" / "package-lock.json"
SETTINGS = NODE.with_name(".npmrc")


@pytest.mark.parametrize("file", [*PYTHON, NODE, SETTINGS], ids=lambda each: each.name)
def test_no_address_is_in_a_lock(file: Path) -> None:
    assert "://" not in file.read_text("utf-8")


@pytest.mark.parametrize("file", PYTHON, ids=lambda each: each.name)
def test_every_python_package_has_a_hash(file: Path) -> None:
    entries = file.read_text("utf-8").replace("\\\n", " ").splitlines()
    assert entries
    assert [each for each in entries if "==" not in each or "--hash=sha256:" not in each] == []


def test_the_lock_of_the_tests_holds_all_that_sabot_runs_on() -> None:
    """`make test` installs that one alone."""
    runs, tests = ((ROOT / f"requirements{each}.lock").read_text("utf-8") for each in ("", "-dev"))
    entries = runs.replace("\\\n", " ").splitlines()
    assert entries
    assert set(entries) <= set(tests.replace("\\\n", " ").splitlines())


def test_every_node_package_has_a_hash() -> None:
    packages = json.loads(NODE.read_text("utf-8"))["packages"]
    ours = packages.pop("")
    assert set(ours["devDependencies"]) <= {each.removeprefix("node_modules/") for each in packages}
    assert [name for name, each in packages.items() if "integrity" not in each] == []

"""`make test-all` runs every folder of tests, resumes, and counts what failed."""

import sys
from pathlib import Path

import pytest

from tiers.everything import count_cases, format_table, run_all
from tiers.groups import ROOT, Group, all_groups

FIRST_TIER_ONLY = {"repository"}


def program(name: str, code: str) -> Group:
    return Group(name, (sys.executable, "-c", code), is_pytest=False)


def test_every_folder_of_tests_has_a_group() -> None:
    tests = ROOT / "tests"
    folders = {path.relative_to(tests).parts[0] for path in tests.rglob("test_*.py")}
    words = {word for group in all_groups(0.1) for word in group.command}
    modules = {word.removeprefix("tests.").partition(".")[0] for word in words}
    named = {word.removeprefix("tests/") for word in words} | modules
    assert folders - named - FIRST_TIER_ONLY - {"deploy"} == set()


def test_run_goes_on_with_what_has_not_passed(tmp_path: Path) -> None:
    """A group that passed is not run again on the same tree; one that failed is."""
    count = f"open({str(tmp_path / 'runs')!r}, 'a').write(NAME)"
    mended = f"import os; os.path.exists({str(tmp_path / 'mended')!r}) or exit(1)"
    groups = [
        program("good", count.replace("NAME", "'g'")),
        program("bad", count.replace("NAME", "'b'") + "; " + mended),
    ]
    assert run_all(groups, tmp_path / "state", "one tree") is False
    (tmp_path / "mended").touch()
    assert run_all(groups, tmp_path / "state", "one tree") is True
    assert (tmp_path / "runs").read_text() == "gbb"


def test_group_that_cannot_run_is_left_out_and_fails_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    needs_root = [Group("deploy", ("false",), is_pytest=False, needs_root=True)]
    monkeypatch.delenv("CI", raising=False)
    assert run_all(needs_root, tmp_path, "one tree") is True
    assert "deploy                           0       0         1" in capsys.readouterr().out
    monkeypatch.setenv("CI", "true")
    assert run_all(needs_root, tmp_path, "one tree") is False


def test_cases_are_counted_from_the_report(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite tests="7" failures="2" errors="1" skipped="1"/></testsuites>'
    )
    assert count_cases(report) == (7, 3, 1)


def test_table_names_what_has_not_run() -> None:
    assert "not run" in format_table([program("later", "")], {})

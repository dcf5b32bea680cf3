"""`make test-all` runs every folder of tests, resumes, and counts what failed."""

import sys
from pathlib import Path

import pytest

from scenario import links
from support.clauses.clause_marks import COLLECTED
from tiers.everything import count_cases, format_table, run_all
from tiers.groups import SECOND_TIER, SHOES, STORIES, Group, all_groups


def program(name: str, code: str) -> Group:
    return Group(name, (sys.executable, "-c", code))


def unchanged() -> str:
    return "one tree"


def test_every_file_with_a_second_tier_has_one_group(pytestconfig: pytest.Config) -> None:
    groups = [group for group in all_groups(0.1) if set(SECOND_TIER) <= set(group.command)]
    for file in pytestconfig.stash[COLLECTED].second_tier_files - {STORIES}:
        running = [
            group.name
            for group in groups
            if any(file == path or file.startswith(f"{path}/") for path in group.command)
        ]
        assert len(running) == 1, f"{file} is run by {running}"


def test_stories_of_every_link_have_a_group() -> None:
    assert set(SHOES) == set(links.all_of())


def test_run_goes_on_with_what_has_not_passed(tmp_path: Path) -> None:
    """A group that passed is not run again on the same tree; one that failed is."""
    count = f"open({str(tmp_path / 'runs')!r}, 'a').write(NAME)"
    mended = f"import os; os.path.exists({str(tmp_path / 'mended')!r}) or exit(1)"
    groups = [
        program("good", count.replace("NAME", "'g'")),
        program("bad", count.replace("NAME", "'b'") + "; " + mended),
    ]
    assert run_all(groups, tmp_path / "state", unchanged) is False
    (tmp_path / "mended").touch()
    assert run_all(groups, tmp_path / "state", unchanged) is True
    assert (tmp_path / "runs").read_text() == "gbb"


def test_group_that_cannot_run_is_left_out_and_fails_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    needs_root = [Group("deploy", ("false",), needs_root=True)]
    monkeypatch.delenv("CI", raising=False)
    assert run_all(needs_root, tmp_path, unchanged) is True
    assert "deploy                           0       0         1" in capsys.readouterr().out
    monkeypatch.setenv("CI", "true")
    assert run_all(needs_root, tmp_path, unchanged) is False


def test_group_runs_again_with_another_command_or_after_it_left_something_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when it ran for an hour and is asked for eight, or ran without root."""
    runs = tmp_path / "runs"
    note = f"open({str(runs)!r}, 'a').write"
    for code in (f"{note}('1')", f"{note}('1')", f"{note}('8')"):
        assert run_all([program("search", code)], tmp_path / "state", unchanged)
    assert runs.read_text() == "18"
    needs_root = Group("deploy", (sys.executable, "-c", f"{note}('r')"), needs_root=True)
    monkeypatch.delenv("CI", raising=False)
    for uid in (1000, 0):
        monkeypatch.setattr("os.geteuid", lambda uid=uid: uid)
        assert run_all([needs_root], tmp_path / "state", unchanged)
    assert runs.read_text() == "18r"


def test_run_stops_when_a_file_changes_under_it(tmp_path: Path) -> None:
    trees = iter(["before", "after"])
    assert run_all([program("good", "")], tmp_path, lambda: next(trees)) is False


def test_cases_are_counted_from_the_report(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite tests="7" failures="2" errors="1" skipped="1"/></testsuites>'
    )
    assert count_cases(report) == (7, 3, 1)


def test_table_names_what_has_not_run() -> None:
    assert "not run" in format_table([program("later", "")], {})

"""Habits that are easily forgotten: dates, versions, marks for other tools."""

import re
import tomllib

import pytest

from metrics.source import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DATE = r"20\d\d-\d\d-\d\d"


def headings(page: str) -> list[str]:
    return re.findall(r"^## (.+)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)


def test_every_decision_has_its_number_and_its_date() -> None:
    for number, heading in enumerate(headings("DECISIONS.md"), start=1):
        assert re.fullmatch(rf"{number}\. .+ \({DATE}\)", heading)


def test_the_changelog_begins_with_the_version_of_the_project() -> None:
    newest, *older = headings("CHANGELOG.md")
    assert newest.split(",")[0] == PROJECT["project"]["version"]
    for heading in older:
        assert re.fullmatch(rf"\d+\.\d+\.\d+, {DATE}", heading)


@pytest.mark.parametrize(
    "package", PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
)
def test_type_checkers_of_others_read_our_types(package: str) -> None:
    """PEP 561: without this file they take everything of ours for `Any`."""
    assert (ROOT / package / "py.typed").exists()


def test_hooks_before_a_commit_fetch_nothing() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert "://" not in hooks
    assert set(re.findall(r"- repo: (\S+)", hooks)) == {"local"}
    assert hooks.count("- id:") == hooks.count("language: system")
    for path in re.findall(r"tests/\S+\.py", hooks):
        assert (ROOT / path).exists()

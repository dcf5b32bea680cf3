"""Habits that are easily forgotten: dates, versions, marks for other tools."""

import re
import tomllib

import pytest

from metrics.source import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DATE = r"20\d\d-\d\d-\d\d"


def headings(page: str) -> list[str]:
    return re.findall(r"^## (.+)$", (ROOT / page).read_text("utf-8"), re.MULTILINE)


MAX_DECISION_LINES = 10
MAX_CHANGELOG_LINES = 100


def test_every_decision_is_short_and_has_a_number_of_its_own() -> None:
    text = (ROOT / "DECISIONS.md").read_text("utf-8")
    decisions = re.split(
        r"^### ", re.sub(r"^## .+\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE
    )[1:]
    numbers = [re.match(r"(\d+)\. .+\n\n", each) for each in decisions]
    assert all(numbers)
    assert len({found[1] for found in numbers if found}) == len(decisions) > 30
    for each in decisions:
        title, *lines = each.strip().splitlines()
        assert len(lines[1:]) <= MAX_DECISION_LINES, title
        parts = re.findall(r"\*\*(\w+)\.\*\*", each)
        assert parts == ["Context", "Decision", "Consequences"], title


def test_the_changelog_begins_with_the_version_of_the_project() -> None:
    newest, *older = headings("CHANGELOG.md")
    version = PROJECT["project"]["version"]
    assert re.fullmatch(rf"\[{re.escape(version)}\] - (Unreleased|{DATE})", newest)
    for heading in older:
        assert re.fullmatch(rf"\[\d+\.\d+\.\d+\] - {DATE}", heading)


def test_what_is_unreleased_can_be_read_at_once() -> None:
    unreleased = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1]
    assert len(unreleased.splitlines()) <= MAX_CHANGELOG_LINES


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

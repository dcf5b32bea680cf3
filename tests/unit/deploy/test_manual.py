"""The manual names pages, commands and options that exist."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cli import SUBCOMMANDS, load
from support.rows import each_row

ROOT = Path(__file__).parents[3]
MANUAL = ROOT / "deploy" / "manual"
PAGES = sorted(MANUAL.glob("*.md"))
AT_THE_TOP = sorted(ROOT.glob("*.md"))
OF_THE_CODE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@each_row("page", [*PAGES, *AT_THE_TOP])
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = (MANUAL / "README.md").read_text()
    pages = [page.name for page in PAGES if page.name != "README.md"]
    assert [name for name in pages if f"({name})" not in contents] == []


@pytest.mark.parametrize("page", OF_THE_CODE, ids=lambda page: page.name)
def test_every_file_that_is_named_exists(page: Path) -> None:
    """Files and folders by their path from the top; a name with a gap or a star may be none, and a
    file that an example makes "is new"."""
    tops = "controller|drivers|simulators|tests|deploy"
    named = re.findall(rf"`((?:{tops})/[\w./-]*)`(?! is new)", page.read_text())
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every `sabot ...` in the manual and in the README, with the page it stands on."""
    for page in [*PAGES, ROOT / "README.md"]:
        for said in re.findall(r"sabot ([a-z-][^`\n]*)`", page.read_text()):
            yield page.name, said.split()


def test_every_command_exists_with_its_options() -> None:
    found = list(commands())
    assert len(found) > 20
    for page, words in found:
        assert words[0] in SUBCOMMANDS, f"{page}: there is no `sabot {words[0]}`"
        command: Any = load(words.pop(0))
        while words and (below := getattr(command, "commands", None)):
            name = words.pop(0)
            assert name in below, f"{page}: there is no `sabot ... {name}`"
            command = below[name]
        options = {option for each in command.params for option in each.opts} | {"--help"}
        asked = {word for word in words if word.startswith("--")}
        assert asked <= options, f"{page}: {command.name} has no {asked - options}"


def test_every_option_of_the_installer_exists() -> None:
    script = (ROOT / "deploy" / "install.sh").read_text()
    for page in PAGES:
        for said in re.findall(r"install\.sh ([^`\n]*)`", page.read_text()):
            for option in re.findall(r"--[a-z]+", said):
                assert f"{option})" in script, f"{page.name}: install.sh has no {option}"


def test_rules_answer_the_example_as_it_is_printed() -> None:
    page = (MANUAL / "json-lines.md").read_text("utf-8")
    found = re.search(r"sabot rules settle <<'END'\n(.*?)END\n(.*?)```", page, re.DOTALL)
    assert found
    run = subprocess.run(
        [Path(sys.executable).with_name("sabot"), "rules", "settle"],
        input=found[1],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stdout == found[2]

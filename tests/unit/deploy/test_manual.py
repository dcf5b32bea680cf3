"""The manual names pages, commands and options that exist."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cli import SUBCOMMANDS, load
from drivers.registry import OURS
from support.rows import each_row

ROOT = Path(__file__).parents[3]
MANUAL = ROOT / "deploy" / "manual"
PAGES = sorted(MANUAL.glob("*.md"))
AT_THE_TOP = sorted(ROOT.glob("*.md"))
OF_THE_CODE = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "DECISIONS.md")),
    *MANUAL.glob("adding-a*.md"),
]
"""Pages for developers."""


def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings]
    assert len(set(slugs)) == len(slugs), "two headings of a page have one anchor"
    return set(slugs)


@each_row("page", [*PAGES, *AT_THE_TOP])
def test_every_link_and_anchor_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text("utf-8"))
    for link in links:
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = (MANUAL / "README.md").read_text("utf-8")
    pages = [page.name for page in PAGES if page.name != "README.md"]
    assert [name for name in pages if f"({name})" not in contents] == []


@pytest.mark.parametrize("page", OF_THE_CODE, ids=lambda page: page.name)
def test_every_file_that_is_named_exists(page: Path) -> None:
    """Files and folders by their path from the top; a name with a gap or a star may be none, and a
    file that an example makes "is new"."""
    tops = "controller|drivers|simulators|tests|deploy"
    named = re.findall(rf"`((?:{tops})/[\w./-]*)`(?! is new)", page.read_text())
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_devices_are_all_listed_and_counted() -> None:
    page = (MANUAL / "devices.md").read_text("utf-8")
    assert [name for name in OURS if f"\n| `{name}` |" not in page] == []
    count = {8: "eight"}[len(OURS)]
    assert f"drives {count} devices" in page
    assert f"drives {count} devices" in (ROOT / "README.md").read_text("utf-8")


def code_in(page: Path) -> Iterator[str]:
    """What is typed, by the line: code spans, and the lines of blocks without a language."""
    text = page.read_text("utf-8")
    for block in re.findall(r"^ *```\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        yield from (line.partition("  #")[0].strip() for line in block.splitlines())
    yield from re.findall(r"`([^`\n]+)`", text)


TYPED = {
    page: list(code_in(page)) for page in (*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md")
}
each_page = pytest.mark.parametrize("page", TYPED, ids=lambda page: page.name)


def commands(typed: list[str]) -> Iterator[list[str]]:
    """Every `sabot ...`; `sabot-floor` is `sabot floor` of a floor's machine, and its `staff`."""
    for code in typed:
        if found := re.search(r"(?:^|/|\$ )sabot(-floor)? (?!-)(.+)", code):
            words = found[2].split()
            own = found[1] is None or words[0] == "staff"
            yield words if own else ["floor", *words]


def test_enough_commands_are_found() -> None:
    assert sum(len(list(commands(typed))) for typed in TYPED.values()) > 150


@each_page
def test_every_command_exists_with_its_options(page: Path) -> None:
    for words in commands(TYPED[page]):
        if words[0] not in SUBCOMMANDS and not words[0].islower():
            continue  # `sabot COMMAND --help`
        assert words[0] in SUBCOMMANDS, f"{page.name}: there is no `sabot {words[0]}`"
        command: Any = load(words.pop(0))
        while words and not words[0].startswith("-") and hasattr(command, "commands"):
            name = words.pop(0)
            if name in ("|", "..."):
                break
            assert name in command.commands, f"{page.name}: there is no `sabot ... {name}`"
            command = command.commands[name]
        options = {option for each in command.params for option in each.opts} | {"--help"}
        asked = {word.strip(".,") for word in words if word.startswith("--")}
        assert asked <= options, f"{page.name}: {command.name} has no {asked - options}"


@each_page
def test_every_target_of_make_and_every_unit_exists(page: Path) -> None:
    typed = TYPED[page]
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {found for code in typed for found in re.findall(r"^make ([a-z-]+)", code)}
    assert named <= targets, f"{page.name}: there is no target {named - targets}"
    units = {each.name for each in (ROOT / "deploy").rglob("*.*") if each.parent.name != "manual"}
    for code in typed:
        for unit in re.findall(r"\b(sabot[\w-]*)\b", code.partition("systemctl ")[2]):
            assert f"{unit}.service" in units, f"{page.name}: there is no unit {unit}"


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

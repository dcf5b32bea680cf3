"""The page "Add an irregularity" of the manual, carried out word for word in a copy of the tree: an
irregularity with a new step, its row, its report, its story and its names, in five files."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from controller.cases.steps import STEPS
from controller.rulebooks import RULEBOOKS

pytestmark = pytest.mark.second_tier

FILES_TOUCHED = 5

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "deploy/manual/adding-an-irregularity.md"
COPIED: Final = ("controller", "drivers", "simulators", "tests", "pyproject.toml")
LEFT_OUT: Final = shutil.ignore_patterns(
    "__pycache__", "node_modules", "static", "browser", "samples"
)
NAME: Final = "wagers_mixed"


# --- what the text says -------------------------------------------------------------------------


@dataclass(frozen=True)
class Instruction:
    """One thing to write: where, and what."""

    path: str
    where: str
    """`before` or `after` a line, or `new`."""
    anchor: str
    text: str

    def carry_out(self, tree: Path) -> None:
        path = tree / self.path
        if self.where == "new":
            assert not path.exists(), f"{self.path} is there already"
            path.write_text(self.text, "utf-8")
            return
        lines = path.read_text("utf-8").splitlines(keepends=True)
        found = [n for n, line in enumerate(lines) if line.strip().startswith(self.anchor)]
        assert len(found) == 1, f"{self.path} has {len(found)} lines with {self.anchor}"
        place = found[0] + (self.where == "after")
        apart = "\n\n" if self.text.startswith("def ") else ""
        path.write_text("".join([*lines[:place], self.text + apart, *lines[place:]]), "utf-8")


_TO_WRITE: Final = re.compile(
    r"`(?P<path>[\w/.-]+)`(?: is new|,\s+(?P<where>before|after)\s+`(?P<anchor>[^`]+)`):\n\n"
    r"(?P<indent> *)```\w+\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)


def instructions() -> Iterator[Instruction]:
    text = PAGE.read_text("utf-8")
    blocks = text.count("```") // 2
    found = list(_TO_WRITE.finditer(text))
    assert len(found) == blocks > 0, "a block without a line that says where it goes"
    for each in found:
        indent = each["indent"]
        lines = [line.removeprefix(indent) for line in each["text"].splitlines(keepends=True)]
        where = each["where"] or "new"
        yield Instruction(each["path"], where, each["anchor"] or "", "".join(lines))


def test_example_touches_no_more_than_five_files() -> None:
    touched = {each.path for each in instructions()}
    assert len(touched) == FILES_TOUCHED <= 5, touched


# --- carried out --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree with the example in it."""
    tree = tmp_path_factory.mktemp("example")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, tree / name)
    for each in instructions():
        each.carry_out(tree)
    return tree


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=tree, capture_output=True, text=True, check=False
    )


def test_example_is_written_as_our_own_code_is(copy: Path) -> None:
    written = sorted({each.path for each in instructions() if each.path.endswith(".py")})
    for check in (("check", "--no-cache"), ("format", "--no-cache", "--check")):
        done = run(copy, "-m", "ruff", *check, *written)
        assert done.returncode == 0, done.stdout + done.stderr


def test_gate_takes_the_example(copy: Path) -> None:
    """Its story is played under its books and needs its ruling; it has a name in every language,
    and what may be told with its report is what its row says."""
    done = run(
        copy,
        *("-m", "pytest", "-q", "-m", "", "-p", "no:randomly", "-p", "no:cacheprovider"),
        *("-k", f"{NAME} or irregularity"),
        "tests/proofs/test_deleted_rows.py",
        "tests/repository/test_sentences.py",
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b([2-9]|\d\d+) passed", done.stdout), done.stdout


PLAYED: Final = dedent(
    """
    import json, sys
    sys.path[:0] = ["tests"]
    from controller.table.commands.message import typed
    from controller.table.commands.reports import fields_of
    from scenario.memory_link import open_in_memory
    from scenario.story import Story, stories

    name = sys.argv[1]
    played = [(path, book) for path, book in stories() if path.stem == name]
    for path, book in played:
        Story(open_in_memory, book).play(path.read_text("utf-8"))
    stray = typed("report", {"what": name, "order": [1]})
    print(json.dumps({
        "books": [book for _, book in played],
        "fields": fields_of(name),
        "refused": [stray.why.code, stray.why.gaps],
    }))
    """
)


def test_example_does_what_it_says(copy: Path) -> None:
    done = run(copy, "-c", PLAYED, NAME)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "books": ["mbs-baccarat-8", "mbs-dragon-tiger-baccarat"],
        "fields": ["what", "round", "hand"],
        "refused": ["no_such_report_field", {"what": NAME, "field": "order"}],
    }


# --- what makes it so few -----------------------------------------------------------------------


def test_every_step_a_book_names_is_one_that_can_be_done() -> None:
    for book in RULEBOOKS.values():
        for row in book.irregularities:
            named = {then.step for ruling in row.rulings for then in ruling.then}
            assert named <= set(STEPS), f"{book.id}: {row.id}"

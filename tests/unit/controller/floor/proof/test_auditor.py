"""The auditor's program as auditors run it: one file, alone."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.floor.proof.verify import verify
from controller.journal.keys.signing import text_of
from support.floor.archives import FLOOR, OTHER, archived
from support.floor.auditor import AUDIT

Run = Callable[..., tuple[int, str, str]]
"""Exit status, standard output, standard error."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return archived(tmp_path / "one.sabot").file


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Isolated from everything that is installed here, with a copy of the one file."""
    program = tmp_path / "audit.py"
    program.write_bytes(AUDIT.read_bytes())

    def asked(*words: str) -> tuple[int, str, str]:
        command = [sys.executable, "-I", "-S", str(program), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    return asked


def test_the_auditors_program_runs_alone(file: Path, run: Run) -> None:
    good = run(str(file), "--key", FLOOR.public.hex())
    assert good == (0, f"{file}: {verify(file)}\n", "")
    for key in (FLOOR.public.hex().upper(), text_of(FLOOR.public)):
        assert run(str(file), "--key", key) == good
    status, told, _ = run(str(file), "--key", OTHER.public.hex())
    assert status == 1
    assert told.startswith(f"{file}: bad: ")


def test_what_it_cannot_be_asked_is_said_in_a_line(file: Path, run: Run) -> None:
    for text in ("", "zz" * 32, "abc", "é", text_of(FLOOR.public)[:-5], FLOOR.public.hex()[:-2]):
        status, told, wrong = run(str(file), "--key", text)
        assert (status, told) == (2, ""), text
        assert wrong.startswith(f"audit.py: {text!r} is no public key: 64 hexadecimal digits"), text
        assert wrong.count("\n") == 1
    for words in ((), ("--what",), (str(file), "--key")):
        status, told, wrong = run(*words)
        assert (status, told) == (2, ""), words
        assert "archive-format.md" in wrong


def test_a_file_that_cannot_be_read_is_not_said_to_be_bad(
    file: Path, run: Run, tmp_path: Path
) -> None:
    none = tmp_path / "none"
    line = f"{none}: {verify(none)}\n"
    assert line.endswith(": it cannot be read: No such file or directory\n")
    assert run(str(none)) == (2, line, "")
    assert run(str(none), str(file)) == (2, f"{line}{file}: {verify(file)}\n", "")
    assert run(str(tmp_path))[0] == 2, "a folder"
    assert run(str(none), str(file), "--key", OTHER.public.hex())[0] == 1, "bad all the same"


def test_the_auditors_program_shares_nothing_with_the_product() -> None:
    nodes = [*ast.walk(ast.parse(AUDIT.read_text("utf-8")))]
    names = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert names <= set(sys.stdlib_module_names)

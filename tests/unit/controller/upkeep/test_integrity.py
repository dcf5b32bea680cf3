"""A changed program is not asked whether it is: what is checked before all is imported."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.upkeep import integrity

HERE = Path(__file__).parents[4]


def test_nothing_else_of_ours_is_imported_before_the_files_are_compared() -> None:
    code = (
        "import json, sys, controller.upkeep.integrity\n"
        "print(json.dumps([m for m in sys.modules if m.split('.')[0] in ('controller','drivers')]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert set(json.loads(done.stdout)) == {
        "controller",
        "controller.upkeep",
        "controller.upkeep.files",
        "controller.upkeep.integrity",
        "controller.upkeep.signing",
    }


@pytest.mark.parametrize("command", integrity.ASKED_FIRST)
def test_a_file_that_is_no_python_any_more_is_named_and_not_run(
    command: str, tmp_path: Path
) -> None:
    """The program itself is changed so that it cannot even be imported."""
    program = tmp_path / "program"
    shutil.copytree(HERE / "controller", program / "controller")
    (program / "controller" / "cli.py").write_text("broken(")
    config = tmp_path / "table.toml"
    config.write_text(
        f'[checks]\nmanifest = "{tmp_path}/none"\nmaker_key = "{tmp_path}/none.pub"\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "controller", command, "--config", str(config)],
        capture_output=True, text=True, check=False, timeout=60, cwd=program,
    )  # fmt: skip
    assert done.returncode == (integrity.LOOK_FIRST if command == "run" else 1)
    assert "BAD  installed files" in done.stderr
    assert "SyntaxError" not in done.stderr


@pytest.mark.parametrize("words", [["run", "--config", "FILE"], ["doctor", "--config=FILE"]])
def test_the_configuration_that_was_named_is_the_one_that_counts(
    words: list[str], tmp_path: Path
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'[checks]\nsite_key = "{tmp_path}/site.pub"\n')
    found = integrity.check_before_import([word.replace("FILE", str(config)) for word in words])
    assert [each.what for each in found] == ["configuration"]
    assert integrity.check_before_import(["report", "--config", str(config)]) == ()


@pytest.mark.parametrize("text", ["checks = 3", "[checks\n", "[checks]\nsite_key = 3\n"])
def test_a_file_that_makes_no_sense_is_left_to_whoever_reads_it_all(
    text: str, tmp_path: Path
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(text)
    assert integrity.bad(config) == ()
    assert integrity.bad(tmp_path / "none.toml") == ()

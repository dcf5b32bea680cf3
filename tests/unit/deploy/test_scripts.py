"""The shell scripts: read by shellcheck, and asked what needs no root."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.limits import MAX_WAIT_S

DEPLOY = Path(__file__).parents[3] / "deploy"
COMMANDS = [DEPLOY / "sabot", DEPLOY / "floor/sabot-floor"]
SCRIPTS = [*sorted(DEPLOY.glob("*.sh")), *sorted(DEPLOY.glob("floor/*.sh")), *COMMANDS]
LIMIT_S = MAX_WAIT_S


def test_shellcheck_finds_nothing() -> None:
    program = shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(
        [program, *SCRIPTS], capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert done.stdout == ""


def test_every_script_can_be_run() -> None:
    assert [each.name for each in SCRIPTS if not each.stat().st_mode & 0o100] == []


@pytest.mark.parametrize("name", ["install.sh", "floor/install.sh"])
def test_help_names_every_option_of_the_installer(name: str) -> None:
    script = (DEPLOY / name).read_text()
    done = subprocess.run(
        [DEPLOY / name, "--help"], capture_output=True, text=True, timeout=LIMIT_S,
        check=True,
    )  # fmt: skip
    options = set(re.findall(r"^ +(--[a-z]+)\)", script, re.MULTILINE))
    assert options
    assert {option for option in options if option not in done.stdout} == set()


def test_an_unknown_option_changes_nothing_and_is_named() -> None:
    done = subprocess.run(
        [DEPLOY / "install.sh", "--wheels"], capture_output=True, text=True, timeout=LIMIT_S,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "there is no option --wheels" in done.stderr


def test_what_is_installed_is_removed_again() -> None:
    script = (DEPLOY / "install.sh").read_text()
    placed = set(re.findall(r"install -D -m \d+ \S+ (/\S+)", script))
    removing = script[script.index("remove_all()") :]
    left = {path for path in placed if path not in removing and "/systemd/system/" not in path}
    assert placed
    assert left == set()

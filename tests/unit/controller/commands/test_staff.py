"""`sabot staff` as a site uses it."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.cli import app
from controller.console.auth.accounts import Accounts, Tried

SABOT = Path(sys.executable).with_name("sabot")


def staff(file: Path, *words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, ["staff", *words, "--file", str(file)], input=stdin)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with one account, made by the command."""
    made = staff(
        tmp_path / "staff.json",
        *("add", "mia", "--role", "pit_manager", "--secret-stdin"),
        stdin="2468\n",
    )
    assert made.exit_code == 0, made.output
    assert made.stdout == "Mia can sign in as pit manager\n"
    return tmp_path / "staff.json"


def test_account_can_sign_in(file: Path) -> None:
    assert Accounts(file).attempt("mia", "2468")[0] is Tried.RIGHT


def test_secret_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    made = staff(tmp_path / "a.json", "add", "ben", "--role", "dealer", stdin="1357\n1357\n")
    assert made.exit_code == 0, made.output
    assert "1357" not in made.output
    assert Accounts(tmp_path / "a.json").attempt("ben", "1357")[0] is Tried.RIGHT


def test_list_shows_a_locked_account_and_unlock_opens_it(file: Path) -> None:
    accounts = Accounts(file)
    accounts.add("anna", "dealer", "1234", language="zh-Hans")
    for _ in range(3):
        accounts.attempt("anna", "9999")
    line = staff(file, "list").stdout.splitlines()[-1].split()
    assert line == ["anna", "dealer", "zh-Hans", "Anna", "locked"]
    assert staff(file, "unlock", "anna").exit_code == 0
    assert accounts.attempt("anna", "1234")[0] is Tried.RIGHT


def test_pin_is_changed_and_an_account_removed(file: Path) -> None:
    assert staff(file, "pin", "mia", "--secret-stdin", stdin="4321\n").exit_code == 0
    accounts = Accounts(file)
    assert accounts.attempt("mia", "4321")[0] is Tried.RIGHT
    assert staff(file, "remove", "mia").exit_code == 0
    assert accounts.find("mia") is None


def test_configuration_names_the_file(file: Path) -> None:
    config = file.with_name("table.toml")
    config.write_text(
        '[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n'
        f'[console]\nstaff = "{file}"\n',
        encoding="utf-8",
    )
    found = CliRunner().invoke(app, ["staff", "list", "--config", str(config)])
    assert "mia" in found.stdout


def test_where_there_is_nobody_it_says_what_to_do(tmp_path: Path) -> None:
    found = staff(tmp_path / "none.json", "list")
    assert "sabot staff add NAME --role pit_manager" in found.stderr


def test_mistake_is_a_sentence(tmp_path: Path) -> None:
    words = ["add", "ben", "--role", "king", "--secret-stdin", "--file", str(tmp_path / "a.json")]
    wrong = subprocess.run(
        [SABOT, "staff", *words], input=b"1234\n", capture_output=True, check=False, timeout=100
    )
    assert wrong.returncode == 1
    assert wrong.stderr.startswith(b"sabot: 'king' is not a role: dealer")

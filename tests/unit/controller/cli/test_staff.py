"""`sabot staff` as a site uses it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from controller.cli import app
from controller.console.auth import accounts
from controller.console.auth.accounts import Accounts, Tried
from controller.console.auth.kiosks import Kiosks
from controller.console.auth.totp import TypedCode
from support.console.consoles import QUICK

SABOT = Path(sys.executable).with_name("sabot")


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of a hash is no part of the command; a process of its own still pays it."""
    monkeypatch.setattr(accounts, "PasswordHasher", lambda: QUICK)


def staff(file: Path, *words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, ["staff", *words, "--file", str(file)], input=stdin)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with one account, made by the command."""
    made = staff(
        tmp_path / "staff.json",
        *("add", "mia", "--role", "pit_manager", "--secret-stdin"),
        stdin="246813\n",
    )
    assert made.exit_code == 0, made.output
    assert made.stdout == "Mia can sign in as pit manager\n"
    return tmp_path / "staff.json"


def test_account_can_sign_in(file: Path) -> None:
    assert Accounts(file).attempt("mia", "246813")[0] is Tried.RIGHT


def test_secret_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    made = staff(tmp_path / "a.json", "add", "ben", "--role", "dealer", stdin="135724\n135724\n")
    assert made.exit_code == 0, made.output
    assert "135724" not in made.output
    assert Accounts(tmp_path / "a.json").attempt("ben", "135724")[0] is Tried.RIGHT


def test_list_shows_a_locked_account_and_unlock_opens_it(file: Path) -> None:
    kept = Accounts(file)
    kept.add("anna", "dealer", "123456", language="zh-Hans")
    for _ in range(3):
        kept.attempt("anna", "9999")
    line = staff(file, "list").stdout.splitlines()[-1].split()
    assert line == ["anna", "dealer", "zh-Hans", "Anna", "locked"]
    assert staff(file, "unlock", "anna").exit_code == 0
    assert kept.attempt("anna", "123456")[0] is Tried.RIGHT


def test_pin_is_changed_and_an_account_removed(file: Path) -> None:
    assert staff(file, "pin", "mia", "--secret-stdin", stdin="432198\n").exit_code == 0
    kept = Accounts(file)
    assert kept.attempt("mia", "432198")[0] is Tried.RIGHT
    assert staff(file, "remove", "mia").exit_code == 0
    assert kept.find("mia") is None


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


# --- roles, second factors, kiosks ------------------------------------------------------------


def test_short_pin_is_refused_unless_the_house_says_four(file: Path) -> None:
    words = ("add", "ben", "--role", "dealer", "--secret-stdin")
    refused = staff(file, *words, stdin="12345\n")
    assert "has 6 to 128 characters" in str(refused.exception)
    config = file.with_name("table.toml")
    config.write_text(
        '[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n'
        f'[console]\nstaff = "{file}"\npin_fewest = 4\n',
        encoding="utf-8",
    )
    made = CliRunner().invoke(app, ["staff", *words, "--config", str(config)], input="1234\n")
    assert made.exit_code == 0, made.output


def test_role_is_changed(file: Path) -> None:
    told = staff(file, "role", "mia", "pit_supervisor")
    assert told.stdout == "Mia is pit supervisor from the next sign-in\n"
    found = Accounts(file).find("mia")
    assert found is not None
    assert found.role == "pit_supervisor"
    assert "not a role" in str(staff(file, "role", "mia", "king").exception)
    assert "no account" in str(staff(file, "role", "ben", "dealer").exception)


def test_second_factor_is_enrolled_with_a_code_that_fits(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.cli.staff.time.time", lambda: 59.0)
    monkeypatch.setattr("controller.cli.staff.os.urandom", lambda _: b"1234567890" * 2)
    wrong = staff(file, "totp", "mia", stdin="000000\n")
    assert wrong.exit_code == 1
    assert Accounts(file).everybody()[0].totp == ""
    told = staff(file, "totp", "mia", stdin="287 082\n")
    assert told.exit_code == 0, told.output
    assert "otpauth://totp/Sabot%20table%201%3Amia?secret=GEZDGNBVGY3TQOJQ" in told.stdout
    kept = Accounts(file)
    right = TypedCode("287082", 59.0)
    assert kept.attempt("mia", "246813", "10.0.0.5", right)[0] is Tried.RIGHT
    assert "second factor" in staff(file, "list").stdout
    assert staff(file, "totp", "mia", "--remove").exit_code == 0
    assert kept.everybody()[0].totp == ""
    assert "no account" in str(staff(file, "totp", "ben").exception)


def test_kiosk_is_added_listed_and_removed(file: Path) -> None:
    told = staff(file, "kiosk", "add", "desk", "--url", "https://table:8470")
    token = told.stdout.partition("https://table:8470/#kiosk=")[2].split()[0]
    assert "link not opened" in staff(file, "kiosk", "list").stdout
    kiosks = Kiosks(file.with_name("kiosks.json"), os.urandom)
    found = kiosks.enrol(token, time.time())
    assert found is not None
    assert kiosks.knows(found[1])
    assert "enrolled" in staff(file, "kiosk", "list").stdout
    assert "already" in str(staff(file, "kiosk", "add", "desk", "--url", "x").exception)
    assert staff(file, "kiosk", "remove", "desk").exit_code == 0
    assert not kiosks.knows(found[1])
    assert "no kiosk" in str(staff(file, "kiosk", "remove", "desk").exception)

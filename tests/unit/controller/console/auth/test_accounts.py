"""The file of accounts: written whole, kept private, three tries."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from argon2 import PasswordHasher, Type, extract_parameters
from argon2.exceptions import VerifyMismatchError

from controller.console.auth.accounts import (
    ROLES,
    SHORT_SECRET,
    TRIES,
    Accounts,
    Tried,
    nobodys_hash,
)
from controller.console.auth.private_file import AccountsError
from support.console.consoles import QUICK
from support.rows import each_row


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return Accounts(tmp_path / "new" / "staff.json", QUICK, SHORT_SECRET)


def test_account_is_added_found_and_removed(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234", name="Anna B.", language="zh-Hans")
    found = accounts.find("anna")
    assert found is not None
    assert (found.name, found.role, found.language) == ("Anna B.", "dealer", "zh-Hans")
    assert "1234" not in accounts.path.read_text("utf-8")
    assert stat.S_IMODE(accounts.path.stat().st_mode) == 0o600
    accounts.remove("anna")
    assert accounts.find("anna") is None


@each_row("who", ["", "Anna", "1a", "a b", "a" * 33, "shoe", "dealer", "../x", "ä"])
def test_names_the_table_could_mistake_are_refused(accounts: Accounts, who: str) -> None:
    with pytest.raises(AccountsError, match="cannot be an account's name"):
        accounts.add(who, "dealer", "1234")


def test_a_name_nobody_has_costs_as_much_as_any_other() -> None:
    usual = PasswordHasher()
    hashed = nobodys_hash(usual)
    assert not usual.check_needs_rehash(hashed), "the same work"
    assert extract_parameters(hashed).type is Type.ID
    with pytest.raises(VerifyMismatchError):  # it was worked out and did not fit
        QUICK.verify(nobodys_hash(QUICK), "")


def test_unknown_role_names_those_there_are(accounts: Accounts) -> None:
    with pytest.raises(AccountsError, match=ROLES[0]):
        accounts.add("anna", "king", "1234")


@pytest.mark.parametrize("secret", ["", "123", "1" * 129])
def test_secret_has_a_length(accounts: Accounts, secret: str) -> None:
    with pytest.raises(AccountsError, match="characters"):
        accounts.add("anna", "dealer", secret)


def test_six_digits_are_the_fewest_unless_the_house_says_four(accounts: Accounts) -> None:
    strict = Accounts(accounts.path, QUICK)
    with pytest.raises(AccountsError, match="6 to 128"):
        strict.add("anna", "dealer", "12345")
    strict.add("anna", "dealer", "123456")
    with pytest.raises(AccountsError, match="6 to 128"):
        strict.new_secret("anna", "1234")
    accounts.new_secret("anna", "1234")


def test_same_name_twice_and_nobody(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234")
    with pytest.raises(AccountsError, match="already"):
        accounts.add("anna", "dealer", "1234")
    for change in (accounts.remove, accounts.unlock):
        with pytest.raises(AccountsError, match="no account"):
            change("ben")


def test_failures_lock_and_are_on_disk(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234")
    tried = [accounts.attempt("anna", "9999")[0] for _ in range(TRIES + 1)]
    assert tried == [Tried.WRONG, Tried.WRONG, Tried.NOW_LOCKED, Tried.LOCKED]
    again = Accounts(accounts.path, QUICK)
    assert again.attempt("anna", "1234")[0] is Tried.LOCKED
    again.unlock("anna")
    assert accounts.attempt("anna", "1234")[0] is Tried.RIGHT, "another process unlocked it"


def test_a_name_nobody_has_counts_down_and_locks_like_any_other(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234")
    tried = {
        who: [accounts.attempt(who, "9999") for _ in range(TRIES + 1)] for who in ("anna", "ben")
    }
    told = [(each.tried, each.left) for each in tried["ben"]]
    assert told == [(each.tried, each.left) for each in tried["anna"]]
    assert [left for _, left in told] == [2, 1, 0, 0]
    assert {each.account for each in tried["ben"]} == {None}


def test_names_nobody_has_fill_no_memory(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.console.auth.accounts.MAX_UNKNOWN", 2)
    for who in ("a", "b", "c"):
        accounts.attempt(who, "9999")
    assert accounts.attempt("c", "9999").left == TRIES - 2
    assert accounts.attempt("a", "9999").left == TRIES - 1, "forgotten, as the oldest"


def test_many_tries_at_once_are_no_more_than_three(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234")
    with ThreadPoolExecutor(8) as pool:
        tried = list(pool.map(lambda _: accounts.attempt("anna", "9999")[0], range(16)))
    assert tried.count(Tried.WRONG) == TRIES - 1
    assert tried.count(Tried.NOW_LOCKED) == 1
    assert tried.count(Tried.LOCKED) == 16 - TRIES


def test_new_secret_opens_a_locked_account(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234")
    for _ in range(TRIES):
        accounts.attempt("anna", "9999")
    accounts.new_secret("anna", "5678")
    assert accounts.attempt("anna", "1234")[0] is Tried.WRONG
    assert accounts.attempt("anna", "5678")[0] is Tried.RIGHT


def test_unknown_name_costs_the_same_work(accounts: Accounts, mocker: object) -> None:
    accounts.add("anna", "dealer", "1234")
    fits = mocker.spy(accounts, "_fits")  # type: ignore[attr-defined]
    accounts.attempt("nobody", "1234")
    accounts.attempt("anna", "9999")
    assert fits.call_count == 2


def test_file_open_to_others_is_refused(accounts: Accounts) -> None:
    accounts.add("anna", "dealer", "1234")
    accounts.path.chmod(0o644)
    with pytest.raises(AccountsError, match="chmod 600"):
        Accounts(accounts.path, QUICK).everybody()


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'{"staff": 1}', b'{"version":1,"more":2}', b'{"\xff":1}']
)
def test_file_that_is_none_is_refused_and_left_alone(accounts: Accounts, raw: bytes) -> None:
    accounts.path.parent.mkdir()
    accounts.path.write_bytes(raw)
    accounts.path.chmod(0o600)
    with pytest.raises(AccountsError, match="not a file of accounts"):
        accounts.add("anna", "dealer", "1234")
    assert accounts.path.read_bytes() == raw


def test_write_that_fails_leaves_the_old_file(accounts: Accounts, mocker: object) -> None:
    accounts.add("anna", "dealer", "1234")
    mocker.patch("os.fsync", side_effect=OSError(28, "No space left on device"))  # type: ignore[attr-defined]
    with pytest.raises(AccountsError, match="No space"):
        accounts.add("ben", "dealer", "1234")
    assert [each.who for each in Accounts(accounts.path, QUICK).everybody()] == ["anna"]


def test_two_processes_lose_no_change(accounts: Accounts) -> None:
    """Each adds its own, at the same time."""
    code = (
        "import sys; from pathlib import Path; from argon2 import PasswordHasher\n"
        "from controller.console.auth.accounts import Accounts\n"
        "accounts = Accounts(Path(sys.argv[1]), PasswordHasher(1, 8, 1), 4)\n"
        "for n in range(5): accounts.add(f'{sys.argv[2]}{n}', 'dealer', '1234')\n"
    )
    accounts.path.parent.mkdir()
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(accounts.path), name], env=os.environ)
        for name in ("a", "b")
    ]
    assert [run.wait(120) for run in runs] == [0, 0]
    assert len(accounts.everybody()) == 10

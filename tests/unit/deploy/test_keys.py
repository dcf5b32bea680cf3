"""Keys as systemd credentials: sealed, opened again, and handed to the program."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.config import file as config
from controller.journal.seal import create_key, load_key
from support.limits import MAX_WAIT_S

SCRIPT = Path(__file__).parents[3] / "deploy" / "keys.sh"
NAMES = ("journal.key", "journal.signing", "journal.key.0123456789abcdef")
LIMIT_S = MAX_WAIT_S


@pytest.fixture
def root(tmp_path: Path) -> Path:
    if shutil.which("systemd-creds") is None or os.geteuid() != 0:
        pytest.skip("sealing takes systemd and root")
    keys = tmp_path / "var/lib/sabot/keys"
    keys.mkdir(parents=True)
    for number, name in enumerate(NAMES):
        create_key(keys / name, lambda size, number=number: bytes([number] * size))  # type: ignore[misc]
    return tmp_path


def keys(root: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [SCRIPT, *words], capture_output=True, text=True, timeout=LIMIT_S, check=False,
        env={**os.environ, "SABOT_PREFIX": str(root)},
    )  # fmt: skip


def test_sealed_keys_are_no_files_any_more_and_open_again_on_this_machine(root: Path) -> None:
    done = keys(root, "--seal", "--with", "host")
    assert done.returncode == 0, done.stderr
    assert list((root / "var/lib/sabot/keys").iterdir()) == []
    sealed = root / "etc/credstore.encrypted/sabot"
    assert {each.name for each in sealed.iterdir()} == {f"{name}.cred" for name in NAMES}
    for number, each in enumerate(NAMES):
        assert bytes([number] * 16) not in (sealed / f"{each}.cred").read_bytes()
    for unit in ("sabot", "sabot-verify"):
        drop_in = (root / f"etc/systemd/system/{unit}.service.d/50-keys.conf").read_text()
        assert drop_in.count("LoadCredentialEncrypted=") == len(NAMES)
    safe = root / "safe"
    assert keys(root, "--open", safe).returncode == 0
    for number, name in enumerate(NAMES):
        assert load_key(safe / name) == bytes([number] * 32)
    assert sealed.exists(), "a copy for the safe changes nothing here"


def test_going_back_to_files_leaves_no_credential(root: Path) -> None:
    keys(root, "--seal", "--with", "host")
    done = keys(root, "--open", root / "var/lib/sabot/keys")
    assert done.returncode == 0, done.stderr
    assert load_key(root / "var/lib/sabot/keys/journal.signing") == bytes([1] * 32)
    assert not (root / "etc/credstore.encrypted/sabot").exists()
    assert not list((root / "etc/systemd/system").glob("*/50-keys.conf"))


def test_a_credential_of_another_name_or_machine_does_not_open(root: Path) -> None:
    keys(root, "--seal", "--with", "host")
    sealed = root / "etc/credstore.encrypted/sabot"
    (sealed / "journal.signing.cred").write_bytes((sealed / "journal.key.cred").read_bytes())
    done = keys(root, "--open", root / "safe")
    assert done.returncode == 1
    assert "journal.signing cannot be opened on this machine" in done.stderr


def test_without_a_tpm_keys_stay_files(root: Path) -> None:
    if (
        subprocess.run(["systemd-creds", "has-tpm2"], capture_output=True, check=False).returncode
        == 0
    ):
        pytest.skip("this machine has a TPM")
    done = keys(root, "--seal")
    assert done.returncode == 1
    assert "this machine has no TPM: keys stay files" in done.stderr
    assert len(list((root / "var/lib/sabot/keys").iterdir())) == len(NAMES)


def test_a_key_that_is_being_replaced_is_not_sealed(root: Path) -> None:
    (root / "var/lib/sabot/keys/journal.key.next").write_bytes(bytes(32))
    assert "start the table once" in keys(root, "--seal", "--with", "host").stderr


# --- what the program does with them --------------------------------------------------------------


def test_credentials_take_the_place_of_the_files_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, given = tmp_path / "table.toml", tmp_path / "credentials"
    given.mkdir()
    book = '[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n'
    file.write_text(book)
    plain = config.load(file).journal
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    assert config.load(file).journal.key == plain.key, "there is none of that name"
    (given / "journal.key").touch()
    found = config.load(file).journal
    assert (found.key, found.signing) == (str(given / "journal.key"), plain.signing)
    (given / "journal.signing").touch()
    assert config.load(file).journal.signing == str(given / "journal.signing")
    file.write_text(f'{book}[site]\nmode = "training"\n')
    assert config.load(file).journal.key == plain.key, "a training table has keys of its own"

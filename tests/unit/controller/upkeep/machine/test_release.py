"""A release that somebody brings is looked at by the installed one, before any of it is run."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from controller.cli import app
from controller.upkeep import signing
from controller.upkeep.files import digest_of
from controller.upkeep.machine import release
from support.limits import MAX_WAIT_S

DEPLOY = Path(__file__).parents[5] / "deploy"
LIMIT_S = MAX_WAIT_S
RAN = "ran as root"


@pytest.fixture
def pc(tmp_path: Path) -> Path:
    """An installed release that trusts a maker, as far as the installer looks at it."""
    if os.geteuid() != 0:
        pytest.skip("an installer runs as root")
    current = tmp_path / "pc/opt/sabot/current"
    (current / "venv/bin").mkdir(parents=True)
    (current / "venv/bin/python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (current / "venv/bin/python").chmod(0o755)
    shutil.copytree(DEPLOY, current / "deploy")
    (tmp_path / "pc/etc/sabot").mkdir(parents=True)
    signing.make_key(tmp_path / "maker.key", tmp_path / "pc/etc/sabot/maker.pub")
    return tmp_path / "pc"


@pytest.fixture
def wheelhouse(tmp_path: Path) -> Path:
    """Signed; its installer leaves a mark where it was run, instead of installing."""
    folder = tmp_path / "wheels"
    (folder / "deploy").mkdir(parents=True)
    (folder / f"sabot-{version('sabot')}-py3-none-any.whl").write_bytes(b"PK\5\6" + bytes(18))
    script = folder / "deploy/install.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s" "$*" >"{tmp_path}/{RAN}"\n')
    script.chmod(0o755)
    return folder


def sign(wheelhouse: Path, key: str = "maker.key") -> None:
    done = CliRunner().invoke(
        app, ["sign", "wheels", str(wheelhouse), "--key", str(wheelhouse.parent / key)]
    )
    assert done.exit_code == 0, done.output


def update(pc: Path, wheelhouse: Path, script: Path | None = None) -> tuple[int, str]:
    """With the installed script, unless somebody calls another one."""
    done = subprocess.run(
        [script or pc / "opt/sabot/current/deploy/install.sh", "--wheelhouse", wheelhouse],
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
        env={**os.environ, "SABOT_PREFIX": str(pc)},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_release_of_the_maker_is_installed_from_a_copy_that_nobody_else_can_change(
    pc: Path, wheelhouse: Path
) -> None:
    sign(wheelhouse)
    status, said = update(pc, wheelhouse)
    assert status == 0, said
    assert f"good  release {version('sabot')}" in said
    copy = pc / "opt/sabot/incoming"
    assert (wheelhouse.parent / RAN).read_text() == f"--verified --wheelhouse {copy}"
    assert copy.stat().st_mode & 0o077 == 0


def unsigned(_: Path) -> None:
    pass


def changed(wheelhouse: Path) -> None:
    sign(wheelhouse)
    script = wheelhouse / "deploy/install.sh"
    script.write_text(script.read_text() + "# evil\n")


def added(wheelhouse: Path) -> None:
    sign(wheelhouse)
    (wheelhouse / "evil-1-py3-none-any.whl").touch()


def linked(wheelhouse: Path) -> None:
    sign(wheelhouse)
    (wheelhouse / "deploy/systemd").symlink_to("/etc")


def removed(wheelhouse: Path) -> None:
    (wheelhouse / "requirements-table.lock").write_text("x==1")
    sign(wheelhouse)
    (wheelhouse / "requirements-table.lock").unlink()


def of_somebody_else(wheelhouse: Path) -> None:
    signing.make_key(wheelhouse.parent / "evil.key", wheelhouse / "maker.pub")
    sign(wheelhouse, "evil.key")


def older(wheelhouse: Path) -> None:
    (wheel,) = wheelhouse.glob("sabot-*.whl")
    wheel.rename(wheelhouse / "sabot-0.0.1-py3-none-any.whl")
    sign(wheelhouse)


def list_edited(wheelhouse: Path) -> None:
    sign(wheelhouse)
    (wheelhouse / "more").touch()
    made = release.listed(wheelhouse, version("sabot"))
    (wheelhouse / release.LIST).write_bytes(msgspec.json.encode(made))


ATTACKS: dict[Callable[[Path], None], str] = {
    unsigned: "No such file",
    changed: "deploy/install.sh: changed",
    added: "evil-1-py3-none-any.whl: not listed",
    linked: "is no plain file",
    removed: "requirements-table.lock: missing",
    of_somebody_else: "is not as it was signed",
    older: "the faults of an older one are known",
    list_edited: "is not as it was signed",
}


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(
            attack,
            id=attack.__name__,
            marks=() if attack in (changed, unsigned) else pytest.mark.second_tier,
        )
        for attack in ATTACKS
    ],
)
def test_any_other_release_is_refused_and_nothing_of_it_is_run(
    attack: Callable[[Path], None], pc: Path, wheelhouse: Path
) -> None:
    attack(wheelhouse)
    status, said = update(pc, wheelhouse)
    assert status == 1
    assert ATTACKS[attack] in said
    assert "is not taken, and nothing of it was run" in said
    assert not (wheelhouse.parent / RAN).exists()
    assert not (pc / "opt/sabot/incoming").exists()


def test_called_from_the_new_release_the_installed_one_looks_first(
    pc: Path, wheelhouse: Path
) -> None:
    """Somebody calls the new release's own script, as the first manuals said."""
    mark = (wheelhouse / "deploy/install.sh").read_text()
    for name in ("install.sh", "release.sh"):
        shutil.copy(DEPLOY / name, wheelhouse / "deploy" / name)
    changed(wheelhouse)
    status, said = update(pc, wheelhouse, wheelhouse / "deploy/install.sh")
    assert (status, "deploy/install.sh: changed" in said) == (1, True)
    (wheelhouse / "deploy/install.sh").write_text(mark)


@pytest.fixture
def floor_pc(pc: Path) -> Path:
    """The same with a floor's release, which lies elsewhere."""
    shutil.move(pc / "opt/sabot/current", pc / "opt/sabot-floor")
    shutil.move(pc / "etc/sabot", pc / "etc/sabot-floor")
    (pc / "etc/sabot-floor/floor.toml").touch()
    return pc


@pytest.mark.parametrize("evil", [False, True])
def test_floors_release_is_looked_at_by_the_installed_one(
    floor_pc: Path, wheelhouse: Path, evil: bool
) -> None:
    (wheelhouse / "deploy/floor").mkdir()
    script = (wheelhouse / "deploy/install.sh").rename(wheelhouse / "deploy/floor/install.sh")
    sign(wheelhouse)
    if evil:
        script.write_text(script.read_text() + "# evil\n")
    status, said = update(
        floor_pc, wheelhouse, floor_pc / "opt/sabot-floor/deploy/floor/install.sh"
    )
    ran = floor_pc.parent / RAN
    assert (status, ran.exists()) == ((1, False) if evil else (0, True)), said
    assert ("deploy/floor/install.sh: changed" in said) is evil
    if not evil:
        assert ran.read_text().startswith(f"--verified --wheelhouse {floor_pc}/opt/sabot-floor")


def test_checkout_is_signed_by_nobody_and_refused_where_a_maker_is_trusted(
    pc: Path,
) -> None:
    done = subprocess.run(
        [pc / "opt/sabot/current/deploy/install.sh"],
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
        env={**os.environ, "SABOT_PREFIX": str(pc)},
    )  # fmt: skip
    assert done.returncode == 1
    shown = signing.fingerprint(pc / "etc/sabot/maker.pub")
    assert f"takes releases of key {shown} alone" in done.stderr


def test_package_is_verified_by_its_signature(tmp_path: Path) -> None:
    signing.make_key(tmp_path / "maker.key", tmp_path / "maker.pub")
    package = tmp_path / "sabot_1_amd64.deb"
    package.write_bytes(b"!<arch>\n")
    words = ["verify-release", str(package), "--key", str(tmp_path / "maker.pub")]
    assert isinstance(CliRunner().invoke(app, words).exception, release.BadRelease)
    CliRunner().invoke(app, ["sign", "file", str(package), "--key", str(tmp_path / "maker.key")])
    assert "good  sabot_1_amd64.deb, as key" in CliRunner().invoke(app, words).output
    package.write_bytes(b"!<arch>\nevil")
    assert isinstance(CliRunner().invoke(app, words).exception, release.BadRelease)


@pytest.mark.parametrize("paper", ["", "right", "wrong"])
def test_first_install_says_whom_it_trusts(tmp_path: Path, wheelhouse: Path, paper: str) -> None:
    """Up to where packages would be installed: what is said before is what counts."""
    shown = signing.make_key(tmp_path / "maker.key", wheelhouse / "maker.pub")
    sign(wheelhouse)
    said = _first_words(wheelhouse, {"": "", "right": shown, "wrong": "0000-0000-0000-0000"}[paper])
    if paper == "wrong":
        assert f"this release is of key {shown}, and your paper says" in said
        assert "COMPARE" not in said
    else:
        assert f"Every file of this release is as the holder of key {shown} signed it" in said
        assert "COMPARE THE KEY WITH YOUR PAPER" in said
        assert "you\ntrust this program" in said


def odd_name(wheelhouse: Path) -> None:
    """A name that the list cannot give to Debian's tools as one line."""
    (wheelhouse / "two\nlines").touch()
    sign(wheelhouse)


def signature_cut(wheelhouse: Path) -> None:
    sign(wheelhouse)
    (wheelhouse / "release.json.sig").write_text("AAAA\n")


def of_another_key(wheelhouse: Path) -> None:
    sign(wheelhouse)
    signing.make_key(wheelhouse.parent / "evil.key", wheelhouse.parent / "evil.pub")
    shutil.copy(wheelhouse.parent / "evil.pub", wheelhouse / "maker.pub")


def emptied(wheelhouse: Path) -> None:
    """A list of nothing, well signed: nothing of the folder is on it."""
    sign(wheelhouse)
    listing = release.listed(wheelhouse / "deploy", version("sabot"))
    data = msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(listing, files={})))
    (wheelhouse / release.LIST).write_bytes(data)
    signed = signing.sign(data, wheelhouse.parent / "maker.key")
    (wheelhouse / "release.json.sig").write_bytes(signed)


FIRST_ATTACKS: dict[Callable[[Path], None], str] = {
    unsigned: "release.json is not as key",
    changed: "deploy/install.sh: FAILED",
    added: "not on the maker's list, and nothing is installed: evil-1-py3-none-any.whl",
    linked: "is no plain file",
    removed: "requirements-table.lock: FAILED open or read",
    list_edited: "release.json is not as key",
    odd_name: "not as the maker listed it",
    signature_cut: "release.json is not as key",
    of_another_key: "release.json is not as key",
    emptied: "not as the maker listed it",
}


@pytest.mark.parametrize("attack", FIRST_ATTACKS, ids=lambda each: each.__name__)
def test_first_install_verifies_what_is_signed_by_debians_own_tools(
    attack: Callable[[Path], None], tmp_path: Path, wheelhouse: Path
) -> None:
    signing.make_key(tmp_path / "maker.key", wheelhouse / "maker.pub")
    attack(wheelhouse)
    said = _first_words(wheelhouse, "")
    assert FIRST_ATTACKS[attack] in said
    assert "COMPARE" not in said


def test_without_openssl_a_first_install_says_that_nothing_was_checked(
    tmp_path: Path, wheelhouse: Path
) -> None:
    shown = signing.make_key(tmp_path / "maker.key", wheelhouse / "maker.pub")
    sign(wheelhouse)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("base64", "sha256sum", "cut", "sed", "bash"):
        (tools / name).symlink_to(shutil.which(name) or "")
    assert "NO SIGNATURE WAS CHECKED" in _first_words(wheelhouse, "", str(tools))
    told = _first_words(wheelhouse, shown, str(tools))
    assert "openssl is missing, and without it no signature is checked" in told
    assert "COMPARE" not in told


def test_first_install_of_nobodys_release_says_so(wheelhouse: Path) -> None:
    assert "NOBODY HAS SIGNED THIS RELEASE" in _first_words(wheelhouse, "")


@pytest.mark.parametrize("name", ["install.sh", "floor/install.sh"])
def test_nothing_is_installed_before_the_release_was_looked_at(name: str) -> None:
    """Debian's packages come from Debian, and still after the look."""
    script = (DEPLOY / name).read_text()
    steps = script[script.rindex("\nby_the_installed_release\n") :]
    looked = steps.index("[ $offline = no ] || say_whom_it_trusts")
    assert looked < steps.index("need_packages") < steps.index("make_release")


@pytest.mark.parametrize("attacked", [False, True])
def test_what_the_manual_says_to_look_at_first_finds_a_changed_list(
    tmp_path: Path, wheelhouse: Path, attacked: bool
) -> None:
    signing.make_key(tmp_path / "maker.key", tmp_path / "maker.pub")
    wheelhouse = wheelhouse.rename(tmp_path / "wheelhouse")
    shutil.copy(DEPLOY / "release.sh", wheelhouse / "deploy/release.sh")
    (list_edited if attacked else sign)(wheelhouse)
    manual = (DEPLOY / "manual/install.md").read_text()
    block = manual.partition("### Look before")[2].partition("```sh\n")[2].partition("```")[0]
    done = subprocess.run(
        ["bash", "-ec", block], cwd=tmp_path, capture_output=True, text=True,
        timeout=LIMIT_S, check=False, env={**os.environ, "FILE": "wheelhouse/release.json"},
    )  # fmt: skip
    assert ("Signature Verified Successfully" in done.stdout) is not attacked, done.stderr
    assert (done.returncode == 0) is not attacked
    if not attacked:
        for name in ("install.sh", "release.sh"):
            assert done.stdout.count(digest_of(wheelhouse / "deploy" / name)) == 2


def _first_words(wheelhouse: Path, paper: str, path: str = "") -> str:
    """The installers' own function, without what they would install."""
    given = f'verified=no; etc=/nonexistent; wheels="{wheelhouse}"; maker="{paper}"'
    run = "\n".join(("set -eu", f'. "{DEPLOY}/release.sh"', given, "say_whom_it_trusts"))
    done = subprocess.run(
        [shutil.which("bash") or "", "-c", run],
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
        env={**os.environ, "PATH": path or os.environ["PATH"]},
    )  # fmt: skip
    return done.stdout + done.stderr

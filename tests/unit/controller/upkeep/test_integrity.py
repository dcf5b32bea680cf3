"""A changed program is not asked whether it is: what is checked before all is imported."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.upkeep import files, integrity, signing

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


# --- the key's place is said outside the file -----------------------------------------------------


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """A configuration that the site signed, its key in the usual place."""
    file = tmp_path / "etc" / "table.toml"
    file.parent.mkdir()
    file.write_text("[table]\nminimum = 100\n")
    signing.make_key(tmp_path / "site.key", file.parent / "site.pub")
    sign(file)
    return file


def sign(file: Path, key: str = "site.key") -> None:
    made = signing.sign(file.read_bytes(), file.parents[1] / key)
    file.with_name("table.toml.sig").write_bytes(made)


def found_bad(file: Path, outside: Path | None = None) -> list[str]:
    integrity.bad.cache_clear()
    return [each.text for each in integrity.bad(file, outside)]


def test_a_signed_configuration_is_good_whatever_it_names(signed: Path) -> None:
    assert found_bad(signed) == []
    signed.write_text(f'[checks]\nsite_key = "{signed.parent}/site.pub"\n')
    sign(signed)
    assert found_bad(signed) == []


def test_taking_the_line_with_the_key_out_does_not_make_it_good(signed: Path) -> None:
    signed.write_text(f'[checks]\nsite_key = "{signed.parent}/site.pub"\n[table]\nminimum = 100\n')
    sign(signed)
    signed.write_text("[table]\nminimum = 1\n")
    assert "is not as it was signed" in found_bad(signed)[0]


def test_taking_the_signature_away_does_not_make_it_good(signed: Path) -> None:
    signed.with_name("table.toml.sig").unlink()
    assert found_bad(signed) == [f"{signed}.sig: No such file or directory"]


def test_taking_the_key_away_does_not_make_it_good(signed: Path) -> None:
    (signed.parent / "site.pub").unlink()
    assert "and no key to check it by" in found_bad(signed)[0]


def test_naming_a_key_of_ones_own_does_not_make_it_good(signed: Path) -> None:
    signing.make_key(signed.parents[1] / "own.key", signed.parent / "own.pub")
    signed.write_text(f'[checks]\nsite_key = "{signed.parent}/own.pub"\n')
    sign(signed, "own.key")
    assert "the file may not name another" in found_bad(signed)[0]


def test_a_file_that_is_no_toml_any_more_is_held_to_its_signature_too(signed: Path) -> None:
    signed.write_text("[checks\n")
    assert "is not as it was signed" in found_bad(signed)[0]


def test_key_elsewhere_is_said_on_the_command_line(signed: Path) -> None:
    (signed.parent / "site.pub").rename(signed.parents[1] / "elsewhere.pub")
    place = signed.parents[1] / "elsewhere.pub"
    assert found_bad(signed, place) == []
    for words in (
        ["run", "--config", str(signed), "--site-key", str(place)],
        ["verify-files", f"--site-key={place}", f"--config={signed}"],
    ):
        integrity.bad.cache_clear()
        assert integrity.check_before_import(words) == ()
    place.unlink()
    assert "is not there" in found_bad(signed, place)[0]


def test_a_file_of_nobody_is_not_checked_and_a_key_that_only_it_names_still_counts(
    signed: Path,
) -> None:
    other = signed.parents[1] / "bench" / "table.toml"
    other.parent.mkdir()
    other.write_text("[table]\nminimum = 1\n")
    assert found_bad(other) == []
    other.write_text(f'[checks]\nsite_key = "{signed.parent}/site.pub"\n')
    assert found_bad(other) == [f"{other}.sig: No such file or directory"]
    sign(other)
    assert found_bad(other) == []


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed release, signed by its maker; gives the configuration's folder."""
    site, etc = tmp_path / "site-packages", tmp_path / "etc"
    site.mkdir()
    etc.mkdir()
    (site / "program.py").write_text("print()\n")
    digest = files.digest_of(site / "program.py")
    data = json.dumps({"format": 1, "release": "1", "files": {"program.py": digest}}).encode()
    signing.make_key(tmp_path / "maker.key", etc / "maker.pub")
    (tmp_path / "manifest.json").write_bytes(data)
    (tmp_path / "manifest.json.sig").write_bytes(signing.sign(data, tmp_path / "maker.key"))
    monkeypatch.setattr(integrity, "RELEASE", tmp_path)
    return etc


def test_taking_the_manifests_lines_out_does_not_make_a_changed_program_good(
    release: Path,
) -> None:
    site = release.parent / "site-packages"
    assert integrity.installed(None, None, site, release).good
    (site / "program.py").write_text("print('mine')\n")
    found = integrity.installed(None, None, site, release)
    assert not found.good
    assert "program.py: changed" in found.text


@pytest.mark.parametrize("gone", ["etc/maker.pub", "manifest.json", "manifest.json.sig"])
def test_taking_one_of_the_makers_files_away_does_not_make_it_good(
    release: Path, gone: str
) -> None:
    (release.parent / gone).unlink()
    assert not integrity.installed(None, None, release.parent / "site-packages", release).good


def test_a_maker_of_ones_own_is_not_the_maker(release: Path) -> None:
    folder = release.parent
    signing.make_key(folder / "own.key", folder / "own.pub")
    data = (folder / "manifest.json").read_bytes()
    (folder / "manifest.json.sig").write_bytes(signing.sign(data, folder / "own.key"))
    found = integrity.installed(None, str(folder / "own.pub"), folder / "site-packages", release)
    assert "the file may not name another" in found.text
    assert not integrity.installed(None, None, folder / "site-packages", release).good

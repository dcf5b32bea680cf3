"""Makers' emulators beside ours: one whose name cannot be is named and harms no other."""

import re
from pathlib import Path

import pytest

from drivers.registry import EMULATORS_WORDS
from simulators import registry
from simulators.__main__ import main
from simulators.registry import BrokenEmulator, find, names
from support.devices.packages import installed

GROUP = "sabot.emulators"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that Python looks for packages in."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_words_are_the_sub_commands_that_are_no_devices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["no_such_word"])
    listed = capsys.readouterr().err.rpartition("choose from ")[2]
    assert set(re.findall(r"\w+", listed)) - set(names()) == registry.WORDS
    assert registry.WORDS == EMULATORS_WORDS, "the product has them a second time"


@pytest.mark.parametrize("word", sorted(registry.WORDS))
def test_an_emulator_named_as_a_word_is_told_of_and_the_others_run(
    word: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(path, "acme-sabot", GROUP, f"{word} = acme_emulator\nacme_shoe = acme_emulator")
    assert main(["settings", "shoe_angel_eye"]) == 0
    told = capsys.readouterr()
    assert "command_bcc" in told.out
    (line,) = told.err.splitlines()
    assert f"emulator {word!r} in acme_emulator (package acme-sabot) cannot be used" in line
    assert names() == [*registry.DEVICES, "acme_shoe"]
    with pytest.raises(BrokenEmulator, match="a word of `python -m simulators`"):
        find(word)


def test_of_two_packages_with_one_name_both_are_named_and_none_is_used(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in ("acme", "bolt"):
        installed(path, package, GROUP, f"acme_shoe = {package}_emulator")
    assert names() == list(registry.DEVICES)
    assert main(["acme_shoe", "--pty", "x"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "acme_emulator (package acme) and bolt_emulator (package bolt) cannot be used" in line


def test_an_emulator_that_takes_one_of_our_names_is_told_of_and_ours_is_used(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(path, "acme", GROUP, "shoe_angel_eye = acme_emulator")
    assert main(["settings", "shoe_angel_eye"]) == 0
    told = capsys.readouterr()
    assert "command_bcc" in told.out
    (line,) = told.err.splitlines()
    assert "'shoe_angel_eye' in acme_emulator (package acme) cannot be used" in line

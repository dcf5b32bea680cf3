"""The name of a maker's package: one that Python can import and nothing else has."""

from pathlib import Path

import pytest

from controller.hil import new_driver
from controller.hil.new_driver import CannotWrite
from drivers.registry import EMULATORS_WORDS
from support.rows import each_row


@each_row(
    "name, says",
    [
        ("Acme-Shoe", "is no name for a driver"),
        ("class", "is no name for a driver"),
        ("a" * 41, "is no name for a driver"),
        ("shoe_feed", "there is a driver"),
        ("json", "Python has a module 'json'"),
        ("tests", "the package's own tests"),
        *((word, "a word of `python -m simulators`") for word in sorted(EMULATORS_WORDS)),
        ("pyserial", "pip would uninstall it"),
        ("argon2_cffi", "pip would uninstall it"),
        ("sabot", "pip would uninstall it"),
    ],
)
def test_a_name_that_could_not_be_imported_or_is_taken_is_refused(
    name: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(CannotWrite, match=says) as refused:
        new_driver.write(name, tmp_path)
    assert "\n" not in str(refused.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("folder", ["Zeta.Shoe", "zeta_shoe", "ZETA_Shoe"])
def test_an_installed_package_is_known_however_its_name_is_written(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / f"{folder}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: Zeta.Shoe\nVersion: 1.0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CannotWrite, match="'zeta_shoe' is installed"):
        new_driver.write("zeta_shoe", tmp_path)


def test_a_package_whose_emulator_would_hide_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zeta_shoe_emulator.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CannotWrite, match="zeta_shoe_emulator"):
        new_driver.write("zeta_shoe", tmp_path)

"""The name of a maker's package: one that Python can import and nothing else has."""

from pathlib import Path

import pytest

from controller.bench import new_driver
from controller.bench.new_driver import CannotWrite


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Acme-Shoe", "is no name for a driver"),
        ("class", "is no name for a driver"),
        ("a" * 41, "is no name for a driver"),
        ("shoe_feed", "there is a driver"),
        ("json", "Python has a module 'json'"),
        ("tests", "the package's own tests"),
    ],
)
def test_a_name_that_could_not_be_imported_or_is_taken_is_refused(
    name: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(CannotWrite, match=says):
        new_driver.write(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_package_whose_emulator_would_hide_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zeta_shoe_emulator.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CannotWrite, match="zeta_shoe_emulator"):
        new_driver.write("zeta_shoe", tmp_path)

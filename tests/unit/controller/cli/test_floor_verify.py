"""`sabot floor verify FILE...`"""

from pathlib import Path

from typer.testing import CliRunner

from controller.cli import app
from controller.journal.keys.signing import text_of
from support.floor.archives import FLOOR, OTHER, archived


def said(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["floor", "verify", *words])
    return result.exit_code, result.output


def test_a_good_file_is_told_with_whose_it_is(tmp_path: Path) -> None:
    file = str(archived(tmp_path / "one.sabot").file)
    code, told = said(file)
    assert code == 0
    assert told.startswith(f"{file}: good: sands/bac-03 history 1 month 2026-11, records 1 to 10, ")
    for key in (FLOOR.public.hex(), FLOOR.public.hex().upper(), text_of(FLOOR.public)):
        assert said(file, "--key", key) == (0, told)


def test_one_bad_file_among_good_ones_is_named(tmp_path: Path) -> None:
    good = str(archived(tmp_path / "good.sabot").file)
    bad = str(archived(tmp_path / "bad.sabot", signer=OTHER).file)
    code, told = said(good, bad, "--key", FLOOR.public.hex())
    assert code == 1
    assert f"{good}: good: " in told
    assert f"{bad}: bad: it is signed by another key than the one that was given\n" in told


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    file = str(archived(tmp_path / "one.sabot").file)
    for text in ("", "zz" * 32, "abc"):
        code, told = said(file, "--key", text)
        assert code == 2
        assert "public key" in told


def test_a_file_that_cannot_be_read_is_not_said_to_be_bad(tmp_path: Path) -> None:
    good, none = str(archived(tmp_path / "good.sabot").file), str(tmp_path / "none")
    line = f"{none}: it cannot be read: No such file or directory\n"
    assert said(none) == (2, line)
    code, told = said(good, none, "--key", FLOOR.public.hex())
    assert code == 2
    assert told.endswith(line)
    assert said(good, none, "--key", OTHER.public.hex())[0] == 1, "a bad one is bad all the same"

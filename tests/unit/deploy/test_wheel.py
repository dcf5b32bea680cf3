"""What a table PC gets: all that runs, nothing else, and the same bytes from every build."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from simulators import registry

ROOT = Path(__file__).parents[3]
PACKAGES = ("controller", "drivers", "simulators")
KIT = "drivers/testing/"
MANUAL = "controller/console/manual/pages/"
KINDS = {
    ".py",
    ".json",
    ".toml",
    ".html",
    ".css",
    ".js",
    ".svg",
    ".typed",
    ".woff2",
    ".txt",
    ".sql",
}
"""What is run, read by what is run, or served; no text for readers of the source."""


@pytest.fixture(scope="module")
def included() -> set[str]:
    return {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}


def test_every_file_of_the_packages_that_is_needed_is_in_the_wheel(included: set[str]) -> None:
    files = {
        str(file.relative_to(ROOT))
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".md", ".ts")
    }
    assert files - included == set()
    assert "controller/messages/languages/en.json" in included
    assert "controller/console/static/signin.html" in included


def test_nothing_is_in_the_wheel_that_a_table_pc_does_not_need(included: set[str]) -> None:
    """Except for the makers' kit, which holds tests on purpose and is imported by nothing that runs
    at a table, and the manual, which the table serves."""
    assert {path.split("/")[0] for path in included} == set(PACKAGES)
    run = {path for path in included if not path.startswith((KIT, MANUAL))}
    assert {Path(path).suffix for path in run} <= KINDS
    assert [path for path in run if "test" in Path(path).stem.split("_")[:1]] == []
    assert [path for path in run if "conftest" in path] == []
    assert [path for path in included if "__pycache__" in path] == []


def test_manual_is_in_the_wheel_with_its_pictures(included: set[str]) -> None:
    pages = {path.removeprefix(MANUAL) for path in included if path.startswith(MANUAL)}
    folder = ROOT / "deploy" / "manual"
    assert pages == {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}


def test_the_makers_kit_is_whole(included: set[str]) -> None:
    kit = (ROOT / KIT).rglob("*")
    files = {str(path.relative_to(ROOT)) for path in kit if path.is_file()}
    assert {path for path in files if "__pycache__" not in path} <= included
    assert f"{KIT}template/example_shoe/PROTOCOL.md" in included


def test_emulators_in_the_wheel_are_what_the_demo_can_start(included: set[str]) -> None:
    """`sabot demo` starts `python -m simulators` with any shoe and any shuffler, a page and a
    robot: every folder is one of those, or carries them."""
    folders = {path.split("/")[1] for path in included if path.startswith("simulators/")}
    carries = {"__init__.py", "__main__.py", "registry.py", "py.typed", "kit", "wire"}
    assert folders == set(registry.DEVICES) | carries | {
        "console_robot",
        "dealer",
        "floor",
        "panel",
    }


def built(source: Path, out: Path) -> bytes:
    (path,) = WheelBuilder(str(source)).build(directory=str(out), versions=["standard"])
    return Path(path).read_bytes()


def test_two_builds_are_equal_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere, at another time, by somebody with another umask and another zone."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    copies = tmp_path / "here", tmp_path / "elsewhere" / "deeper"
    for copy in copies:
        copy.mkdir(parents=True)
        for name in (*PACKAGES, "deploy/manual", "pyproject.toml", "README.md", "LICENSE"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / name)
    for number, file in enumerate(sorted(copies[1].rglob("*"))):
        os.utime(file, (number, number))
        if file.is_file():
            file.chmod(0o600)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    first, second = (built(copy, tmp_path / f"out-{copy.name}") for copy in copies)
    assert first == second
    (wheel,) = (tmp_path / "out-here").glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        assert len({each.date_time for each in opened.infolist()}) == 1

"""What a table PC gets is all there is: pages, catalogues and schemas are in the wheel."""

from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[3]


def test_every_file_of_the_packages_is_in_the_wheel() -> None:
    included = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    packages = [ROOT / name for name in ("controller", "drivers", "simulators")]
    files = {
        str(file.relative_to(ROOT))
        for package in packages
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert files - included == set()
    assert "controller/sentences/languages/en.json" in included
    assert "controller/console/static/index.html" in included

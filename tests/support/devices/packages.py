"""A maker's package as pip leaves it: a folder on the path that says what it holds."""

from pathlib import Path


def installed(into: Path, package: str, group: str, points: str) -> None:
    """Its name and its entry points; what they name is written by whoever needs it."""
    info = into / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {package}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{points}\n", encoding="utf-8")

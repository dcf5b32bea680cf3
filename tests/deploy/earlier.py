"""Wheelhouses of releases that tables in the field still run, made from the history here."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from deploy.nspawn import ROOT
from deploy.table_pc import MAKER_KEY


@dataclass(frozen=True)
class Earlier:
    """A release, and the form of the records it writes."""

    name: str
    commit: str
    form: int


EARLIER: Final = (
    Earlier("0.1.0", "d3aa0ad45af7f8719dc1cf325e88d9b71338de2f", 2),
    Earlier("0.2.0-form-3", "19e342032770b240b42a65655e853949e66339cd", 3),
)
"""No installed table ever wrote form 1: the installer is as old as form 2."""


def earlier_release(release: Earlier, folder: Path) -> Path:
    """Its wheelhouse, by its own Makefile, with its own lock and signed by its own code.

    Only the tools that build are today's, because an environment of its own would take minutes. A
    clone without the history leaves the test out, which fails it where CI=true.
    """
    packed = folder / "source.tar"
    archive: list[str | Path] = ["git", "-C", ROOT, "archive", f"--output={packed}", release.commit]
    found = subprocess.run(archive, capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"no {release.name} in this clone (git fetch --unshallow): {found.stderr}")
    print(f"Making the wheelhouse of {release.name}.", flush=True)  # noqa: T201
    source = folder / "source"
    source.mkdir()
    subprocess.run(["tar", "-xf", packed, "-C", source], check=True)
    (source / ".venv").symlink_to(ROOT / ".venv")
    make: list[str | Path] = ["make", "-C", source, "--old-file=.venv/.dev"]
    make += ["wheelhouse", f"SIGN_KEY={MAKER_KEY}"]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    subprocess.run(make, env=environment, check=True, stdout=subprocess.DEVNULL)
    return source / "dist" / "wheelhouse"

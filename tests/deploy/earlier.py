"""The wheelhouse of an earlier build that writes this record format, made from the history."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from controller.journal.records import RECORD_FORMAT
from deploy.nspawn import ROOT
from deploy.table_pc import FORMAT, MAKER_KEY
from deploy.wheels import other_release


def earlier_build(folder: Path) -> Path:
    """Of the newest commit whose product differs from this tree and which writes the same format;
    where there is none, of this tree once more, as another release."""
    commit = next(_commits(), None)
    if commit is not None:
        return _built(commit, folder)
    other_release(folder / "wheelhouse", newer_records=False)
    return folder / "wheelhouse"


def _commits() -> Iterator[str]:
    """The first one tells: a commit before it writes the format of an earlier time."""
    for commit in _git("rev-list", "HEAD", "--", "controller", "drivers").stdout.split():
        text = _git("show", f"{commit}:{FORMAT}").stdout
        if f"\nRECORD_FORMAT: Final = {RECORD_FORMAT}\n" not in text:
            return
        if _git("diff", "--quiet", commit, "--", "controller", "drivers").returncode:
            yield commit


def _built(commit: str, folder: Path) -> Path:
    """By its own Makefile, with its own lock and signed by its own code; only the tools that build
    are today's, because an environment of its own would take minutes."""
    packed, source = folder / "source.tar", folder / "source"
    print(f"Making the wheelhouse of {commit}.", flush=True)  # noqa: T201
    _git("archive", f"--output={packed}", commit).check_returncode()
    source.mkdir()
    subprocess.run(["tar", "-xf", packed, "-C", source], check=True)
    (source / ".venv").symlink_to(ROOT / ".venv")
    make: list[str | Path] = ["make", "-C", source, "--old-file=.venv/.dev"]
    make += ["wheelhouse", f"SIGN_KEY={MAKER_KEY}"]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    subprocess.run(make, env=environment, check=True, stdout=subprocess.DEVNULL)
    return source / "dist" / "wheelhouse"


def _git(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)

"""`sabot hil`: the contract suite on a real unit. It runs from a checkout, where the tests are."""

import importlib.util
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import typer

import controller
from drivers.errors import DeviceError

CHECKOUT: Final = Path(controller.__file__).resolve().parents[1]


class NotACheckout(DeviceError):
    """Installed without its tests; says how to get them."""


def register(app: typer.Typer) -> None:
    app.command("hil")(hil)


def hil(
    rig: Annotated[
        Path | None,
        typer.Argument(help="the file that names the unit; without it the emulators are tested"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="where report, JUnit and capture go; a new folder here")
    ] = None,
    story: Annotated[
        list[str] | None,
        typer.Option(help="play this story of tests/scenario/stories too; again for more"),
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="print a rig file to fill in")] = False,
) -> None:
    """Hold a real unit on a bench to the contract of its driver. You are told what to do.

    Exit status 0: passed; 1: not passed; 10: it is not the unit that the rig file names."""
    suite = CHECKOUT / "tests" / "hil"
    if not suite.is_dir() or importlib.util.find_spec("pytest") is None:
        raise NotACheckout(
            "sabot hil runs from a checkout with its test tools: clone Sabot, run `make test` "
            "there once, then `.venv/bin/sabot hil rig.toml`. On a table PC `sabot device "
            "test-deck` tries a unit"
        )
    if example:
        typer.echo((suite / "rig.example.toml").read_text(encoding="utf-8"), nl=False)
        return
    # Only the plugin the suite needs: others shuffle tests or run them side by side.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_timeout", str(suite)]
    if rig is not None:
        kept = out or Path(f"hil-{rig.stem}-{time.strftime('%Y%m%d-%H%M%S')}")
        command += ["-s", "--rig", str(rig.absolute()), "--rig-out", str(kept.absolute())]
        for each in story or ():
            command += ["--rig-story", each]
        if story:
            command.append(str(CHECKOUT / "tests" / "scenario" / "test_stories.py"))
    elif out is not None or story:
        raise typer.BadParameter("--out and --story are for a rig: name its file")
    os.chdir(CHECKOUT)
    sys.stdout.flush()
    # In place of this process, so that Ctrl-C and the exit status are the suite's own.
    os.execv(command[0], command)

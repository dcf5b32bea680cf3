"""Tools for makers: `sabot driver new` creates a package, `sabot hil` tests a driver against the
contract, on a real unit or on its emulator; both from a checkout or from the wheel alone.
"""

import importlib.util
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import typer

import drivers
from controller.hil import new_driver
from drivers import registry
from drivers.errors import DeviceError

TESTING: Final = Path(drivers.__file__).resolve().parent / "testing"
"""Its code runs in a separate program and is not imported here."""
STORIES: Final = TESTING.parents[1] / "tests" / "scenario" / "test_stories.py"
NEEDS: Final = ("pytest", "pytest_timeout", "hypothesis")


class NoTestTools(DeviceError):
    """The test tools are not installed; the message states how to install them."""


driver_app = typer.Typer(help="For makers: start a driver package of your own.")


def register(app: typer.Typer) -> None:
    app.command("hil")(hil)
    app.add_typer(driver_app, name="driver")


@driver_app.callback()
def _group() -> None:
    """For makers: start a driver package of your own."""


@driver_app.command("new")
def driver_new(
    name: Annotated[str, typer.Argument(help="name of driver and package, like acme_shoe")],
    into: Annotated[Path, typer.Option(help="folder for the new package")] = Path(),
) -> None:
    """Write a package that passes the suite: sheet, codec, driver, emulator, vectors, tests."""
    for path in new_driver.write(name, into):
        typer.echo(path)
    typer.echo(
        f"\nIt works as it is, for a fictional shoe. Next, in {into / name}:\n"
        "  pip install -e '.[test]' && pytest\n"
        "then fill in PROTOCOL.md and adapt it: README.md gives the order."
    )


def hil(
    rig: Annotated[
        Path | None,
        typer.Argument(help="file that names the unit; emulators are tested without it"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="folder for report, JUnit and capture; a new one by default")
    ] = None,
    driver: Annotated[
        str | None, typer.Option(help="only this driver on its emulator; all by default")
    ] = None,
    story: Annotated[
        list[str] | None,
        typer.Option(help="play this story of tests/scenario/stories too; again for more"),
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="print a rig file to fill in")] = False,
) -> None:
    """Test a real unit on a bench against its driver's contract, step by step.

    Exit status 0: passed; 1: not passed, or the test tools are not installed; 2: stopped before its
    end; 4: the rig file or the folder cannot be used; 10: it is not the unit that the rig file
    names."""
    if example:
        text = (TESTING / "bench" / "rig.example.toml").read_text(encoding="utf-8")
        typer.echo(text, nl=False)
        return
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        raise NoTestTools(
            f"sabot hil needs {', '.join(missing)}: pip install 'sabot[hil]'. On a table PC "
            "`sabot device test-deck` tries a unit without them"
        )
    if rig is None and (out is not None or story):
        raise typer.BadParameter("--out and --story are for a rig: name its file")
    if rig is not None and driver is not None:
        raise typer.BadParameter("the rig file names the driver: leave --driver out")
    if story and not STORIES.is_file():
        raise NoTestTools("stories are played from a checkout of Sabot: leave --story out")
    # Only the plugins the suite needs: others shuffle tests or run them side by side.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [*_suite(bool(story)), *_on_rig(rig, out, story), *_of(driver)]
    sys.stdout.flush()
    # Replaces this process, so that Ctrl-C and the exit status are the suite's own.
    os.execv(command[0], command)


def _suite(stories: bool) -> list[str]:
    """The suite's arguments; stories need the checkout's own configuration and the rest of its
    tests."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_timeout"]
    if stories:
        os.chdir(STORIES.parents[2])
        return [*command, str(TESTING / "suite"), str(STORIES)]
    plugin = ["-p", "drivers.testing.options", "-c", str(TESTING / "hil.ini")]
    return [*command, *plugin, str(TESTING / "suite")]


def _on_rig(rig: Path | None, out: Path | None, story: list[str] | None) -> list[str]:
    if rig is None:
        return []
    kept = out or Path(f"hil-{rig.stem}-{time.strftime('%Y%m%d-%H%M%S')}")
    options = ["-s", "--rig", str(rig.absolute()), "--rig-out", str(kept.absolute())]
    for each in story or ():
        options += ["--rig-story", each]
    return options


def _of(driver: str | None) -> list[str]:
    if driver is None:
        return []
    registry.find(driver)  # raises with the nearest name
    return ["--driver", driver]

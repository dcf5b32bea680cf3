"""The command itself: what it lists, what it imports, how it ends."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from controller import cli
from controller.cli import SUBCOMMANDS, USER_ERRORS, load
from controller.upkeep.machine import hardening
from support.rows import each_row

SABOT = Path(sys.executable).with_name("sabot")


def sabot(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SABOT, *words], capture_output=True, check=False, timeout=60)


def test_bare_command_says_what_sabot_can_do() -> None:
    run = sabot()
    assert run.returncode == 0
    assert b"sabot rules settle" in run.stdout


def test_reader_that_goes_away_is_no_error() -> None:
    run = subprocess.run(
        f"{SABOT} rules show mbs-sands-super-baccarat | head -1",
        shell=True,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert run.stderr == b""


@each_row("name", SUBCOMMANDS)
def test_the_help_that_is_listed_is_the_help_of_the_subcommand(name: str) -> None:
    said = (load(name).help or "").partition("\n\n")[0]
    assert " ".join(said.split()) == SUBCOMMANDS[name].help


def test_every_subcommand_that_is_registered_is_listed() -> None:
    folder = Path(import_module("controller.cli").__path__[0])
    modules = {file.stem for file in folder.glob("[a-z]*")}
    assert modules == {each.module for each in SUBCOMMANDS.values()}
    for module in modules:
        app = typer.Typer()
        app.callback()(lambda: None)
        import_module(f"controller.cli.{module}").register(app)
        group = typer.main.get_command(app)
        assert isinstance(group, TyperGroup)
        listed = {name for name, each in SUBCOMMANDS.items() if each.module == module}
        assert set(group.commands) == listed


@each_row("module, name", USER_ERRORS)
def test_an_error_that_is_told_in_a_sentence_exists(module: str, name: str) -> None:
    assert issubclass(getattr(import_module(module), name), Exception)


def test_an_error_of_our_own_making_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("a mistake in the program")

    monkeypatch.setattr(cli, "app", broken)
    monkeypatch.setattr(hardening, "close_to_others", bool)  # this process goes on with other tests
    with pytest.raises(ValueError, match="a mistake"):
        cli.main()


def test_near_miss_is_named_and_is_wrong_usage() -> None:
    run = sabot("jurnal")
    assert run.returncode == 2
    assert b"Did you mean 'journal'?" in run.stderr


def test_help_imports_no_subcommand() -> None:
    code = (
        "import json, sys; sys.argv = ['sabot', '--help']\n"
        "from controller.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "ours = [m for m in sys.modules if m.split('.')[0] in ('controller', 'drivers')]\n"
        "print(json.dumps(ours), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    hardening = {f"controller.upkeep{each}" for each in ("", ".machine", ".machine.hardening")}
    assert set(json.loads(run.stderr)) == {"controller", "controller.cli", *hardening}


def test_help_imports_no_library_that_any_typer_program_does_not() -> None:
    helped = "import sys, msgspec, typer; sys.argv = ['sabot', '--help']\n"
    least = "program = typer.Typer(); program.command()(lambda: None); main = program\n"
    ours = "from controller.cli import main\n"
    more = _imported_by_help(helped + ours) - _imported_by_help(helped + least)
    assert more - set(sys.stdlib_module_names) == {"controller"}


def _imported_by_help(code: str) -> set[str]:
    said = "import contextlib, io, json\nwith contextlib.redirect_stdout(io.StringIO()):\n"
    said += "    with contextlib.suppress(SystemExit): main()\n"
    listed = "print(json.dumps(sorted({each.split('.')[0] for each in sys.modules})))"
    command = [sys.executable, "-c", code + said + listed]
    run = subprocess.run(command, capture_output=True, check=True, timeout=100)
    return set(json.loads(run.stdout))

"""The `sabot` command. Results go to standard output, everything else to standard error.

A subcommand is imported when it is called: `--help` needs only the table below.
"""

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Subcommand(NamedTuple):
    """The module of a subcommand, and its line in `sabot --help`."""

    module: str
    """Relative to `controller.cli`; its `register` adds the subcommand to a `Typer`."""
    help: str


SUBCOMMANDS: Final[Mapping[str, Subcommand]] = {
    "run": Subcommand("run", "Run devices, table, journal and console as one supervised service."),
    "hil": Subcommand(
        "hil", "Test a real unit on a bench against its driver's contract, step by step."
    ),
    "driver": Subcommand("hil", "For makers: start a driver package of your own."),
    "demo": Subcommand(
        "demo", "Try a table: emulated shoe and shuffler, console, ready-made accounts."
    ),
    "table": Subcommand(
        "table", "Run a table in a terminal or as JSON lines, with or without devices."
    ),
    "rules": Subcommand("rules", "The five rulebooks: read them, settle hands, compute odds."),
    "config": Subcommand("config", "Check and explain a table's configuration."),
    "schema": Subcommand(
        "schema", "Print JSON Schemas of commands, feed, configuration and records."
    ),
    "journal": Subcommand("journal", "Check a table's journal, read a round, export it."),
    "backup": Subcommand(
        "upkeep", "Back up the journal of a running table; checked before and after."
    ),
    "restore": Subcommand(
        "upkeep", "Restore a backup while the table is stopped; the old journal is moved aside."
    ),
    "retire": Subcommand(
        "upkeep",
        "Take a table PC out of service: export and verify the journal, then destroy the keys.",
    ),
    "verify-files": Subcommand(
        "upkeep", "Check every installed file and the configuration against their signatures."
    ),
    "verify-release": Subcommand(
        "upkeep", "Check that a release was signed by the maker, before it runs."
    ),
    "verify-night": Subcommand(
        "upkeep", "Check the whole journal and every installed file; a timer runs this every night."
    ),
    "can-open": Subcommand(
        "upkeep", "Check that this release can open the journal, before an update or rollback."
    ),
    "doctor": Subcommand(
        "upkeep", "Print one page on the state of this table PC, for a call to support."
    ),
    "support-bundle": Subcommand(
        "upkeep",
        "Collect data for support: no sealed card, no secret, no player's name.",
    ),
    "report": Subcommand(
        "report", "Report a shift or a day: rounds, voids, stops, turnover, house win."
    ),
    "sign": Subcommand("upkeep", "Make keys and signatures; never run it on the table PC."),
    "device": Subcommand("device", "Find, monitor, capture, replay and test shoes and shufflers."),
    "floor": Subcommand("floor", "See, record and manage many tables from one place."),
    "staff": Subcommand("staff", "Manage console accounts: roles, PINs, kiosks."),
}

USER_ERRORS: Final = (
    ("controller.config.file", "ConfigError"),
    ("controller.console.auth.private_file", "AccountsError"),
    ("controller.console.http.server", "ConsoleError"),
    ("controller.cli.floor.running", "FloorError"),
    ("controller.floor.projections.projector", "MonthsGone"),
    ("controller.floor.embedded.child_process", "EmbeddedError"),
    ("controller.floor.enrolment.authority", "EnrolError"),
    ("controller.floor.proof.form", "ProofError"),
    ("controller.floor.webhooks.http_sender", "BadAddress"),
    ("controller.floor.webhooks.subscribers", "SubscriberError"),
    ("controller.protocol.names", "BadName"),
    ("psycopg", "OperationalError"),
    ("controller.game.errors", "GameError"),
    ("controller.journal.errors", "JournalError"),
    ("controller.engine.release", "CannotGoOn"),
    ("controller.upkeep.backups", "BackupError"),
    ("controller.upkeep.machine.release", "BadRelease"),
    ("controller.upkeep.machine.retire", "CannotRetire"),
    ("controller.upkeep.signing", "BadKey"),
    ("controller.upkeep.signing", "BadSignature"),
    ("drivers.errors", "DeviceError"),
)
"""Errors that are printed as one sentence instead of a traceback: module and class, because naming
a class would import it."""


def load(name: str) -> TyperCommand | TyperGroup:
    """Import a subcommand; raises `KeyError` if there is none of that name."""
    own = typer.Typer()
    own.callback()(lambda: None)  # makes a group even of a single command
    import_module(f"controller.cli.{SUBCOMMANDS[name].module}").register(own)
    group = typer.main.get_command(own)
    assert isinstance(group, TyperGroup)
    found = group.commands[name]
    assert isinstance(found, TyperCommand | TyperGroup)
    return found


class Subcommands(TyperGroup):
    """A group that lists its subcommands by name and help, and imports only the called one."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        for name, subcommand in SUBCOMMANDS.items():
            self.add_command(TyperCommand(name, help=subcommand.help))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else load(name), rest


app = typer.Typer(
    cls=Subcommands,
    help="Sabot, the open controller for live baccarat tables.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    from controller.service import logs

    logs.configure()
    if context.invoked_subcommand is None:
        from controller.terminal import rule_pages

        rule_pages.show(rule_pages.overview())


def main() -> None:
    if sys.stdin is None or sys.stdout is None:
        sys.exit("sabot: standard input and output must be open")
    from controller.upkeep.machine.hardening import close_to_others

    close_to_others()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # for a terminal without typographic quotes
    run_command_line()


def run_command_line() -> None:
    """Run the command line; a known error ends it with one sentence."""
    try:
        app()
    except BrokenPipeError:
        # The reader closed the pipe (`| head`), which is not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if not _is_user_error(error):
            raise
        sys.exit(f"sabot: {error}")


def _is_user_error(error: Exception) -> bool:
    """Whether it is one of `USER_ERRORS`; the class of a raised error has been imported."""
    return any(
        isinstance(error, getattr(sys.modules[module], name))
        for module, name in USER_ERRORS
        if module in sys.modules
    )

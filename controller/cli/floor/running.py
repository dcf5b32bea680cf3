"""`sabot floor run`, and the maintenance of a floor's database."""

import asyncio
import getpass
import logging
import signal
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import psycopg
import typer

from controller.console.auth.accounts import Accounts, Tried
from controller.console.auth.totp import TypedCode
from controller.floor import config as configs
from controller.floor.config import CONFIG_FILE, FloorConfig
from controller.floor.projections import projector
from controller.floor.service import floor_process
from controller.floor.store import database_reset, migration
from controller.floor.web.people import may
from controller.protocol.names import TableName, checked
from controller.service import logs
from controller.table import approvals
from controller.table.approvals import Act

FROM_HERE: Final = "floor-shell"
"""The origin of a sign-in at the floor's own machine: its failures lock the account only here."""

ConfigFile = Annotated[Path, typer.Option("--config", help="the floor's TOML file")]

config_app = typer.Typer(help="A floor's configuration.")


class FloorError(Exception):
    """A command of the floor failed; the text is the reason."""


def register(app: typer.Typer) -> None:
    app.command("run")(run)
    app.command("migrate")(migrate)
    app.command("rebuild")(rebuild)
    app.command("reset")(reset)
    app.add_typer(config_app, name="config")


@config_app.command("example")
def config_example() -> None:
    """Print the whole file with every key, its meaning and its default."""
    typer.echo(configs.example(), nl=False)


@config_app.command("check")
def config_check(file: Annotated[Path, typer.Argument(help="a TOML file")]) -> None:
    """Check that a floor can start with this file."""
    found = configs.load(file)
    typer.echo(f"{file}: the floor of {found.site.name}: ready to start")


def run(config_file: ConfigFile = CONFIG_FILE) -> None:
    """Run sink, pages and projections as one supervised service."""
    config = configs.load(config_file)
    logs.configure(level=getattr(logging, config.logs.level.upper()))
    asyncio.run(_run(config))


async def _run(config: FloorConfig) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(each, stop.set)
    await floor_process.serve(config, stop, lambda found: typer.echo(f"serving {found.url}"))


def migrate(config_file: ConfigFile = CONFIG_FILE) -> None:
    """Upgrade the database to this release's schema; existing data stays."""
    config = configs.load(config_file)
    with told():
        typer.echo(f"database schema version {migration.migrate(config.database.owner)}")


def rebuild(config_file: ConfigFile = CONFIG_FILE) -> None:
    """Rebuild rounds, exceptions and hours from the records; acknowledgements stay."""
    config = configs.load(config_file)
    with told(), psycopg.connect(config.database.derive) as connection:
        typer.echo(f"rebuilt from {projector.rebuild(connection)} records")


def reset(
    table: Annotated[str, typer.Argument(help="the table, as it is enrolled")],
    reason: Annotated[str, typer.Option(help="reason, kept with the records")],
    by: Annotated[str, typer.Option("--by", help="who requests, a pit manager or above")],
    second: Annotated[str, typer.Option("--and", help="second person of that rank")],
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Begin a new history of a table whose own is another than the floor has. Takes two people with
    their PINs and codes; nothing of the old history is touched."""
    config = configs.load(config_file)
    accounts = Accounts(Path(config.web.staff))
    for who in (by, second):
        _check_person(accounts, who)
    name: TableName = checked(config.site.name, table)
    with told(), psycopg.connect(config.database.owner) as connection:
        epoch = database_reset.reset(connection, name, by, second, reason)
    typer.echo(f"{name}: history {epoch} begins; the table sends its journal from its first record")


def _check_person(accounts: Accounts, who: str) -> None:
    """Raises `FloorError` unless the person is authorised and authenticated."""
    secret, code = _typed(f"PIN of {who}: "), _typed(f"code of {who}: ")
    typed = TypedCode(code.strip().replace(" ", ""), time.time())
    found = accounts.attempt(who, secret, FROM_HERE, typed)
    if found.tried is not Tried.RIGHT or found.account is None:
        raise FloorError(f"wrong PIN or code for {who}, or the account is locked")
    if not may(found.account, Act.BEGIN_NEW_HISTORY):
        role = approvals.approval_row(Act.BEGIN_NEW_HISTORY).role.value.replace("_", " ")
        raise FloorError(f"{who} may not: needs a {role} or above")


def _typed(asks: str) -> str:
    """Read a secret: hidden at a terminal, otherwise a line of standard input."""
    return getpass.getpass(asks) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


class told:  # noqa: N801  # used as a statement
    """Turns errors of a database or a table into one sentence."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, psycopg.Error | database_reset.CannotReset):
            raise FloorError(str(error).strip()) from error

"""`sabot staff`: who may sign in to a table's console."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.config import file as config
from controller.console.auth.accounts import ROLES, Account, Accounts

staff_app = typer.Typer(help="Who may sign in to the console: accounts, roles, PINs.")


def register(app: typer.Typer) -> None:
    app.add_typer(staff_app, name="staff")


Who = Annotated[str, typer.Argument(metavar="NAME", help="the account's name, as it is recorded")]
File = Annotated[
    Path | None, typer.Option(help="the file of accounts; else the configuration names it")
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="the table's TOML file")]
FromStdin = Annotated[
    bool, typer.Option("--secret-stdin", help="read the PIN from standard input, for scripts")
]


@staff_app.command("add")
def add(
    who: Who,
    role: Annotated[str, typer.Option(help=", ".join(ROLES))],
    name: Annotated[str, typer.Option(help="the name that pages show")] = "",
    language: Annotated[str, typer.Option(help="en, zh-Hans ...")] = "en",
    file: File = None,
    config_file: ConfigFile = None,
    from_stdin: FromStdin = False,
) -> None:
    """A new account; its PIN or password is asked for."""
    accounts = _accounts(file, config_file)
    made = accounts.add(who, role, _secret(from_stdin), name, language)
    typer.echo(f"{made.name} can sign in as {made.role.replace('_', ' ')}")


@staff_app.command("list")
def show(file: File = None, config_file: ConfigFile = None) -> None:
    """Everybody, with role and whether the account is locked."""
    accounts = _accounts(file, config_file)
    for each in accounts.everybody():
        typer.echo(_line(each))
    if not accounts.everybody():
        typer.echo(first_account(accounts.path), err=True)


@staff_app.command("remove")
def remove(who: Who, file: File = None, config_file: ConfigFile = None) -> None:
    """Take an account away; whoever is signed in with it is signed out at once."""
    _accounts(file, config_file).remove(who)
    typer.echo(f"{who} can sign in no more")


@staff_app.command("unlock")
def unlock(who: Who, file: File = None, config_file: ConfigFile = None) -> None:
    """Open an account that three failures have locked."""
    _accounts(file, config_file).unlock(who)
    typer.echo(f"{who} may try again")


@staff_app.command("pin")
def pin(
    who: Who,
    file: File = None,
    config_file: ConfigFile = None,
    from_stdin: FromStdin = False,
) -> None:
    """A new PIN or password; a locked account is opened by it."""
    _accounts(file, config_file).new_secret(who, _secret(from_stdin))
    typer.echo(f"{who} has a new secret")


def first_account(path: Path) -> str:
    """What to do where nobody can sign in yet."""
    return (
        f"nobody can sign in yet: sabot staff add NAME --role pit_manager --file {path} "
        "makes the first account"
    )


def _accounts(file: Path | None, config_file: Path | None) -> Accounts:
    if file is None:
        console = config.load(config_file).console if config_file else config.Console()
        file = Path(console.staff)
    return Accounts(file)


def _secret(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("PIN or password", hide_input=True, confirmation_prompt=True))


def _line(account: Account) -> str:
    locked = "  locked" if account.locked else ""
    return f"{account.who:<16} {account.role:<26} {account.language:<8} {account.name}{locked}"

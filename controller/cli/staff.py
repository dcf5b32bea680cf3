"""`sabot staff`: manages the accounts and kiosks of a table's console."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from controller.config import file as config
from controller.console.auth import kiosks, totp
from controller.console.auth.accounts import ROLES, Account, Accounts
from controller.console.auth.client_origin import TABLE
from controller.console.auth.kiosks import LINK_LASTS_S, Kiosk, Kiosks
from controller.console.auth.totp import TypedCode

staff_app = typer.Typer(help="Manage console accounts: roles, PINs, kiosks.")
kiosk_app = typer.Typer(help="Manage other machines whose screens count as the table itself.")
staff_app.add_typer(kiosk_app, name="kiosk")


def register(app: typer.Typer) -> None:
    app.add_typer(staff_app, name="staff")


Who = Annotated[str, typer.Argument(metavar="NAME", help="the account's name, as it is recorded")]
File = Annotated[
    Path | None, typer.Option(help="accounts file; by default the one in the configuration")
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="the table's TOML file")]
FromStdin = Annotated[
    bool, typer.Option("--secret-stdin", help="read the PIN from standard input, for scripts")
]


@staff_app.command("add")
def add(
    who: Who,
    role: Annotated[str, typer.Option(help=", ".join(ROLES))],
    name: Annotated[str, typer.Option(help="name shown on pages")] = "",
    language: Annotated[str, typer.Option(help="en, zh-Hans ...")] = "en",
    file: File = None,
    config_file: ConfigFile = None,
    from_stdin: FromStdin = False,
) -> None:
    """Add an account; asks for its PIN or password."""
    accounts = _accounts(file, config_file)
    made = accounts.add(who, role, _secret(from_stdin), name, language)
    typer.echo(f"{made.name} can sign in as {made.role.replace('_', ' ')}")


@staff_app.command("list")
def show(file: File = None, config_file: ConfigFile = None) -> None:
    """List all accounts with role and lock."""
    accounts = _accounts(file, config_file)
    for each in accounts.everybody():
        typer.echo(_line(each))
    if not accounts.everybody():
        typer.echo(first_account(accounts.path), err=True)


@staff_app.command("remove")
def remove(who: Who, file: File = None, config_file: ConfigFile = None) -> None:
    """Remove an account; its sessions end at once."""
    _accounts(file, config_file).remove(who)
    typer.echo(f"{who} can no longer sign in")


@staff_app.command("unlock")
def unlock(who: Who, file: File = None, config_file: ConfigFile = None) -> None:
    """Unlock an account locked after three failures."""
    _accounts(file, config_file).unlock(who)
    typer.echo(f"{who} is unlocked")


@staff_app.command("pin")
def pin(
    who: Who,
    file: File = None,
    config_file: ConfigFile = None,
    from_stdin: FromStdin = False,
) -> None:
    """Set a new PIN or password; this also unlocks the account."""
    _accounts(file, config_file).new_secret(who, _secret(from_stdin))
    typer.echo(f"{who} has a new PIN or password")


@staff_app.command("role")
def role(
    who: Who,
    role: Annotated[str, typer.Argument(help=", ".join(ROLES))],
    file: File = None,
    config_file: ConfigFile = None,
) -> None:
    """Change the role; the account's sessions end at once."""
    changed = _accounts(file, config_file).new_role(who, role)
    typer.echo(f"{changed.name} is {changed.role.replace('_', ' ')} from the next sign-in")


@staff_app.command("totp")
def second_factor(
    who: Who,
    file: File = None,
    config_file: ConfigFile = None,
    remove: Annotated[bool, typer.Option("--remove", help="remove it")] = False,
    code: Annotated[
        bool, typer.Option("--code/--no-code", help="ask for a code to check the app")
    ] = True,
) -> None:
    """Set a new second factor (TOTP) for signing in away from the table.

    Also where a phone was lost: the old one is worth nothing from then on."""
    accounts = _accounts(file, config_file)
    if remove:
        accounts.second_factor(who, "")
        typer.echo(f"{who} signs in at the table only")
        return
    if accounts.find(who) is None:
        accounts.second_factor(who, "")  # raises the error for an unknown name
    secret = totp.new_secret(os.urandom(totp.KEY_BYTES))
    table = config.load(config_file).site.name if config_file else config.Site().name
    typer.echo(f"Enter or scan this in the authenticator of {who}; it is shown only once:\n")
    typer.echo(f"  {totp.uri(secret, who, table)}\n  key {secret}\n")
    if code and not _code_fits(secret):
        typer.echo("wrong code: nothing was changed, try again", err=True)
        raise typer.Exit(1)
    accounts.second_factor(who, secret)
    typer.echo(f"{who} can sign in away from the table with PIN and code")


def _code_fits(secret: str) -> bool:
    typed = str(typer.prompt("The code it shows")).replace(" ", "")
    return totp.matching_step(secret, TypedCode(typed, time.time()), 0) is not None


@kiosk_app.command("add")
def add_kiosk(
    name: Annotated[str, typer.Argument(metavar="NAME", help="its name in the list")],
    url: Annotated[str, typer.Option(help="the console, as the kiosk reaches it")],
    file: File = None,
    config_file: ConfigFile = None,
) -> None:
    """Make a link that turns the browser that opens it into a kiosk; it works once."""
    token = _kiosks(file, config_file).add(name, time.time())
    minutes = int(LINK_LASTS_S // 60)
    typer.echo(f"Open this on {name} within {minutes} minutes:\n\n  {url}/#kiosk={token}\n")


@kiosk_app.command("list")
def show_kiosks(file: File = None, config_file: ConfigFile = None) -> None:
    """List kiosks, and whether their links were opened."""
    for each in _kiosks(file, config_file).everything():
        typer.echo(_kiosk_line(each))


@kiosk_app.command("remove")
def remove_kiosk(name: str, file: File = None, config_file: ConfigFile = None) -> None:
    """Remove a kiosk; its sessions end at once."""
    _kiosks(file, config_file).remove(name)
    typer.echo(f"{name} is no longer a kiosk")


def first_account(path: Path) -> str:
    """The next step if there is no account yet."""
    return (
        f"nobody can sign in yet: sabot staff add NAME --role pit_manager --file {path} "
        "makes the first account"
    )


def _accounts(file: Path | None, config_file: Path | None) -> Accounts:
    console = _console(config_file)
    return Accounts(file or Path(console.staff), fewest=console.pin_fewest)


def _kiosks(file: Path | None, config_file: Path | None) -> Kiosks:
    staff = file or Path(_console(config_file).staff)
    return Kiosks(kiosks.kiosks_path(staff), os.urandom)


def _console(config_file: Path | None) -> config.Console:
    return config.load(config_file).console if config_file else config.Console()


def _secret(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("PIN or password", hide_input=True, confirmation_prompt=True))


def _line(account: Account) -> str:
    places = account.locked_places
    notes = [
        *(["locked"] if account.locked_at(TABLE) else []),
        *([f"locked at {places} other addresses"] if places else []),
        *(["second factor"] if account.totp else []),
    ]
    about = f"{account.who:<16} {account.role:<26} {account.language:<8} {account.name}"
    return "  ".join((about, ", ".join(notes))).rstrip()


def _kiosk_line(kiosk: Kiosk) -> str:
    made = time.strftime("%Y-%m-%d %H:%M", time.gmtime(kiosk.made))
    return f"{kiosk.name:<16} {made} UTC  {'enrolled' if kiosk.cookie else 'link not opened'}"

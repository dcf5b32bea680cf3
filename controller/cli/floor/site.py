"""`sabot floor init`, `enrol`, `revoke`, `tables`: manages the credentials of tables."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import psycopg
import typer

from controller.floor import config as configs
from controller.floor.config import CONFIG_FILE, FloorConfig
from controller.floor.enrolment import site, table_register
from controller.floor.enrolment.site import DAYS, SiteFolder
from controller.floor.service.keys import public_beside, renewed, signer_of
from controller.journal.keys.signing import fingerprint

ConfigFile = Annotated[Path, typer.Option("--config", help="the floor's TOML file")]
Table = Annotated[str, typer.Argument(help="the table: a-z, 0-9 and -")]


def register(app: typer.Typer) -> None:
    app.command("init")(init)
    app.command("enrol")(enrol)
    app.command("revoke")(revoke)
    app.command("tables")(tables)
    app.command("new-key")(new_key)


def init(
    host: Annotated[
        list[str],
        typer.Option(help="name or address by which tables reach the broker; repeat for more"),
    ],
    listen: Annotated[str, typer.Option(help="where the broker listens")] = "0.0.0.0:4222",
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Create the site's authority, certificates for broker and floor, and the broker's file."""
    config = configs.load(config_file)
    folder = SiteFolder(Path(config.tables.folder))
    folder.init(config.site.name, host, listen, time.time())
    signer_of(Path(config.keys.signing))
    typer.echo(f"{folder.folder}: the authority of {config.site.name}; back it up and lock it away")
    typer.echo(f"start the broker with: nats-server -c {folder.broker_file}")
    for name, file in (("ca", "ca.crt"), ("cert", "floor.crt"), ("key", "floor.key")):
        typer.echo(f'[nats] {name} = "{folder.folder / file}"')


def enrol(
    table: Table,
    out: Annotated[Path, typer.Option(help="new folder for the table's files")],
    title: Annotated[str, typer.Option(help="the table's display name")] = "",
    pit: Annotated[str, typer.Option(help="its pit on the map")] = "",
    days: Annotated[int, typer.Option(help="days its certificate is valid")] = DAYS,
    again: Annotated[
        bool, typer.Option("--again", help="new certificate; the old one becomes invalid")
    ] = False,
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Enrol a table: key, certificate and token, and the lines for its file."""
    config, now = configs.load(config_file), time.time()
    if out.exists():
        raise typer.BadParameter(f"{out} exists: name a new folder")
    signer = signer_of(Path(config.keys.signing))
    with psycopg.connect(
        config.database.owner
    ) as owner:  # checks the database before anything is created
        given = _folder(config).enrol(table, signer.public, now, days, again=again)
        table_register.enrolled(owner, config.site.name, given.enrolled, title, pit)
    site.write_bundle(out, given)
    _reloaded(config)
    typer.echo(f"{out}: copy these files to /etc/sabot of the table PC, then delete the folder")
    typer.echo(_section(config, table), nl=False)


def _section(config: FloorConfig, table: str) -> str:
    """The configuration for the broker if the site has one, otherwise for the floor's own pages."""
    servers, names = config.nats.servers, config.web.names
    web = f"https://{names[0]}:{config.web.port}" if names else None
    return site.section(config.site.name, table, servers[0] if servers else None, web)


def revoke(table: Table, config_file: ConfigFile = CONFIG_FILE) -> None:
    """Revoke a table's certificate; its records stay."""
    config, now = configs.load(config_file), time.time()
    _folder(config).revoke(table, now)
    _reloaded(config)
    with psycopg.connect(config.database.owner) as owner:
        table_register.revoked(owner, config.site.name, table)
    typer.echo(f"{table}: revoked")


def tables(config_file: ConfigFile = CONFIG_FILE) -> None:
    """List enrolled tables and their expiry."""
    config = configs.load(config_file)
    for each in sorted(_folder(config).register.tables, key=lambda one: (one.table, one.made)):
        until = datetime.fromtimestamp(each.until, UTC).strftime("%Y-%m-%d")
        state = "revoked" if each.revoked is not None else f"until {until}"
        if each.revoked is None and each.until <= time.time():
            state = f"expired on {until}"
        typer.echo(f"{each.table}  {state}  {each.fingerprint[:16]}")


def new_key(config_file: ConfigFile = CONFIG_FILE) -> None:
    """Another key for the floor, from its next start on. Tables that do not have its public half
    yet take no answer and no order: they play on, and send everything once they have it."""
    config = configs.load(config_file)
    old, new, aside = renewed(Path(config.keys.signing))
    public = public_beside(Path(config.keys.signing))
    typer.echo(f"before: {fingerprint(old.public)}, now in {aside}: keep its public half for good")
    typer.echo(f"now:    {fingerprint(new.public)}, its public half in {public}")
    typer.echo("1. restart sabot-floor  2. carry the public half to every table (`floor_key`) and")
    typer.echo(f"restart it between rounds  3. publish it  4. delete {aside}")


def _folder(config: FloorConfig) -> SiteFolder:
    return SiteFolder(Path(config.tables.folder))


def _reloaded(config: FloorConfig) -> None:
    folder = _folder(config)
    if not site.reload(folder.broker.pid):
        typer.echo(
            f"no broker runs here with {folder.broker_file}: tell the one that does to "
            "read it again (nats-server --signal reload)",
            err=True,
        )

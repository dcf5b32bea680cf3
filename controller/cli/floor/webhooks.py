"""`sabot floor webhook`: manages subscribers of results, and lists undelivered events."""

import os
from pathlib import Path
from typing import Annotated

import psycopg
import typer

from controller.floor import config as configs
from controller.floor.config import CONFIG_FILE, FloorConfig
from controller.floor.webhooks import subscribers
from controller.floor.webhooks.events import EventKind
from controller.floor.webhooks.http_sender import EgressPolicy

ConfigFile = Annotated[Path, typer.Option("--config", help="the floor's TOML file")]
Id = Annotated[str, typer.Argument(metavar="SUBSCRIBER", help="a-z, 0-9 and -")]

hooks_app = typer.Typer(help="Who is told of results, voids, corrections and phases.")


def register(app: typer.Typer) -> None:
    app.add_typer(hooks_app, name="webhook")


def egress_policy(config: FloorConfig) -> EgressPolicy:
    return EgressPolicy(tuple(config.webhooks.allow), config.webhooks.ca)


@hooks_app.command("add")
def add(
    subscriber: Id,
    url: Annotated[str, typer.Argument(help="https://host/path")],
    event: Annotated[
        list[EventKind] | None, typer.Option(help="only these; again for more; all unless said")
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(help="only of these tables; all unless said")
    ] = None,
    from_start: Annotated[
        bool, typer.Option("--from-start", help="of everything there is, not only what comes")
    ] = False,
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """A new subscriber. Its secret is shown once: it checks the signatures with it."""
    config = configs.load(config_file)
    events = [each.value for each in event or EventKind]
    with psycopg.connect(config.database.owner) as owner:
        secret = subscribers.add(
            owner,
            subscriber,
            url,
            egress_policy(config),
            os.urandom,
            events,
            table or (),
            from_start=from_start,
        )
    typer.echo(secret)


@hooks_app.command("list")
def list_(config_file: ConfigFile = CONFIG_FILE) -> None:
    """Every subscriber, and what each wants."""
    with psycopg.connect(configs.load(config_file).database.owner) as owner:
        found = subscribers.listed(owner)
    for each in found:
        state = "active" if each.active else f"paused: {each.paused}"
        tables = ", ".join(each.tables) or "all tables"
        typer.echo(f"{each.id}  {each.url}  {', '.join(each.events)}  {tables}  {state}")


@hooks_app.command("pause")
def pause(
    subscriber: Id,
    why: Annotated[str, typer.Option(help="for whoever looks at the list")] = "by hand",
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Tell it nothing for now."""
    with psycopg.connect(configs.load(config_file).database.owner) as owner:
        subscribers.pause(owner, subscriber, why)


@hooks_app.command("resume")
def resume(subscriber: Id, config_file: ConfigFile = CONFIG_FILE) -> None:
    """Go on where it was paused; nothing is left out."""
    with psycopg.connect(configs.load(config_file).database.owner) as owner:
        subscribers.resume(owner, subscriber)


@hooks_app.command("remove")
def remove(subscriber: Id, config_file: ConfigFile = CONFIG_FILE) -> None:
    """Forget a subscriber and how far it was told."""
    with psycopg.connect(configs.load(config_file).database.owner) as owner:
        subscribers.remove(owner, subscriber)


@hooks_app.command("replay")
def replay(
    subscriber: Id,
    table: Annotated[str, typer.Argument(help="the table")],
    record: Annotated[int, typer.Option("--from", help="the number of a record")],
    epoch: Annotated[
        int | None, typer.Option(help="of which history of the table; the newest unless said")
    ] = None,
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Tell it again of a table from this record on, under the same ids; or, past a record that it
    never takes, go on after it."""
    config = configs.load(config_file)
    with psycopg.connect(config.database.owner) as owner:
        subscribers.replay(owner, subscriber, config.site.name, table, record, epoch)


@hooks_app.command("undelivered")
def undelivered(config_file: ConfigFile = CONFIG_FILE) -> None:
    """What could not be delivered, the longest held first, and what waits for it. Exit status 1:
    there is something."""
    with psycopg.connect(configs.load(config_file).database.owner) as owner:
        found = subscribers.undelivered(owner)
    for each in found:
        held = f"{each.subscriber}  {each.table}  epoch {each.epoch}  records {each.seq + 1} to "
        if each.since is None:
            why = f"waits for epoch {each.waits_for}"
        else:
            why = f"since {each.since:%Y-%m-%d %H:%M} ({each.tries} tries)  {each.error}"
        typer.echo(f"{held}{each.head}  {why}")
    if found:
        raise typer.Exit(1)

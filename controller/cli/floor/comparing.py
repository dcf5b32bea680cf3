"""`sabot floor compare`: compares a table's journal with the floor's copy."""

from pathlib import Path
from typing import Annotated

import psycopg
import typer

from controller.cli.floor.running import ConfigFile, told
from controller.floor import config as configs
from controller.floor.config import CONFIG_FILE
from controller.floor.proof.archive_comparison import compare as compared
from controller.protocol.names import checked


def register(app: typer.Typer) -> None:
    app.command("compare")(compare)


def compare(
    table: Annotated[str, typer.Argument(help="the table, as it is enrolled")],
    journal: Annotated[Path, typer.Argument(help="its journal, or a copy made by `sabot backup`")],
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Compare every record of a table's journal with the floor's copy: all fields, all
    digests, each once. For after a restore, and for whoever doubts either of them.

    Exit status: 0 the same as far as the floor has it, 1 not."""
    config = configs.load(config_file)
    name = checked(config.site.name, table)
    with told(), psycopg.connect(config.database.web, autocommit=True) as connection:
        found = compared(connection, name, journal)
    typer.echo(f"{name}: {found}")
    if not found.good:
        raise typer.Exit(1)

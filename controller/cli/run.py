"""`sabot run`: the table as a service."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.upkeep import SiteKey
from controller.config import file as config
from controller.service import lifecycle
from controller.upkeep.integrity import CONFIG_FILE, LOOK_FIRST


def register(app: typer.Typer) -> None:
    app.command("run")(run)


def run(
    config_file: Annotated[
        Path, typer.Option("--config", help="the table's TOML file")
    ] = CONFIG_FILE,
    site_key: SiteKey = None,
) -> None:
    """Run devices, table, journal and console as one supervised service."""
    try:
        lifecycle.run(config_file, site_key)
    except (lifecycle.FilesChanged, config.ConfigError) as error:
        typer.echo(f"sabot: not started: {error}", err=True)
        sys.exit(LOOK_FIRST)

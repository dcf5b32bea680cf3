"""`sabot run`: the table as a service."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller import config, service
from controller.upkeep.genuine import CONFIG_FILE, LOOK_FIRST


def run(
    config_file: Annotated[
        Path, typer.Option("--config", help="the table's TOML file")
    ] = CONFIG_FILE,
) -> None:
    """Devices, table, journal and console in one supervised service."""
    try:
        service.run(config_file)
    except (service.FilesChanged, config.ConfigError) as error:
        typer.echo(f"sabot: nothing is started: {error}", err=True)
        sys.exit(LOOK_FIRST)

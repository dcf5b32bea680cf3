"""`sabot config`: check a table's file, explain its keys, print an example."""

from pathlib import Path
from typing import Annotated

import typer

from controller.config import file as config
from controller.config import key_reference

config_app = typer.Typer(help="Check and explain a table's configuration.")


def register(app: typer.Typer) -> None:
    app.add_typer(config_app, name="config")


@config_app.command("check")
def config_check(file: Annotated[Path, typer.Argument(help="a TOML file")]) -> None:
    """Check that a table can start with this file."""
    checked = config.complete(file)
    typer.echo(f"{file}: {checked.table.rulebook}, {checked.table.decks} decks: ready to start")


@config_app.command("explain")
def config_explain(
    key: Annotated[str, typer.Argument(help="like table.decks, or decks alone")],
) -> None:
    """Explain a key: purpose, unit, default."""
    text = key_reference.explain(config.Config, key)
    if text is None:
        near = key_reference.nearest(config.Config, key)
        hint = f"; did you mean {near!r}?" if near else ""
        raise config.ConfigError(f"there is no key {key!r}{hint}")
    typer.echo(text)


@config_app.command("example")
def config_example() -> None:
    """Print the whole file with every key, its meaning and its default."""
    typer.echo(config.example(), nl=False)

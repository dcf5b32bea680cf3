"""`sabot schema`: what may be given to a table and what it keeps, as JSON Schema."""

from typing import Final

import msgspec
import typer

from controller.config.file import Config
from controller.views import schemas

schema_app = typer.Typer(help="JSON Schemas: of words, feed, configuration and records.")


def register(app: typer.Typer) -> None:
    app.add_typer(schema_app, name="schema")


def config_schema() -> schemas.Schema:
    """The file of `sabot run`, read as TOML."""
    (ref,), defs = msgspec.json.schema_components([Config], ref_template=schemas.REF)
    return schemas.document("A table's configuration", ref, defs)


_INDENT: Final = 2


def _print(schema: schemas.Schema) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(schema), indent=_INDENT))


@schema_app.command("words")
def schema_words() -> None:
    """A line of `sabot table --jsonl`: every word with its fields, every report with its own."""
    _print(schemas.line_schema())


@schema_app.command("feed")
def schema_feed() -> None:
    """A message of a feed, with the view of its audience."""
    _print(schemas.feed_schema())


@schema_app.command("config")
def schema_config() -> None:
    """A table's TOML file, as the data it holds."""
    _print(config_schema())


@schema_app.command("records")
def schema_records() -> None:
    """A record as `sabot journal export --jsonl` shows it, of the form written today."""
    _print(schemas.record_schema())

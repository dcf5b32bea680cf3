"""`sabot schema`: JSON Schema of a table's input, configuration and records."""

from typing import Final

import msgspec
import typer

from controller.config.file import Config
from controller.views import schemas

schema_app = typer.Typer(help="Print JSON Schemas of commands, feed, configuration and records.")


def register(app: typer.Typer) -> None:
    app.add_typer(schema_app, name="schema")


def config_schema() -> schemas.Schema:
    """Schema of the file of `sabot run`, read as TOML."""
    (ref,), defs = msgspec.json.schema_components([Config], ref_template=schemas.REF)
    return schemas.document("A table's configuration", ref, defs)


_INDENT: Final = 2


def _print(schema: schemas.Schema) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(schema), indent=_INDENT))


@schema_app.command("words")
def schema_words() -> None:
    """Schema of a `sabot table --jsonl` line: every command and report with its fields."""
    _print(schemas.line_schema())


@schema_app.command("feed")
def schema_feed() -> None:
    """Schema of a message of a feed, with the view of its audience."""
    _print(schemas.feed_schema())


@schema_app.command("config")
def schema_config() -> None:
    """Schema of a table's TOML file."""
    _print(config_schema())


@schema_app.command("records")
def schema_records() -> None:
    """Schema of a record of `sabot journal export --jsonl`, in the current format."""
    _print(schemas.record_schema())

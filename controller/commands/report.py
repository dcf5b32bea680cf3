"""`sabot report`: what a shift or a day came to, read from the journal."""

import sys
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from controller.config import file as config
from controller.upkeep import figures, integrity, reports

report_app = typer.Typer(help="A shift or a day: rounds, voids, halts by clause, hold and drop.")

ConfigFile = Annotated[Path, typer.Option("--config", help="the table's TOML file", metavar="FILE")]
DEFAULT_CONFIG = integrity.CONFIG_FILE


def register(app: typer.Typer) -> None:
    app.add_typer(report_app, name="report")


class Form(Enum):
    TEXT = "text"
    CSV = "csv"
    HTML = "html"


Write = Annotated[Form, typer.Option("--as", help="text, CSV, or a page that prints")]
_WRITERS = {Form.TEXT: reports.as_text, Form.CSV: reports.as_csv, Form.HTML: reports.as_html}


@report_app.command("day")
def report_day(
    day: Annotated[
        datetime | None,
        typer.Argument(formats=["%Y-%m-%d"], help="like 2026-11-16; today without it"),
    ] = None,
    config_file: ConfigFile = DEFAULT_CONFIG,
    form: Write = Form.TEXT,
) -> None:
    """From midnight to midnight, in this machine's time zone."""
    begins = (day or datetime.now().astimezone()).replace(hour=0, minute=0, second=0, microsecond=0)
    _report(config_file, begins.astimezone(), timedelta(days=1), form)


@report_app.command("shift")
def report_shift(
    begins: Annotated[
        datetime | None,
        typer.Argument(formats=["%Y-%m-%dT%H:%M"], help="like 2026-11-16T14:00; else so long ago"),
    ] = None,
    hours: Annotated[float, typer.Option(min=0.1, max=48, help="how long it lasts")] = 8.0,
    config_file: ConfigFile = DEFAULT_CONFIG,
    form: Write = Form.TEXT,
) -> None:
    """From its beginning so many hours, in this machine's time zone."""
    length = timedelta(hours=hours)
    since = begins.astimezone() if begins else datetime.now().astimezone() - length
    _report(config_file, since, length, form)


def _report(config_file: Path, begins: datetime, length: timedelta, form: Form) -> None:
    loaded = config.load(config_file)
    since = begins.timestamp()
    found = figures.of_journal(loaded, since, since + length.total_seconds())
    zone = begins.tzinfo
    assert zone is not None
    made = reports.report(
        found,
        loaded.site.name,
        zone,
        tracked=loaded.table.track_wagers,
        misreads_most=loaded.checks.errors_per_thousand,
    )
    sys.stdout.write(_WRITERS[form](made))

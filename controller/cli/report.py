"""`sabot report`: totals of a shift or a day, read from the journal."""

import sys
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from controller.config import file as config
from controller.console.auth.accounts import Accounts
from controller.console.auth.private_file import AccountsError
from controller.upkeep import demo_journal, figures, integrity, reports

report_app = typer.Typer(help="Report a shift or a day: rounds, voids, stops, turnover, house win.")

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help=f"the table's TOML file; by default {integrity.CONFIG_FILE}, else a running demo",
        metavar="FILE",
    ),
]
OfDemo = Annotated[bool, typer.Option("--demo", help="report on the demo running on this machine")]


def register(app: typer.Typer) -> None:
    app.add_typer(report_app, name="report")


class ReportFormat(Enum):
    TEXT = "text"
    CSV = "csv"
    HTML = "html"


Write = Annotated[ReportFormat, typer.Option("--as", help="text, CSV, or a page that prints")]
_WRITERS = {
    ReportFormat.TEXT: reports.as_text,
    ReportFormat.CSV: reports.as_csv,
    ReportFormat.HTML: reports.as_html,
}


@report_app.command("day")
def report_day(
    day: Annotated[
        datetime | None,
        typer.Argument(formats=["%Y-%m-%d"], help="like 2026-11-16; today by default"),
    ] = None,
    config_file: ConfigFile = None,
    demo: OfDemo = False,
    form: Write = ReportFormat.TEXT,
) -> None:
    """From midnight to midnight, in this machine's time zone."""
    begins = (day or datetime.now().astimezone()).replace(hour=0, minute=0, second=0, microsecond=0)
    _report(_table(config_file, demo=demo), begins.astimezone(), timedelta(days=1), form)


@report_app.command("shift")
def report_shift(
    begins: Annotated[
        datetime | None,
        typer.Argument(formats=["%Y-%m-%dT%H:%M"], help="like 2026-11-16T14:00; else --hours ago"),
    ] = None,
    hours: Annotated[float, typer.Option(min=0.1, max=48, help="length of the shift")] = 8.0,
    config_file: ConfigFile = None,
    demo: OfDemo = False,
    form: Write = ReportFormat.TEXT,
) -> None:
    """From its beginning so many hours, in this machine's time zone."""
    length = timedelta(hours=hours)
    since = begins.astimezone() if begins else datetime.now().astimezone() - length
    _report(_table(config_file, demo=demo), since, length, form)


def _table(file: Path | None, *, demo: bool) -> config.Config:
    """The configuration of the reported table: the given file, this machine's table, or its
    demo; raises `ConfigError`."""
    if file is not None and not demo:
        return config.load(file)
    if not demo and integrity.CONFIG_FILE.exists():
        return config.load(integrity.CONFIG_FILE)
    journal = demo_journal.running()
    if journal is None:
        raise config.ConfigError(
            "no demo runs on this machine: start one with `sabot demo`, and ask while it runs, for "
            "it keeps nothing; or name a table's file with --config"
        )
    if not demo:
        typer.echo(f"no {integrity.CONFIG_FILE} here: reporting on the running demo", err=True)
    return _of_demo(journal)


def _of_demo(journal: Path) -> config.Config:
    files = config.JournalPaths(str(journal), f"{journal}.head", f"{journal}.key")
    console = replace(config.DEMO.console, staff=str(journal.with_name("staff.json")))
    site = replace(config.DEMO.site, name="Demo table")
    return replace(config.DEMO, site=site, journal=files, console=console)


def _report(loaded: config.Config, begins: datetime, length: timedelta, form: ReportFormat) -> None:
    since = begins.timestamp()
    found = figures.of_journal(loaded, since, since + length.total_seconds())
    zone = begins.tzinfo
    assert zone is not None
    desk = reports.Desk(
        loaded.site.name,
        zone,
        tracked=loaded.table.track_wagers,
        misreads_most=loaded.checks.errors_per_thousand,
        currency=loaded.rules().currency,
        people=_people(Path(loaded.console.staff)),
    )
    sys.stdout.write(_WRITERS[form](reports.report(found, desk)))


def _people(staff: Path) -> dict[str, str]:
    """The display names of the dealers; their ids if the accounts cannot be read."""
    if not staff.exists():
        return {}
    try:
        return {each.who: each.name for each in Accounts(staff).everybody()}
    except (AccountsError, OSError):
        return {}

"""`sabot floor archive`, `restore-month`, `roots`: archives, restores and proves months of
records."""

import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

import psycopg
import typer

from controller.cli.floor.proof import Keys, public_key
from controller.floor import config as configs
from controller.floor.config import CONFIG_FILE
from controller.floor.proof import archive_restore, hours, months
from controller.floor.proof.form import ProofError
from controller.floor.service.keys import signer_of

ConfigFile = Annotated[Path, typer.Option("--config", help="the floor's TOML file")]


def register(app: typer.Typer) -> None:
    app.command("archive")(archive)
    app.command("restore-month")(restore_month)
    app.command("roots")(roots)


def archive(
    keep: Annotated[
        bool, typer.Option("--keep", help="only write and verify the files; delete no month")
    ] = False,
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Archive every month older than the site keeps into files, verify them on disk, and only
    then let the month go out of the database. A timer runs it every night; again is harmless.

    Exit status: 0 all of them, 1 one table or month had to wait, which is told; others went on."""
    config, now = configs.load(config_file), time.time()
    folder, signer = Path(config.proof.archive), signer_of(Path(config.keys.signing))
    kept = config.proof.months_kept
    with (
        psycopg.connect(config.database.retention, autocommit=True) as retention,
        psycopg.connect(config.database.proof, autocommit=True) as proof,
    ):
        to = months.Archive(retention, proof, folder, signer)
        due = months.due(retention, now, kept)
        done = [_archived(to, month, now, None if keep else kept) for month in due]
    if not all(done):
        raise typer.Exit(1)


def _archived(to: months.Archive, month: date, now: float, kept: int | None) -> bool:
    """Archive into files, and delete from the database unless `kept` is None. A failure is
    reported, and the other tables and months continue."""
    faults: Sequence[str] = ()
    try:
        made: Sequence[Path] = months.archive_month(to, month, now)
    except months.NotAll as error:
        made, faults = error.made, error.faults
    for file in made:
        typer.echo(f"{file}: written and verified")
    for fault in faults:
        typer.echo(f"{month:%Y-%m}: {fault}", err=True)
    if faults or kept is None:
        return not faults
    try:
        gone = months.drop_month(to.retention, month, to.folder, kept)
    except ProofError as error:
        typer.echo(str(error), err=True)
        return False
    typer.echo(f"{month:%Y-%m}: {gone} records are now in files only")
    return True


def restore_month(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="archive files")],
    key: Keys = None,
    config_file: ConfigFile = CONFIG_FILE,
) -> None:
    """Restore records of archive files into the database: verified first; existing records stay.
    Without `--key` a file must be signed by a key of this floor's own."""
    config = configs.load(config_file)
    keys = [public_key(each) for each in key or ()]
    with psycopg.connect(config.database.owner, autocommit=True) as owner:
        for file in files:
            header, count = archive_restore.restore(owner, file, keys)
            typer.echo(f"{file}: {header.named}: {count} records restored")


def roots(config_file: ConfigFile = CONFIG_FILE) -> None:
    """Check that all hourly roots are there, complete, signed and in order."""
    config = configs.load(config_file)
    with psycopg.connect(config.database.proof, autocommit=True) as connection:
        found = hours.check(connection, config.site.name)
    typer.echo(f"{config.site.name}: {found}")

"""`sabot journal`: check, show, hand on, rescue and replay a journal; all of it only reads."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.config import file as config
from controller.engine.held import state_of
from controller.engine.replay import Diverged
from controller.journal import audit
from controller.runtime import open_table

journal_app = typer.Typer(help="A table's journal: check it, read a round, export it.")


def register(app: typer.Typer) -> None:
    app.add_typer(journal_app, name="journal")


File = Annotated[Path, typer.Argument(metavar="FILE", help="the journal's database file")]
Shoe = Annotated[int | None, typer.Option(help="of this shoe only")]
Out = Annotated[Path | None, typer.Option(help="a file to write; standard output otherwise")]


@journal_app.command("verify")
def verify(
    file: File,
    head: Annotated[Path | None, typer.Option(help="the kept head to compare with")] = None,
) -> None:
    """Walk the whole chain and name the first record that is not as it was written."""
    verdict = audit.verify(file, head)
    typer.echo(f"{file}: {verdict}", err=not verdict.good)
    if not verdict.good:
        raise typer.Exit(1)


@journal_app.command("show")
def show(
    file: File,
    number: Annotated[int, typer.Argument(metavar="ROUND", help="the round's number")],
    shoe: Shoe = None,
    as_json: Annotated[bool, typer.Option("--json", help="for machines")] = False,
) -> None:
    """The records of one round in order. A card that lies face down prints as "sealed"."""
    found = audit.show(file, number, shoe)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
    elif not found:
        typer.echo(f"{file}: there is no round {number}", err=True)
    for each in [] if as_json else found:
        body = json.dumps(each["body"], ensure_ascii=False)
        marks = [each["sealed"] or "", "" if each["fits"] else "DOES NOT FIT THE CHAIN"]
        line = f"{each['seq']:>8}  {each['at']:.3f}  shoe {each['shoe']}  {each['kind']}  {body}"
        typer.echo("  ".join([line, *filter(None, marks)]))
    if not found:
        raise typer.Exit(1)


@journal_app.command("export")
def export(
    file: File,
    as_csv: Annotated[bool, typer.Option("--csv", help="one line a record")] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="one JSON object a line")] = False,
    out: Out = None,
) -> None:
    """Every record, checked against the chain as it is read; stops at one that does not fit."""
    if as_csv == as_jsonl:
        raise typer.BadParameter("say either --csv or --jsonl")
    write = audit.export_csv if as_csv else audit.export_jsonl
    if out is None:
        write(file, sys.stdout)
        return
    try:
        with out.open("w", encoding="utf-8", newline="") as opened:
            count = write(file, opened)
    except OSError as error:
        raise typer.BadParameter(f"{out} cannot be written: {error.strerror}") from error
    typer.echo(f"{out}: {count} records", err=True)


@journal_app.command("recover")
def recover(
    file: File,
    out: Annotated[Path, typer.Option(help="the new journal; must not exist")],
) -> None:
    """Copy the good part of a damaged journal into a new one; the old file stays as it is."""
    verdict = audit.recover(file, out)
    typer.echo(f"{out}: {verdict.head.seq} records taken over")
    if verdict.fault is not None:
        typer.echo(f"{file}: {verdict}", err=True)


@journal_app.command("replay")
def journal_replay(
    file: Annotated[Path, typer.Argument(help="a stopped table's journal")],
    config_file: Annotated[
        Path | None, typer.Option("--config", help="the table's TOML file")
    ] = None,
) -> None:
    """Play a journal again from the start and from its last checkpoint; both must agree."""
    rules = config.load(config_file).rules() if config_file else config.DEMO.rules()
    try:
        table = open_table.replayed(rules, file)
    except Diverged as error:
        raise Diverged(f"{error}; is this the configuration the table ran with?") from None
    where = state_of(table).replace("_", " ")
    typer.echo(f"{file}: replay agrees: shoe {table.shoes}, round {table.rounds}, {where}")

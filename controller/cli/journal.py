"""`sabot journal`: verifies, shows, exports, recovers and replays a journal, read-only; and
replaces a key while the table is stopped.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from controller.config import file as config
from controller.engine.hold_list import state_name
from controller.engine.replay import Diverged
from controller.journal import audit, exports
from controller.journal.head import head_path_for as head_beside
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.journal.keys.signing import fingerprint
from controller.runtime import open_table
from controller.table.commands.names import is_same_name

journal_app = typer.Typer(help="Check a table's journal, read a round, export it.")


def register(app: typer.Typer) -> None:
    app.add_typer(journal_app, name="journal")


File = Annotated[Path, typer.Argument(metavar="FILE", help="the journal's database file")]
Shoe = Annotated[int | None, typer.Option(help="of this shoe only")]
Out = Annotated[Path | None, typer.Option(help="a file to write; standard output otherwise")]


Head = Annotated[Path | None, typer.Option(help="the stored head; FILE.head by default")]
LOSSES_RECORDED: Final = 3
"""The exit status for a whole chain in which the table recorded a loss."""
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="the table's TOML file, which names all paths")
]


def _head(file: Path, head: Path | None, config_file: Path | None) -> Path | None:
    """The path of this journal's head, if an option or the configuration names it."""
    if head is not None or config_file is None:
        return head
    files = config.load(config_file).journal
    if Path(files.path).resolve() != file.resolve():
        raise typer.BadParameter(f"{config_file} is about {files.path}, not about {file}")
    return Path(files.head)


@journal_app.command("verify")
def verify(
    file: File,
    head: Head = None,
    key: Annotated[
        Path | None, typer.Option(help="public key of the table that must have signed it")
    ] = None,
    config_file: ConfigFile = None,
) -> None:
    """Walk the whole chain, hold it against its signed head, and name the first record that is not
    as the table left it. The head is the one next to the journal unless --head or --config names
    another; with --key it must be signed by that key, or by one that it was handed on to.

    A table that goes on over a loss records that, and signs it. Each such record is named: what
    lies before it is worth no more than it says, however whole the chain is.

    Exit status: 0 good, 1 bad, 3 whole but with losses that the table recorded."""
    place = _head(file, head, config_file)
    verdict = audit.verify(file, place, key)
    typer.echo(f"{file}: {verdict}", err=not verdict.good)
    for loss in verdict.losses:
        typer.echo(f"{file}: {loss}", err=not verdict.good)
    if not verdict.good:
        raise typer.Exit(1)
    if key is None and verdict.key is not None:
        typer.echo(f"{file}: {_whole_under(verdict.key)}")
    if verdict.losses:
        raise typer.Exit(LOSSES_RECORDED)


def _whole_under(key: bytes) -> str:
    """What is proven without a key given by the user: a forger who rewrites the history can put
    another head and another public key next to it as well."""
    return (
        f"that proves the history whole under key {fingerprint(key)}, which lies beside it, and "
        "not whose it is: compare the fingerprint with the one on paper, or give --key"
    )


@journal_app.command("show")
def show(
    file: File,
    number: Annotated[int, typer.Argument(metavar="ROUND", help="the round's number")],
    shoe: Shoe = None,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON")] = False,
) -> None:
    """The records of one round in order. A card that lies face down prints as "sealed"; with --json
    as the SHA-256 of its sealed blob, from which the chain is made."""
    found = audit.show(file, number, shoe)
    if as_json:
        typer.echo(json.dumps(msgspec.to_builtins(found), indent=2, ensure_ascii=False))
    elif not found:
        typer.echo(f"{file}: no round {number}", err=True)
    for each in [] if as_json else found:
        body = json.dumps(each.body, ensure_ascii=False)
        marks = [
            "sealed" if each.sealed else "",
            "" if each.fits else "DOES NOT FIT THE CHAIN",
        ]
        line = f"{each.seq:>8}  {each.at:.3f}  shoe {each.shoe}  {each.kind}  {body}"
        typer.echo("  ".join([line, *filter(None, marks)]))
    if not found:
        raise typer.Exit(1)


@journal_app.command("export")
def export(
    file: File,
    as_csv: Annotated[bool, typer.Option("--csv", help="one line a record")] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="one JSON object a line")] = False,
    copy: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="a copy without sealed cards, which `verify` checks too"),
    ] = None,
    out: Out = None,
    head: Head = None,
    config_file: ConfigFile = None,
) -> None:
    """Every record, checked against the chain as it is read; stops at one that does not fit. In the
    place of a sealed card stands the SHA-256 of its blob, so that anybody can make the digests
    again from what is exported."""
    if [as_csv, as_jsonl, copy is not None].count(True) != 1:
        raise typer.BadParameter("give one of --csv, --jsonl, --copy OUT")
    if copy is not None:
        place = _head(file, head, config_file) or head_beside(file)
        end = exports.export_copy(file, place, copy)
        typer.echo(f"{copy}: {end.seq} records, with {copy.name}.head and {copy.name}.pub")
        return
    write = exports.export_csv if as_csv else exports.export_jsonl
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
    """Copy the part of a damaged journal that still follows into a new one; the old file stays as
    it is. What no signature of the table vouches for is taken over too, and said."""
    verdict = exports.recover(file, out)
    typer.echo(f"{out}: {verdict.head.seq} records copied")
    if verdict.head.seq and not verdict.all_vouched:
        first = verdict.vouched + 1
        typer.echo(
            f"{out}: WARNING: no signature vouches for records {first} to {verdict.head.seq}: they "
            "follow from one another, and whoever could write to the file could have made them",
            err=True,
        )
    if verdict.fault is not None:
        typer.echo(f"{file}: {verdict}", err=True)


@journal_app.command("replay")
def journal_replay(
    file: Annotated[Path, typer.Argument(help="a stopped table's journal")],
    config_file: ConfigFile = None,
) -> None:
    """Replay a journal from the start and from its last checkpoint; both must agree."""
    rules = config.load(config_file).rules() if config_file else config.DEMO.rules()
    try:
        table = open_table.replay_table(rules, file)
    except Diverged as error:
        raise Diverged(f"{error}; is this the configuration the table ran with?") from None
    where = state_name(table).replace("_", " ")
    typer.echo(
        f"{file}: replay agrees: shoe {table.history.shoes}, round {table.history.rounds}, {where}"
    )


@journal_app.command("rotate-key")
def rotate_key(
    kind: Annotated[KeyKind, typer.Argument(help="what the key does")],
    file: File,
    by: Annotated[list[str], typer.Option(help="who replaces it; give it twice, for two people")],
    head: Head = None,
    key: Annotated[Path | None, typer.Option(help="sealing key, if stored elsewhere")] = None,
    signing: Annotated[Path | None, typer.Option(help="signing key, if stored elsewhere")] = None,
    config_file: ConfigFile = None,
) -> None:
    """Replace a key while the table is stopped. The journal records it, signed by the old key; what
    the old key sealed still opens, and what it signed still verifies."""
    places = open_table.JournalPlaces.next_to(file)
    if config_file is not None:
        files, kept = config.load(config_file).journal, _head(file, head, config_file)
        places = open_table.JournalPlaces(
            file, kept or places.head, Path(files.key), Path(files.signing)
        )
    found = rotate(
        KeyPlaces(file, head or places.head, key or places.key, signing or places.signing),
        kind,
        tuple(by),
        time.time(),
        os.urandom,
        is_same_name,
    )
    if kind is KeyKind.SIGNING:
        typer.echo(f"{file}: signed by key {fingerprint(found.signer.public)} from here on")
    else:
        typer.echo(f"{file}: sealed with key {found.sealing_id} from here on")

"""What somebody with a journal's files and without its key can do to them."""

import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from controller.journal import audit, exports
from controller.journal.head import HeadRole, KeptHead, head_path_for, signed_by
from controller.journal.keys.signing import Signer, text_of
from controller.journal.records import EMPTY, Entry, Head, Record, chain_entry

EVE = Signer(bytes([7] * 32))
"""A key of the forger's own."""


def moved(source: Path, folder: Path) -> Path:
    """The whole folder once more."""
    shutil.copytree(source.parent, folder)
    return folder / source.name


def sql(path: Path, text: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(text, values)
    connection.close()


def records(path: Path) -> list[Record]:
    return list(audit.read(path))


def sealed(path: Path) -> list[int]:
    return [each.seq for each in records(path) if each.sealed is not None]


def put(path: Path, record: Record) -> None:
    r = record
    row = (r.seq, r.kind, r.version, r.at, r.shoe, r.round, r.body, r.sealed, r.digest)
    sql(path, "INSERT OR REPLACE INTO records VALUES (?,?,?,?,?,?,?,?,?)", *row)


def written_anew(
    path: Path, entries: Sequence[Entry | Record], signer: Signer | None = None
) -> Head:
    """Every row made anew so that the chain holds; signed too where the forger has a key."""
    sql(path, "DELETE FROM records")
    head = EMPTY
    for entry in entries:
        record = chain_entry(head, Entry(*(getattr(entry, f) for f in Entry.__struct_fields__)))
        head = Head(record.seq, record.digest)
        put(path, record)
    if signer is not None:
        sign(path, head, signer)
    return head


def sign(path: Path, head: Head, signer: Signer) -> None:
    put_row(path, signed_by(signer, head, head.seq - 1, HeadRole.ROW))
    head_path_for(path).write_bytes(signed_by(signer, head, head.seq - 1).line())


def put_row(path: Path, kept: KeptHead) -> None:
    """In the place of the journal's own signature."""
    sql(
        path,
        "INSERT OR REPLACE INTO signed VALUES (1, ?, ?, ?, ?, ?)",
        kept.head.seq, kept.after, kept.key, kept.lock, kept.signature,
    )  # fmt: skip


def public(path: Path, signer: Signer) -> Path:
    path.write_text(text_of(signer.public) + "\n")
    return path


def pub(journal: Path) -> Path:
    return journal.with_name(journal.name + ".pub")


def copy_of(journal: Path, folder: Path) -> Path:
    """A copy without sealed cards, made as the command makes it."""
    out = folder / "copy.db"
    exports.export_copy(journal, head_path_for(journal), out)
    return out

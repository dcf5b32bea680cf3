"""The register of archive files, and their proof.

Two roles take part, and neither can drop a month alone: retention registers a file that it has
written; proof reads the file and stores what it contains. The database compares both with its
records, and reads no file.
"""

from collections.abc import Collection
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import psycopg
from psycopg import Connection

from controller.floor.proof.archive import ArchivePart, Written, sha256_of
from controller.floor.proof.form import ProofError
from controller.floor.proof.verify import verify

Named: TypeAlias = tuple[str, str, int]
"""A history: site, table, epoch."""


class ProvenFile(msgspec.Struct, frozen=True):
    """A proven file, as the database has it."""

    site: str
    table: str
    epoch: int
    first: int
    last: int
    file: str
    sha256: bytes


def known(connection: Connection[Any], named: Named) -> set[str]:
    """All names in use, of proven and unproven files."""
    rows = connection.execute(
        "SELECT file FROM floor.archive WHERE site = %s AND table_id = %s AND epoch = %s", named
    )
    return {name for (name,) in rows}


def tell(
    retention: Connection[Any],
    named: Named,
    month: date,
    name: str,
    part: ArchivePart,
    written: Written,
) -> None:
    """Registers a written file, which has no effect until it is proven."""
    retention.execute(
        "INSERT INTO floor.archive (site, table_id, epoch, month, first, last, file, sha256,"
        " before_digest, end_digest) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [*named, month, part.first, part.last, name, written.sha256, part.before,
         bytes.fromhex(written.header.end)],
    )  # fmt: skip


def prove(proof: Connection[Any], file: Path, name: str, keys: Collection[bytes]) -> None:
    """Reads a registered file and stores what it contains, which may differ from its row; raises
    `ProofError` if the file is bad or is not the registered one."""
    verdict = verify(file, keys)
    header = verdict.header
    if header is None:
        raise ProofError(f"{file}: {verdict}")
    try:
        with proof.transaction():
            proof.execute(
                "SELECT floor.file_proven(%s, %s, %s, %s, %s, %s, %s, %s, %s)",
                [header.site, header.table, header.epoch, name, sha256_of(file), header.first,
                 header.last, bytes.fromhex(header.before), bytes.fromhex(header.end)],
            )  # fmt: skip
    except psycopg.errors.IntegrityError as error:
        raise ProofError(f"{file} is not taken: {error.diag.message_primary}") from error


def prove_waiting(
    proof: Connection[Any], folder: Path, named: Named, keys: Collection[bytes]
) -> list[Path]:
    """Proves files that an interrupted run registered and did not prove. Bad files are left as they
    are: their records are written again."""
    rows = proof.execute(
        "SELECT file FROM floor.archive WHERE site = %s AND table_id = %s AND epoch = %s"
        " AND verified IS NULL ORDER BY first",
        named,
    ).fetchall()
    proven = []
    for (name,) in rows:
        try:
            prove(proof, folder / name, name, keys)
        except ProofError:
            continue
        proven.append(folder / name)
    return proven


def own_keys(proof: Connection[Any], site: str) -> set[bytes]:
    """Every key that the floor has signed a root with."""
    rows = proof.execute("SELECT DISTINCT key FROM floor.root WHERE site = %s", [site])
    return {bytes(key) for (key,) in rows}

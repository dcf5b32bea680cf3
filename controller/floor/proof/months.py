"""Months out of the database into files, and back.

A file holds one table's records from where the file before ended up to its last record of the
month, whatever its clock did in between. A month leaves the database when every record of it lies
in a file that was proven on disk, and then by a function that looks for itself.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg
from psycopg import Connection

from controller.floor.proof import archive, hours, roots
from controller.floor.proof.archive import CHUNK, Part
from controller.floor.proof.form import Header, ProofError
from controller.floor.proof.roots import KeptRoot, PathTo
from controller.floor.proof.verify import proven, verify
from controller.floor.store import partitions
from controller.floor.store.rows import COLUMNS, TYPES, row_of
from controller.journal.keys.signing import Signer
from controller.journal.records import NO_DIGEST
from controller.protocol.names import TableName
from controller.protocol.records import SentRecord

MONTHS_KEPT: Final = 13
_AT_ONCE: Final = 2000


class History(msgspec.Struct, frozen=True):
    """One table's records of one month, as far as the database has them."""

    site: str
    table: str
    epoch: int
    last: int
    received: float
    """When the floor had the last one."""


class Before(msgspec.Struct, frozen=True):
    """Where the file before ended."""

    last: int = 0
    digest: bytes = NO_DIGEST
    older: bytes = NO_DIGEST


class Kept(msgspec.Struct, frozen=True):
    """A file that the database knows of."""

    site: str
    table: str
    epoch: int
    file: str
    sha256: bytes


def due(connection: Connection[Any], now: float, kept: int = MONTHS_KEPT) -> list[date]:
    """The months in the database that are older than what is kept there, oldest first."""
    this = datetime.fromtimestamp(now, UTC)
    count = this.year * 12 + this.month - 1 - kept
    first_kept = date(count // 12, count % 12 + 1, 1)
    rows = connection.execute(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
        " WHERE i.inhparent = 'floor.record'::regclass AND c.relname ~ '^record_\\d{4}_\\d\\d$'"
    )
    months = sorted(date(int(name[7:11]), int(name[12:14]), 1) for (name,) in rows)
    return [month for month in months if month < first_kept]


def archive_month(
    connection: Connection[Any], month: date, folder: Path, signer: Signer, now: float
) -> list[Path]:
    """Write and prove the files that this month lacks; the database knows each when it is good: the
    connection commits by itself. Raises `ProofError` where one cannot be; those before it stay."""
    made = []
    for history in _histories(connection, month):
        before = _before(connection, history)
        if history.last > before.last:
            made.append(_archived(connection, month, history, before, folder, signer, now))
    return made


def _histories(connection: Connection[Any], month: date) -> list[History]:
    rows = connection.execute(
        "SELECT p.site, p.table_id, p.epoch, p.seq, extract(epoch FROM p.received)::float8"
        " FROM floor.record p JOIN (SELECT site, table_id, epoch, max(seq) AS seq FROM floor.record"
        " WHERE at >= %(first)s AND at < %(after)s GROUP BY site, table_id, epoch) m"
        " USING (site, table_id, epoch, seq) WHERE p.at >= %(first)s AND p.at < %(after)s"
        " ORDER BY p.site, p.table_id, p.epoch",
        _span(month),
    )
    return [History(*row) for row in rows]


def _before(connection: Connection[Any], history: History) -> Before:
    row = connection.execute(
        "SELECT last, end_digest, older FROM floor.archive WHERE site = %s AND table_id = %s"
        " AND epoch = %s AND verified IS NOT NULL ORDER BY last DESC LIMIT 1",
        [history.site, history.table, history.epoch],
    ).fetchone()
    return Before() if row is None else Before(*row)


def _archived(
    connection: Connection[Any],
    month: date,
    history: History,
    before: Before,
    folder: Path,
    signer: Signer,
    now: float,
) -> Path:
    root, path, stamp = _rooted(connection, history)
    first = before.last + 1
    part = Part(first, history.last, before.digest, path, root.root, stamp, before.older)
    name = f"{history.site}/{history.table}/{history.epoch}-{month:%Y-%m}.sabot"
    with connection.transaction():
        records = _records(connection, history, first, path.head.seq)
        written = archive.write(folder / name, part, records, signer, now)
    verdict = verify(written.file, {signer.public, root.root.key})
    if not verdict.good:
        raise ProofError(f"{written.file} was written and is {verdict}: is the disk sound?")
    connection.execute(
        "INSERT INTO floor.archive (site, table_id, epoch, month, first, last, file, sha256,"
        " end_digest, older, verified) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, now())",
        [history.site, history.table, history.epoch, month, first, history.last, name,
         written.sha256, bytes.fromhex(written.header.end), written.older],
    )  # fmt: skip
    return written.file


def _rooted(connection: Connection[Any], history: History) -> tuple[KeptRoot, PathTo, bytes | None]:
    """The first root in which the table was at the month's last record, or past it."""
    named = (history.site, history.table, history.epoch)
    hour = roots.hour_of(history.received)
    while found := hours.kept_from(connection, history.site, hour, 24):
        for kept, stamp in found:
            path = roots.path_in(kept, named)
            if path is not None and path.head.seq >= history.last:
                return kept, path, stamp
        hour = found[-1][0].root.hour + 1
    raise ProofError(
        f"no root has record {history.last} of {history.site}/{history.table} (history "
        f"{history.epoch}) yet: wait for the next hour, or look why the floor makes no roots"
    )


def _records(
    connection: Connection[Any], history: History, first: int, last: int
) -> Iterator[SentRecord]:
    """Read in pieces: a month of a busy table need not fit into memory."""
    with connection.cursor(name="archived_month") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(
            "SELECT seq, kind, version, at_s, shoe, round, body, sealed, digest FROM floor.record"
            " WHERE site = %s AND table_id = %s AND epoch = %s AND seq BETWEEN %s AND %s"
            " ORDER BY seq",
            [history.site, history.table, history.epoch, first, last],
        )
        for row in cursor:
            yield SentRecord(*row)


def drop_month(
    connection: Connection[Any], month: date, folder: Path, kept: int = MONTHS_KEPT
) -> int:
    """Prove every file that holds records of the month once more, then let the month go; says how
    many records went. Raises `ProofError`: then all of them are still there."""
    for each in _files_of(connection, month):
        file = folder / each.file
        verdict = verify(file)
        if not verdict.good or _sha256(file) != each.sha256:
            raise ProofError(f"{file} is not as it was written ({verdict}): the month stays")
    try:
        row = connection.execute(
            "SELECT floor.drop_month(%s, make_interval(months => %s))", [month, kept]
        ).fetchone()
    except psycopg.errors.IntegrityError as error:
        raise ProofError(f"the month {month:%Y-%m} stays: {error.diag.message_primary}") from error
    except psycopg.errors.LockNotAvailable as error:
        raise ProofError(f"the month {month:%Y-%m} is in use: ask again later") from error
    assert row is not None
    return int(row[0])


def _files_of(connection: Connection[Any], month: date) -> Sequence[Kept]:
    rows = connection.execute(
        "SELECT DISTINCT a.site, a.table_id, a.epoch, a.file, a.sha256 FROM floor.archive a"
        " JOIN floor.record p ON (p.site, p.table_id, p.epoch) = (a.site, a.table_id, a.epoch)"
        " AND p.seq BETWEEN a.first AND a.last"
        " WHERE a.verified IS NOT NULL AND p.at >= %(first)s AND p.at < %(after)s",
        _span(month),
    )
    return [Kept(*row) for row in rows]


def restore(owner: Connection[Any], file: Path, keys: Sequence[bytes] = ()) -> tuple[Header, int]:
    """A file's records back into the database, by the owner of the tables: proven first, and what
    is there stays as it is. Says how many were not there."""
    header, records = proven(file, keys)
    name = TableName(header.site, header.table)
    month = datetime.strptime(header.month, "%Y-%m").replace(tzinfo=UTC)
    with owner.transaction():
        partitions.open_month(owner, month)
        owner.execute("CREATE TEMP TABLE put_back (LIKE floor.record) ON COMMIT DROP")
        owner.execute("ALTER TABLE put_back ALTER received SET DEFAULT now()")
        with owner.cursor().copy(f"COPY put_back ({COLUMNS}) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(TYPES)
            for record in records:
                copy.write_row(row_of(name, header.epoch, record))
        put = owner.execute(
            "INSERT INTO floor.record SELECT * FROM put_back ON CONFLICT DO NOTHING"
        )
    return header, put.rowcount


def _span(month: date) -> dict[str, datetime]:
    """For a query by time, which looks into the one partition: nobody has a right to it alone."""
    first = datetime(month.year, month.month, 1, tzinfo=UTC)
    return {"first": first, "after": partitions.next_month(first)}


def _sha256(file: Path) -> bytes:
    hashed = hashlib.sha256()
    with file.open("rb") as opened:
        while data := opened.read(CHUNK):
            hashed.update(data)
    return hashed.digest()

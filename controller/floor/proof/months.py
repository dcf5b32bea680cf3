"""Moves months of records out of the database into files.

A file holds one table's records from the end of the file before up to the last record of the month,
whatever the table's clock did in between. So the files of a history follow each other without a
gap, no record is in two, and a late record of an archived month gets a file of its own. A month
leaves the database only when every record of it is in a file that was proven on disk, and by a
function that checks this itself.
"""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg
from psycopg import Connection

from controller.floor.proof import archive, files, hours, roots
from controller.floor.proof.archive import ArchivePart, NameTaken, Written, sha256_of
from controller.floor.proof.files import ProvenFile
from controller.floor.proof.form import ProofError
from controller.floor.proof.roots import KeptRoot, PathTo
from controller.floor.proof.verify import proven
from controller.floor.store import partitions
from controller.journal.keys.signing import Signer
from controller.journal.records import NO_DIGEST
from controller.protocol.records import SentRecord

MONTHS_KEPT: Final = 13
_AT_ONCE: Final = 2000


class NotAll(ProofError):
    """Some tables' files of a month could not be made; the others were."""

    def __init__(self, made: Sequence[Path], faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.made = tuple(made)
        self.faults = tuple(faults)


class MonthHistory(msgspec.Struct, frozen=True):
    """One table's records of one month that are in the database."""

    site: str
    table: str
    epoch: int
    last: int
    received: float
    """When the floor received the last one."""

    @property
    def named(self) -> tuple[str, str, int]:
        return self.site, self.table, self.epoch


class Before(msgspec.Struct, frozen=True):
    """The end of the file before."""

    last: int = 0
    digest: bytes = NO_DIGEST


@dataclass(frozen=True)
class Archive:
    """The archive folder, with the two roles of the database that it needs; their connections
    commit on their own."""

    retention: Connection[Any]
    """Writes the files and registers them."""
    proof: Connection[Any]
    """Reads the files and marks them as proven."""
    folder: Path
    signer: Signer


def due(connection: Connection[Any], now: float, kept: int = MONTHS_KEPT) -> list[date]:
    """Months in the database that are older than the retention period, oldest first."""
    this = datetime.fromtimestamp(now, UTC)
    count = this.year * 12 + this.month - 1 - kept
    first_kept = date(count // 12, count % 12 + 1, 1)
    rows = connection.execute(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
        " WHERE i.inhparent = 'floor.record'::regclass AND c.relname ~ '^record_\\d{4}_\\d\\d$'"
    )
    months = sorted(date(int(name[7:11]), int(name[12:14]), 1) for (name,) in rows)
    return [month for month in months if month < first_kept]


def archive_month(to: Archive, month: date, now: float) -> list[Path]:
    """Writes and proves the missing files of a month, and registers each proven file in the
    database. Raises `NotAll` if some fail; the other tables are archived all the same."""
    made: list[Path] = []
    faults: list[str] = []
    keys: dict[str, set[bytes]] = {}
    with _alone(to.retention):
        for history in _histories(to.retention, month):
            site = history.site
            if site not in keys:
                keys[site] = {to.signer.public} | files.own_keys(to.proof, site)
            try:
                made += files.prove_waiting(to.proof, to.folder, history.named, keys[site])
                before = _before(to.retention, history)
                if history.last > before.last:
                    made.append(_archived(to, month, history, before, now))
            except ProofError as error:
                faults.append(f"{site}/{history.table} (history {history.epoch}): {error}")
    if faults:
        raise NotAll(made, faults)
    return made


@contextmanager
def _alone(connection: Connection[Any]) -> Iterator[None]:
    """Holds the archive lock: two concurrent runs would write the same records twice."""
    turn = "hashtext('floor.archive')"
    row = connection.execute(f"SELECT pg_try_advisory_lock({turn})").fetchone()
    if row is None or not row[0]:
        raise ProofError("another archive is under way: ask again when it is done")
    try:
        yield
    finally:
        connection.execute(f"SELECT pg_advisory_unlock({turn})")


def _histories(connection: Connection[Any], month: date) -> list[MonthHistory]:
    rows = connection.execute(
        "SELECT p.site, p.table_id, p.epoch, p.seq, extract(epoch FROM p.received)::float8"
        " FROM floor.record p JOIN (SELECT site, table_id, epoch, max(seq) AS seq FROM floor.record"
        " WHERE at >= %(first)s AND at < %(after)s GROUP BY site, table_id, epoch) m"
        " USING (site, table_id, epoch, seq) WHERE p.at >= %(first)s AND p.at < %(after)s"
        " ORDER BY p.site, p.table_id, p.epoch",
        _span(month),
    )
    return [MonthHistory(*row) for row in rows]


def _before(connection: Connection[Any], history: MonthHistory) -> Before:
    row = connection.execute(
        "SELECT last, end_digest FROM floor.archive WHERE site = %s AND table_id = %s"
        " AND epoch = %s AND verified IS NOT NULL ORDER BY last DESC LIMIT 1",
        history.named,
    ).fetchone()
    return Before() if row is None else Before(*row)


def _archived(to: Archive, month: date, history: MonthHistory, before: Before, now: float) -> Path:
    root, path, stamp = _rooted(to.retention, history)
    first = before.last + 1
    part = ArchivePart(first, history.last, before.digest, path, root.root, stamp)
    name, written = _written(to, month, history, part, now)
    files.tell(to.retention, history.named, month, name, part, written)
    try:
        files.prove(to.proof, written.file, name, {to.signer.public, root.root.key})
    except ProofError as error:
        raise ProofError(f"it was written, and is not good: is the disk sound? {error}") from error
    return written.file


def _written(
    to: Archive, month: date, history: MonthHistory, part: ArchivePart, now: float
) -> tuple[str, Written]:
    """Writes the part under the first name that neither a file nor a row of the database has."""
    known = files.known(to.retention, history.named)
    for name in _names(history, month):
        file = to.folder / name
        if name in known or not archive.may_take(file, part):
            continue
        with suppress(NameTaken), to.retention.transaction():
            records = _records(to.retention, history, part.first, part.path.head.seq)
            return name, archive.write(file, part, records, to.signer, now)
    raise AssertionError("names do not end")


def _names(history: MonthHistory, month: date) -> Iterator[str]:
    """Candidate names of a file; nearly every month of a table needs only the first."""
    named = f"{history.site}/{history.table}/{history.epoch}-{month:%Y-%m}"
    yield f"{named}.sabot"
    for number in itertools.count(2):
        yield f"{named}-{number}.sabot"


def _rooted(
    connection: Connection[Any], history: MonthHistory
) -> tuple[KeptRoot, PathTo, bytes | None]:
    """The first root whose head of the table is at or past the month's last record."""
    hour = roots.hour_of(history.received)
    while found := hours.kept_from(connection, history.site, hour, 24):
        for kept, stamp in found:
            path = roots.path_in(kept, history.named)
            if path is not None and path.head.seq >= history.last:
                return kept, path, stamp
        hour = found[-1][0].root.hour + 1
    raise ProofError(
        f"no root has record {history.last} yet: wait for the next hour, or look why the floor "
        "makes no roots"
    )


def _records(
    connection: Connection[Any], history: MonthHistory, first: int, last: int
) -> Iterator[SentRecord]:
    """Records of a history, read in pieces: a month of a busy table need not fit into memory."""
    with connection.cursor(name="archived_month") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(
            "SELECT seq, kind, version, at_s, shoe, round, body, sealed, digest FROM floor.record"
            " WHERE site = %s AND table_id = %s AND epoch = %s AND seq BETWEEN %s AND %s"
            " ORDER BY seq",
            [*history.named, first, last],
        )
        for row in cursor:
            yield SentRecord(*row)


def drop_month(
    connection: Connection[Any], month: date, folder: Path, kept: int = MONTHS_KEPT
) -> int:
    """Proves every file of the month once more, compares each record with its file, then drops the
    month; returns the number of dropped records. Raises `ProofError`; then nothing was dropped."""
    for each in _files_of(connection, month):
        try:
            _check_file(connection, month, each, folder / each.file)
        except ProofError as error:
            raise ProofError(f"{error}: the month stays") from error
    try:
        row = connection.execute(
            "SELECT floor.drop_month(%s, make_interval(months => %s))", [month, kept]
        ).fetchone()
    except psycopg.errors.IntegrityError as error:
        raise ProofError(f"the month {month:%Y-%m} stays: {error.diag.message_primary}") from error
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected) as error:
        raise ProofError(f"the month {month:%Y-%m} is in use: ask again later") from error
    assert row is not None
    return int(row[0])


def _files_of(connection: Connection[Any], month: date) -> Sequence[ProvenFile]:
    rows = connection.execute(
        "SELECT DISTINCT a.site, a.table_id, a.epoch, a.first, a.last, a.file, a.sha256"
        " FROM floor.archive a"
        " JOIN floor.record p ON (p.site, p.table_id, p.epoch) = (a.site, a.table_id, a.epoch)"
        " AND p.seq BETWEEN a.first AND a.last"
        " WHERE a.verified IS NOT NULL AND p.at >= %(first)s AND p.at < %(after)s",
        _span(month),
    )
    return [ProvenFile(*row) for row in rows]


def _check_file(connection: Connection[Any], month: date, kept: ProvenFile, file: Path) -> None:
    """Checks that the file is unchanged and contains the month's records that it should."""
    header, records = proven(file)
    if sha256_of(file) != kept.sha256:
        raise ProofError(f"{file} is not as it was written")
    answer = (header.site, header.table, header.epoch, header.first, header.last)
    if answer != (kept.site, kept.table, kept.epoch, kept.first, kept.last):
        raise ProofError(f"{file} holds other records than the database says: {header.named}")
    with connection.transaction(), connection.cursor(name="month_beside_file") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(
            "SELECT seq, digest FROM floor.record WHERE site = %(site)s AND table_id = %(table)s"
            " AND epoch = %(epoch)s AND seq BETWEEN %(from)s AND %(to)s"
            " AND at >= %(first)s AND at < %(after)s ORDER BY seq",
            {"site": kept.site, "table": kept.table, "epoch": kept.epoch, "from": kept.first,
             "to": kept.last, **_span(month)},
        )  # fmt: skip
        for seq, digest in cursor:
            record = next((each for each in records if each.seq >= seq), None)
            if record is None or (record.seq, record.digest) != (seq, digest):
                raise ProofError(f"record {seq} in the database is not the one in {file}")


def _span(month: date) -> dict[str, datetime]:
    """Parameters of a query by time, which uses the one partition: no role has rights on the
    partition itself."""
    first = datetime(month.year, month.month, 1, tzinfo=UTC)
    return {"first": first, "after": partitions.next_month(first)}

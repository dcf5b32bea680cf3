"""Restores a file's records into the database, to look at an old month.

The restore runs as the owner of the tables, who could write anything. So a file must be the floor's
own, of a known history, and must not bring records from anywhere else: a record past the head would
take the place of the table's next one.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from psycopg import Connection

from controller.floor.proof import archive, files
from controller.floor.proof.form import Header, ProofError
from controller.floor.proof.verify import proven
from controller.floor.store import partitions
from controller.floor.store.rows import COLUMNS, TYPES, row_of
from controller.protocol.names import TableName
from controller.protocol.records import SentRecord

_NOT_GONE: Final = """
UPDATE floor.archive a SET gone = greatest(0, a.last - a.first + 1 - (
    SELECT count(*) FROM floor.record r
    WHERE r.site = a.site AND r.table_id = a.table_id AND r.epoch = a.epoch
    AND r.seq BETWEEN a.first AND a.last))
WHERE a.site = %s AND a.table_id = %s AND a.epoch = %s AND a.last >= %s AND a.first <= %s
"""
"""Updates the count of missing records for each file that shares records with a restored one."""
_ANOTHER: Final = """
SELECT p.seq FROM put_back p JOIN floor.record r USING (site, table_id, epoch, seq)
WHERE r.digest <> p.digest OR r.at <> p.at ORDER BY p.seq LIMIT 1
"""
"""Finds restored records that differ from stored ones. The table's key includes the time, so it
would accept two records with the same number."""


def restore(owner: Connection[Any], file: Path, keys: Sequence[bytes] = ()) -> tuple[Header, int]:
    """Proves a file and inserts its missing records as the owner of the tables; existing records
    stay. Returns the number of inserted records. Raises `ProofError`; then none was inserted."""
    with owner.transaction():
        header, records = proven(file, keys or _own_keys(owner, file))
        _check_known(owner, file, header)
        month = datetime.strptime(header.month, "%Y-%m").replace(tzinfo=UTC)
        partitions.open_month(owner, month)
        _lay_beside(owner, header, records)
        another = owner.execute(_ANOTHER).fetchone()
        if another is not None:
            raise ProofError(
                f"{file}: record {another[0]} of {header.named} is here already and is another "
                "one: nothing of the file was put back. Find out which of both is the table's"
            )
        put = owner.execute(
            "INSERT INTO floor.record SELECT * FROM put_back ON CONFLICT DO NOTHING"
        )
        named = [header.site, header.table, header.epoch]
        owner.execute(_NOT_GONE, [*named, header.first, header.last])
    return header, put.rowcount


def _own_keys(owner: Connection[Any], file: Path) -> set[bytes]:
    """The floor's own keys. Never empty: `proven` would then accept any key."""
    header = archive.header_at(file)
    if header is None:
        proven(file)
        raise ProofError(f"{file} cannot be read twice: is the disk sound?")
    found = files.own_keys(owner, header.site)
    if not found:
        raise ProofError(
            f"{file}: this floor has signed no root of {header.site} yet, so that it does not know "
            "whose file this is: say by --key which key you trust"
        )
    return found


def _check_known(owner: Connection[Any], file: Path, header: Header) -> None:
    """Checks that the database has the history up to the file's end. Heads never go back, so this
    stays true."""
    row = owner.execute(
        "SELECT seq FROM floor.head WHERE (site, table_id, epoch) = (%s, %s, %s)",
        [header.site, header.table, header.epoch],
    ).fetchone()
    if row is None:
        raise ProofError(
            f"{file}: this floor has no history {header.epoch} of {header.site}/{header.table}: "
            "enrol the table and let it send first"
        )
    if row[0] < header.last:
        raise ProofError(
            f"{file} has records up to {header.last}, and this floor has got those of "
            f"{header.site}/{header.table} up to {row[0]} from the table: let the table send first;"
            " of one that is gone for good the file is the record"
        )


def _lay_beside(owner: Connection[Any], header: Header, records: Iterator[SentRecord]) -> None:
    """Copies the records into a temporary table, to compare them with those in the database."""
    name = TableName(header.site, header.table)
    owner.execute("CREATE TEMP TABLE put_back (LIKE floor.record) ON COMMIT DROP")
    owner.execute("ALTER TABLE put_back ALTER received SET DEFAULT now()")
    with owner.cursor().copy(f"COPY put_back ({COLUMNS}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(TYPES)
        for record in records:
            copy.write_row(row_of(name, header.epoch, record))

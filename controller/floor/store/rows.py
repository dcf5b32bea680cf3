"""Records as rows of the database."""

from typing import Any, Final, TypeAlias

from controller.floor.store.moments import moment
from controller.protocol.names import TableName
from controller.protocol.records import SentRecord

COLUMNS: Final = (
    "site, table_id, epoch, seq, at, at_s, shoe, round, kind, version, body, sealed, digest"
)
TYPES: Final = (
    "text", "text", "int4", "int8", "timestamptz", "float8", "int8", "int8", "text", "int4",
    "bytea", "bytea", "bytea",
)  # fmt: skip

Row: TypeAlias = tuple[Any, ...]


def row_of(name: TableName, epoch: int, record: SentRecord) -> Row:
    return (
        name.site, name.table, epoch, record.seq, moment(record.at), record.at, record.shoe,
        record.round, record.kind, record.version, record.body, record.sealed, record.digest,
    )  # fmt: skip

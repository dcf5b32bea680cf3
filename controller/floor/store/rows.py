"""Records as rows of the database, and rows of the database as structs."""

from datetime import UTC, date, datetime
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from psycopg.rows import BaseRowFactory, kwargs_row

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

Struct = TypeVar("Struct", bound=msgspec.Struct)


def row_of(name: TableName, epoch: int, record: SentRecord) -> Row:
    return (
        name.site, name.table, epoch, record.seq, moment(record.at), record.at, record.shoe,
        record.round, record.kind, record.version, record.body, record.sealed, record.digest,
    )  # fmt: skip


def struct_row(struct: type[Struct]) -> BaseRowFactory[Struct]:
    """A row factory that makes a struct of each row: columns have the names of its fields."""

    def make(**columns: object) -> Struct:
        return msgspec.convert(columns, struct, dec_hook=_convert_column, strict=False)

    return kwargs_row(make)


def _convert_column(kind: type, value: object) -> object:
    """Converts a date to text for a text field, or to seconds since 1970 for a number."""
    if kind is str and isinstance(value, date | datetime):
        return value.isoformat()
    if kind is float and isinstance(value, datetime):
        return value.astimezone(UTC).timestamp()
    raise NotImplementedError

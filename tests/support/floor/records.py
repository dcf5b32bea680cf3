"""Sample records, put into a test's database as the sink puts them: rows and head in one
transaction."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace
from psycopg import Connection

from controller.engine.summaries import RoundSummary
from controller.floor.store.rows import COLUMNS, TYPES, row_of
from controller.journal.records import Record, canonical
from controller.protocol.names import TableName
from controller.protocol.records import sent


def summary_body(number: int, at: float, **changes: Any) -> bytes:
    """The body of a round's summary, without cards unless `changes` has them."""
    summary = RoundSummary(
        shoe=1,
        round=number,
        ref=None,
        began=at,
        ended=at + 1,
        method="B",
        dealer="Anna Secret",
        deck_set="d",
        result="B",
        void=None,
        player=[],
        banker=[],
        aside=[],
        rulings=[],
        corrected=False,
        corrections=[],
        wagers={},
        first=1,
        last=number,
    )
    return canonical(replace(summary, **changes))


def put_records(
    owner: Connection[Any], table: str, records: Sequence[Record], received: float | None = None
) -> None:
    name = TableName("sands", table)
    with owner.transaction():
        into = f"COPY floor.record ({COLUMNS}) FROM STDIN (FORMAT BINARY)"
        with owner.cursor().copy(into) as copy:
            copy.set_types(TYPES)
            for record in records:
                copy.write_row(row_of(name, 1, sent(record)))
        if received is not None:
            owner.execute(
                "UPDATE floor.record SET received = to_timestamp(%s)"
                " WHERE table_id = %s AND seq >= %s",
                [received, table, records[0].seq],
            )
        owner.execute(
            "INSERT INTO floor.head (site, table_id, epoch, seq, digest)"
            " VALUES ('sands', %s, 1, %s, %s) ON CONFLICT (site, table_id, epoch)"
            " DO UPDATE SET seq = excluded.seq, digest = excluded.digest",
            [table, records[-1].seq, records[-1].digest],
        )

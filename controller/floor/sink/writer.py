"""Writes batches of many tables into PostgreSQL with one commit, then returns the answers.

For every commit the heads are read again under a lock: nothing is trusted from memory, and two
sinks may use one database. So records after the head cannot exist, and are copied straight into
their table; a duplicate key stops the commit.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import psycopg
import structlog
from psycopg import Connection

from controller.floor.sink import ledger
from controller.floor.sink.ledger import (
    Accepted,
    Diverges,
    Judgement,
    RefusedBatch,
    TableHead,
    Unsound,
)
from controller.floor.store import standing_exceptions
from controller.floor.store.rows import COLUMNS, TYPES, Row, row_of
from controller.floor.store.standing_exceptions import StandingKind
from controller.journal.keys.signing import Signer
from controller.journal.records import EMPTY, NO_DIGEST, Head
from controller.protocol.names import TableName
from controller.protocol.records import (
    Batch,
    BatchVerdict,
    Refusal,
    Watermark,
    watermark,
)

log = structlog.get_logger()

FIRST_EPOCH: Final = 1
MAX_DIVERGED: Final = 64
"""Limit of stored batches of a diverged history for one epoch."""
_COPY: Final = f"COPY floor.record ({COLUMNS}) FROM STDIN (FORMAT BINARY)"


class StoreAway(Exception):
    """The database is unavailable: tables continue, and send again."""


class Writer:
    """Writes batches over one connection, which is opened on demand and after every error."""

    def __init__(self, conninfo: str, signer: Signer, *, enrols_itself: bool = False) -> None:
        self._conninfo = conninfo
        self._signer = signer
        self._enrols_itself = enrols_itself
        """Accepts tables that are not enrolled; for demonstrations."""
        self._connection: Connection[Row] | None = None
        self.committed = 0
        """Committed records since the start."""

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def write(self, batches: Sequence[Batch]) -> list[Watermark]:
        """Writes batches, at most one of each table; returns one answer for each, in order. Raises
        `StoreAway`; then nothing of them may be assumed stored."""
        try:
            return self._write(batches)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            # PostgreSQL rejects a value of one batch: write the others without it.
            self.close()
            if len(batches) > 1:
                return [answer for batch in batches for answer in self.write([batch])]
            log.error("batch_not_kept", table=str(batches[0].name), why=type(error).__name__)
            self._note_not_kept(batches[0])
            return [self._refusal(batches[0].name, Refusal.NOT_A_BATCH)]
        except psycopg.Error as error:  # unavailable or being restored: no fault of a table
            self.close()
            raise StoreAway(str(error).strip()) from error

    def note_cloned(self, names: Iterable[TableName]) -> None:
        """Opens an exception: two senders use these names. Raises `StoreAway`."""
        try:
            connection = self._connected()
            with connection.transaction():
                for name in names:
                    standing_exceptions.see_clone(connection, name, FIRST_EPOCH)
        except psycopg.Error as error:
            self.close()
            raise StoreAway(str(error).strip()) from error

    def _note_not_kept(self, batch: Batch) -> None:
        """Opens an exception: the table would resend this batch for ever. Raises `StoreAway`."""
        try:
            connection = self._connected()
            with connection.transaction():
                for name, standing in _heads(connection, [batch.name]).items():
                    standing_exceptions.begin(
                        connection, name, StandingKind.UNSOUND, standing.epoch,
                        record=batch.after + 1,
                    )  # fmt: skip
        except psycopg.DataError:
            self.close()  # the name is not valid text: no enrolled table has it
        except psycopg.Error as error:
            self.close()
            raise StoreAway(str(error).strip()) from error

    def _write(self, batches: Sequence[Batch]) -> list[Watermark]:
        connection = self._connected()
        with connection.transaction():
            standings = self._standings(connection, batches)
            judged = [
                ledger.judge(batch, standings.get(batch.name), _digest_at(connection, batch))
                for batch in batches
            ]
            _keep(connection, batches, judged, standings)
            _raise_alarms(connection, batches, judged, standings)
        self.committed += sum(len(each.records) for each in judged if isinstance(each, Accepted))
        return [
            self._answer(batch.name, each, standings.get(batch.name))
            for batch, each in zip(batches, judged, strict=True)
        ]

    def _connected(self) -> Connection[Row]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._conninfo, autocommit=True, connect_timeout=5)
            self._connection.prepare_threshold = 2
        return self._connection

    def _standings(
        self, connection: Connection[Row], batches: Sequence[Batch]
    ) -> dict[TableName, TableHead]:
        """The heads of the enrolled tables, locked until the commit."""
        names = [batch.name for batch in batches]
        found = _heads(connection, names)
        missing = [name for name in names if name not in found]
        if missing:
            self._begin(connection, missing)
            found |= _heads(connection, missing)
        return found

    def _begin(self, connection: Connection[Row], names: Sequence[TableName]) -> None:
        """Makes a head for each enrolled table without one."""
        sites, tables = [name.site for name in names], [name.table for name in names]
        if self._enrols_itself:
            connection.execute(
                "INSERT INTO floor.table_register (site, table_id)"
                " SELECT * FROM unnest(%s::text[], %s::text[]) ON CONFLICT DO NOTHING",
                [sites, tables],
            )
        connection.execute(
            "INSERT INTO floor.head (site, table_id, epoch, seq, digest)"
            " SELECT r.site, r.table_id, r.epoch, 0, %s FROM floor.table_register r"
            " JOIN unnest(%s::text[], %s::text[]) n (site, table_id) USING (site, table_id)"
            " ON CONFLICT DO NOTHING",
            [NO_DIGEST, sites, tables],
        )

    # --- answers -----------------------------------------------------------------------------

    def _answer(self, name: TableName, judged: Judgement, standing: TableHead | None) -> Watermark:
        if isinstance(judged, RefusedBatch) or standing is None:
            why = judged.why if isinstance(judged, RefusedBatch) else Refusal.UNKNOWN_TABLE
            return self._refusal(name, why)
        if isinstance(judged, Unsound):
            return self._refusal(name, Refusal.NOT_A_BATCH)
        head = judged.head if isinstance(judged, Accepted) else standing.head
        verdict = BatchVerdict.DIVERGED if isinstance(judged, Diverges) else BatchVerdict.COMMITTED
        return watermark(self._signer, name, standing.epoch, head, verdict)

    def _refusal(self, name: TableName, why: Refusal) -> Watermark:
        return refusal(self._signer, name, why)


def refusal(signer: Signer, name: TableName, why: Refusal) -> Watermark:
    return watermark(signer, name, 0, EMPTY, BatchVerdict.REFUSED, why)


# --- what the database has -----------------------------------------------------------------------


def _heads(connection: Connection[Row], names: Sequence[TableName]) -> dict[TableName, TableHead]:
    """Reads the heads and locks them in one order, so that two sinks cannot deadlock."""
    rows = connection.execute(
        "SELECT h.site, h.table_id, h.epoch, h.seq, h.digest, h.journal_key,"
        " r.revoked IS NOT NULL FROM floor.head h"
        " JOIN floor.table_register r USING (site, table_id, epoch)"
        " JOIN unnest(%s::text[], %s::text[]) n (site, table_id) USING (site, table_id)"
        " ORDER BY h.site, h.table_id FOR NO KEY UPDATE OF h",
        [[name.site for name in names], [name.table for name in names]],
    )
    return {
        TableName(site, table): TableHead(epoch, Head(seq, digest), key, revoked)
        for site, table, epoch, seq, digest, key, revoked in rows
    }


def _digest_at(connection: Connection[Row], batch: Batch) -> ledger.DigestAt:
    """A function that looks up digests of stored records; its first call reads them in one
    query."""
    found: dict[int, bytes] = {}

    def digest_at(seq: int) -> bytes | None:
        if not found:
            found.update(_digests(connection, batch))
        return found.get(seq)

    return digest_at


def _digests(connection: Connection[Row], batch: Batch) -> dict[int, bytes]:
    """Digests by record number, in the register's epoch, because a query names none. For archived
    months the floor still has the digest at each file's end."""
    span = [batch.site, batch.table, batch.after, batch.after + len(batch.records)]
    rows = connection.execute(
        "SELECT seq, digest FROM floor.record JOIN floor.table_register USING"
        " (site, table_id, epoch) WHERE site = %s AND table_id = %s AND seq BETWEEN %s AND %s"
        " UNION ALL SELECT last, end_digest FROM floor.archive JOIN floor.table_register USING"
        " (site, table_id, epoch) WHERE site = %s AND table_id = %s AND last BETWEEN %s AND %s"
        " AND verified IS NOT NULL",
        [*span, *span],
    )
    return {0: NO_DIGEST, **dict(rows)}


# --- what is kept --------------------------------------------------------------------------------


def _keep(
    connection: Connection[Row],
    batches: Sequence[Batch],
    judged: Sequence[Judgement],
    standings: dict[TableName, TableHead],
) -> None:
    taken = [
        (batch.name, standings[batch.name].epoch, each)
        for batch, each in zip(batches, judged, strict=True)
        if isinstance(each, Accepted)
    ]
    if not taken:
        return
    with connection.cursor().copy(_COPY) as copy:
        copy.set_types(TYPES)
        for name, epoch, each in taken:
            for record in each.records:
                copy.write_row(row_of(name, epoch, record))
    _move_heads(connection, taken)


def _move_heads(
    connection: Connection[Row], taken: Sequence[tuple[TableName, int, Accepted]]
) -> None:
    """Moves the heads forward; raises if one would not move."""
    moved = connection.execute(
        "UPDATE floor.head h SET seq = n.seq, digest = n.digest, journal_key = n.journal_key,"
        " received = now() FROM unnest(%s::text[], %s::text[], %s::int[], %s::bigint[],"
        " %s::bytea[], %s::bytea[]) n (site, table_id, epoch, seq, digest, journal_key)"
        " WHERE (h.site, h.table_id, h.epoch) = (n.site, n.table_id, n.epoch) AND h.seq < n.seq",
        [
            [name.site for name, _, _ in taken],
            [name.table for name, _, _ in taken],
            [epoch for _, epoch, _ in taken],
            [each.head.seq for _, _, each in taken],
            [each.head.digest for _, _, each in taken],
            [each.key for _, _, each in taken],
        ],
    )
    if moved.rowcount != len(taken):
        raise psycopg.DataError(f"{len(taken)} heads should move, and {moved.rowcount} did")


def _raise_alarms(
    connection: Connection[Row],
    batches: Sequence[Batch],
    judged: Sequence[Judgement],
    standings: dict[TableName, TableHead],
) -> None:
    for batch, each in zip(batches, judged, strict=True):
        name = batch.name
        if isinstance(each, Diverges):
            _keep_other(connection, batch, standings[name].epoch, each.seq)
            standing_exceptions.begin(
                connection, name, StandingKind.DIVERGED, standings[name].epoch, record=each.seq
            )
        elif isinstance(each, Unsound):
            log.error("records_unsound", table=str(name), seq=each.seq, says=each.text)
            standing_exceptions.begin(
                connection, name, StandingKind.UNSOUND, standings[name].epoch, record=each.seq
            )
        elif each == RefusedBatch(Refusal.CLONED):
            standing_exceptions.see_clone(connection, name, standings[name].epoch)
    well = [b.name for b, each in zip(batches, judged, strict=True) if isinstance(each, Accepted)]
    standing_exceptions.end_by_good_records(connection, well)


def _keep_other(connection: Connection[Row], batch: Batch, epoch: int, seq: int) -> None:
    """Stores the first batches of a diverged history next to the floor's; the table may send many
    more."""
    raw = msgspec.msgpack.encode(batch)
    connection.execute(
        "INSERT INTO floor.divergence (site, table_id, epoch, at_seq, instance, journal_key, batch,"
        " batch_sha256) SELECT %s, %s, %s, %s, %s, %s, %s, %s WHERE (SELECT count(*) FROM"
        " floor.divergence WHERE (site, table_id, epoch) = (%s, %s, %s)) < %s"
        " ON CONFLICT DO NOTHING",
        [
            batch.site, batch.table, epoch, seq, batch.instance, batch.key, raw,
            hashlib.sha256(raw).digest(), *batch.name, epoch, MAX_DIVERGED,
        ],
    )  # fmt: skip

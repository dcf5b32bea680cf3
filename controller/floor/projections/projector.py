"""Keeps derived tables up to date with the records; their cursor moves in the same transaction.

A test compares step-by-step results with a complete rebuild: both are equal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

import msgspec
import psycopg
from psycopg import Connection
from psycopg.types.json import Json

from controller.floor.projections.hold_tracker import Followed
from controller.floor.projections.record_projection import (
    NOBODY,
    SHOE,
    Derived,
    DeviceCount,
    RoundSummaryRow,
    take,
    tell_unreadable,
)
from controller.floor.store.moments import hour_of, moment
from controller.journal.records import Record
from controller.protocol.names import TableName

TABLES_AT_ONCE: Final = 256
RECORDS_AT_ONCE: Final = 2_000
DERIVED: Final = (
    "round", "device_count", "dealer_hour", "book_hour", "stake_hour", "order_not_taken", "derived",
)  # fmt: skip
"""Tables derived from records alone, besides exceptions."""
NOT_WRITTEN: Final = (
    psycopg.DataError, psycopg.IntegrityError, psycopg.errors.ProgramLimitExceeded,
)  # fmt: skip
"""Errors of a record with a value that no column or index accepts, which is no fault of another
table or of the database."""
_TURN: Final = 0x5AB0D
"""The advisory lock that serialises projectors."""

Row: TypeAlias = tuple[Any, ...]


@dataclass
class Behind:
    """A table with unprocessed records."""

    name: TableName
    epoch: int
    seq: int
    """The last processed record."""
    followed: Followed

    @property
    def key(self) -> Row:
        return (self.name.site, self.name.table, self.epoch)


def advance(connection: Connection[Row]) -> int:
    """Processes new records in one transaction; returns how many."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_TURN])
        behind = _behind(connection)
        taken = sum([_advance(connection, each) for each in behind])
        _close_older_epochs(connection)
    return taken


class MonthsGone(Exception):
    """Source records are in archive files only: a rebuild would lose what was derived from them."""


def rebuild(connection: Connection[Row]) -> int:
    """Deletes the derived tables and rebuilds them in one transaction; acknowledgements by people
    stay. Raises `MonthsGone`."""
    with connection.transaction():
        if gone := without_beginning(connection):
            raise MonthsGone(
                f"the first records of {', '.join(sorted(map(str, gone)))} are in archive files, "
                "and what was counted from them would be gone: `sabot floor restore-month` first"
            )
        found = connection.execute("SELECT DISTINCT site, table_id FROM floor.head").fetchall()
        return rebuild_tables(connection, [TableName(*each) for each in found])


def without_beginning(connection: Connection[Row]) -> set[TableName]:
    """Tables whose first record is no longer in the database."""
    rows = connection.execute(
        "SELECT DISTINCT h.site, h.table_id FROM floor.head h WHERE h.seq > 0 AND NOT EXISTS"
        " (SELECT FROM floor.record r WHERE (r.site, r.table_id, r.epoch, r.seq)"
        " = (h.site, h.table_id, h.epoch, 1))"
    )
    return {TableName(*each) for each in rows}


def rebuild_tables(connection: Connection[Row], tables: Sequence[TableName]) -> int:
    """Rebuilds some tables, all of whose records are in the database."""
    these = [[each.site for each in tables], [each.table for each in tables]]
    chosen = "(site, table_id) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_TURN])
        connection.execute(
            "CREATE TEMP TABLE acknowledged_before ON COMMIT DROP AS SELECT * FROM floor.exception"
            f" WHERE seq IS NOT NULL AND acknowledged IS NOT NULL AND {chosen}",
            these,
        )
        connection.execute(f"DELETE FROM floor.exception WHERE seq IS NOT NULL AND {chosen}", these)
        for name in DERIVED:
            connection.execute(f"DELETE FROM floor.{name} WHERE {chosen}", these)
        total = 0
        while taken := advance(connection):
            total += taken
        connection.execute(
            "UPDATE floor.exception e SET acknowledged_by = b.acknowledged_by,"
            " acknowledged = b.acknowledged,"
            " closed = CASE WHEN e.kind IN ('unreadable', 'order') THEN b.closed ELSE e.closed END"
            " FROM acknowledged_before b"
            " WHERE (e.site, e.table_id, e.epoch, e.seq, e.kind, e.what, e.since)"
            " = (b.site, b.table_id, b.epoch, b.seq, b.kind, b.what, b.since)"
        )
    return total


def _behind(connection: Connection[Row]) -> list[Behind]:
    rows = connection.execute(
        "SELECT h.site, h.table_id, h.epoch, coalesce(d.seq, 0), d.state FROM floor.head h"
        " LEFT JOIN floor.derived d USING (site, table_id, epoch)"
        " WHERE h.seq > coalesce(d.seq, 0) ORDER BY h.epoch, h.received LIMIT %s",
        [TABLES_AT_ONCE],
    )
    return [
        Behind(
            TableName(site, table),
            epoch,
            seq,
            Followed() if state is None else msgspec.json.decode(state, type=Followed),
        )
        for site, table, epoch, seq, state in rows
    ]


def _advance(connection: Connection[Row], behind: Behind) -> int:
    records = records_after(connection, behind)
    if not records:
        return 0
    known = _known_before(connection, behind, records[-1].seq)
    before = msgspec.json.encode(behind.followed)
    try:
        with connection.transaction():
            derive(connection, behind, records, known)
    except NOT_WRITTEN:
        # No column accepts a value of one record: report that record and leave only it out.
        behind.followed = msgspec.json.decode(before, type=Followed)
        for record in records:
            _derive_alone(connection, behind, record, known)
    connection.execute(
        "INSERT INTO floor.derived (site, table_id, epoch, seq, state) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (site, table_id, epoch) DO UPDATE SET seq = excluded.seq,"
        " state = excluded.state",
        [*behind.key, records[-1].seq, msgspec.json.encode(behind.followed)],
    )
    return len(records)


def derive(
    connection: Connection[Row],
    behind: Behind,
    records: Sequence[Record],
    known: frozenset[int],
) -> Derived:
    found = Derived()
    for record in records:
        take(record, behind.followed, found, counts=record.seq not in known)
    _write(connection, behind, found)
    return found


def _derive_alone(
    connection: Connection[Row], behind: Behind, record: Record, known: frozenset[int]
) -> None:
    before = msgspec.json.encode(behind.followed)
    try:
        with connection.transaction():
            derive(connection, behind, [record], known)
    except NOT_WRITTEN:
        behind.followed = msgspec.json.decode(before, type=Followed)
        found = Derived()
        tell_unreadable(record, found)
        _write(connection, behind, found)


def records_after(
    connection: Connection[Row], behind: Behind, most: int = RECORDS_AT_ONCE
) -> list[Record]:
    rows = connection.execute(
        "SELECT kind, version, at_s, shoe, round, body, sealed, seq, digest FROM floor.record"
        " WHERE (site, table_id, epoch) = (%s, %s, %s) AND seq > %s ORDER BY seq LIMIT %s",
        [*behind.key, behind.seq, most],
    )
    return [Record(*entry, seq=seq, digest=digest) for *entry, seq, digest in rows]


def _known_before(connection: Connection[Row], behind: Behind, last: int) -> frozenset[int]:
    """Records that an earlier epoch has too: a new history begins with the shared records, and a
    round counts once."""
    if behind.epoch <= 1:
        return frozenset()
    rows = connection.execute(
        "SELECT DISTINCT a.seq FROM floor.record a JOIN floor.record b"
        " USING (site, table_id, seq, digest) WHERE (a.site, a.table_id, a.epoch) = (%s, %s, %s)"
        " AND b.epoch < a.epoch AND a.seq > %s AND a.seq <= %s",
        [*behind.key, behind.seq, last],
    )
    return frozenset(seq for (seq,) in rows)


def _close_older_epochs(connection: Connection[Row]) -> None:
    """Closes the exceptions of histories that do not continue."""
    connection.execute(
        "UPDATE floor.exception e SET closed = l.made FROM floor.reset_log l"
        " WHERE e.closed IS NULL AND e.seq IS NOT NULL"
        " AND (l.site, l.table_id) = (e.site, e.table_id) AND l.epoch = e.epoch + 1"
    )


# --- writing it down ------------------------------------------------------------------------------


def _write(connection: Connection[Row], behind: Behind, found: Derived) -> None:
    _write_rounds(connection, behind, found)
    _write_devices(connection, behind, found)
    _write_exceptions(connection, behind, found)
    _write_not_taken(connection, behind, found)


def _write_rounds(connection: Connection[Row], behind: Behind, found: Derived) -> None:
    if not found.rounds:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO floor.round (site, table_id, epoch, summary, supersedes, shoe, round, ref,"
            " began, ended, dealer, deck_set, rulebook, method, result, void, corrected, misread,"
            " rulings, wagers, drop_minor, hold_minor, first, last) VALUES"
            " (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,"
            " %s, %s, %s) ON CONFLICT DO NOTHING",
            [(*behind.key, *_round(each)) for each in found.rounds],
        )
    _supersede(connection, behind, found)
    hours = sorted({hour_of(each.summary.ended) for each in found.rounds})
    _count_dealers(connection, behind.name, hours)
    _count_books(connection, behind.name, hours)


def _round(row: RoundSummaryRow) -> Row:
    end = row.summary  # of its round
    return (
        row.seq, end.supersedes, end.shoe, end.round, end.ref, moment(end.began),
        moment(end.ended), end.dealer, end.deck_set, row.rulebook, end.method, end.result,
        end.void, end.corrected, end.misread, Json(msgspec.to_builtins(end.rulings)),
        Json(msgspec.to_builtins(end.wagers)), end.drop, end.hold, end.first, end.last,
    )  # fmt: skip


def _supersede(connection: Connection[Row], behind: Behind, found: Derived) -> None:
    """Removes what a correction supersedes; cards that it names again were misread. A summary that
    two histories share is a round of the earlier one."""
    for row in found.rounds:
        summary = row.summary
        misread = summary.misread
        if summary.supersedes is not None:
            before = connection.execute(
                "UPDATE floor.round SET superseded = true WHERE (site, table_id, epoch, summary)"
                " = (SELECT site, table_id, max(epoch), summary FROM floor.round WHERE (site,"
                " table_id) = (%s, %s) AND epoch <= %s AND summary = %s"
                " GROUP BY site, table_id, summary) RETURNING misread",
                [*behind.key, summary.supersedes],
            ).fetchone()
            misread -= before[0] if before else 0
        if misread:
            found.devices[hour_of(summary.ended), SHOE].misreads += misread


def _count_dealers(connection: Connection[Row], name: TableName, hours: Sequence[datetime]) -> None:
    """Recounts these hours of a table from its valid rounds."""
    site, table = name
    connection.execute(
        "DELETE FROM floor.dealer_hour WHERE (site, table_id) = (%s, %s) AND hour = ANY(%s)",
        [site, table, hours],
    )
    connection.execute(
        "WITH held AS (SELECT date_trunc('hour', ended, 'UTC') AS hour,"
        " coalesce(dealer, %s) AS dealer, began, ended, void, corrected, rulings FROM floor.round"
        " WHERE (site, table_id) = (%s, %s) AND NOT superseded"
        " AND date_trunc('hour', ended, 'UTC') = ANY(%s)"
        " AND ended >= %s AND ended < %s::timestamptz + interval '1 hour'),"
        " clauses AS (SELECT hour, dealer, jsonb_object_agg(clause, n ORDER BY clause) AS n FROM"
        " (SELECT hour, dealer, coalesce(r->>'clause', r->>'id') AS clause, count(*) AS n"
        " FROM held, jsonb_array_elements(rulings) r GROUP BY 1, 2, 3) each GROUP BY 1, 2)"
        " INSERT INTO floor.dealer_hour (site, table_id, hour, dealer, rounds, voids, corrections,"
        " seconds, irregularities) SELECT %s, %s, hour, dealer, count(*), count(void),"
        " count(*) FILTER (WHERE corrected),"
        " extract(epoch FROM max(ended) - greatest(min(began), hour)),"
        " coalesce((SELECT c.n FROM clauses c"
        " WHERE (c.hour, c.dealer) = (held.hour, held.dealer)), '{}') FROM held GROUP BY 3, 4",
        [NOBODY, site, table, hours, hours[0], hours[-1], site, table],
    )


_OF_THESE_HOURS: Final = (
    " WHERE (site, table_id) = (%s, %s) AND NOT superseded AND void IS NULL"
    " AND date_trunc('hour', ended, 'UTC') = ANY(%s)"
    " AND ended >= %s AND ended < %s::timestamptz + interval '1 hour'"
)


def _count_books(connection: Connection[Row], name: TableName, hours: Sequence[datetime]) -> None:
    """Recounts what each book kept, and the stakes by wager."""
    these: list[object] = [*name, list(hours)]
    for counted in ("book_hour", "stake_hour"):
        connection.execute(
            f"DELETE FROM floor.{counted} WHERE (site, table_id) = (%s, %s) AND hour = ANY(%s)",
            these,
        )
    these += [hours[0], hours[-1]]
    connection.execute(
        "INSERT INTO floor.book_hour SELECT site, table_id, date_trunc('hour', ended, 'UTC'),"
        " rulebook, left(coalesce(result, ''), 1), count(*), sum(hold_minor) FROM floor.round"
        f"{_OF_THESE_HOURS} GROUP BY 1, 2, 3, 4, 5",
        these,
    )
    connection.execute(
        "INSERT INTO floor.stake_hour SELECT site, table_id, date_trunc('hour', ended, 'UTC'),"
        " rulebook, one.kind, two.kind, sum((one.totals->>'staked')::numeric),"
        " sum((one.totals->>'staked')::numeric * (two.totals->>'staked')::numeric)"
        " FROM floor.round, jsonb_each(wagers) AS one (kind, totals),"
        " jsonb_each(wagers) AS two (kind, totals)"
        f'{_OF_THESE_HOURS} AND one.kind COLLATE "C" <= two.kind COLLATE "C"'
        " GROUP BY 1, 2, 3, 4, 5, 6",
        these,
    )


def _write_devices(connection: Connection[Row], behind: Behind, found: Derived) -> None:
    def rows() -> Iterable[Row]:
        for (hour, device), count in found.devices.items():
            if count != DeviceCount():
                yield (
                    *behind.name, hour, device, count.cards, count.misreads, count.errors,
                    count.link_losses,
                )  # fmt: skip

    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO floor.device_count AS c (site, table_id, hour, device, cards, misreads,"
            " errors, link_losses) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
            " ON CONFLICT (site, table_id, hour, device) DO UPDATE SET"
            " cards = c.cards + excluded.cards, misreads = c.misreads + excluded.misreads,"
            " errors = c.errors + excluded.errors,"
            " link_losses = c.link_losses + excluded.link_losses",
            list(rows()),
        )


def _write_exceptions(connection: Connection[Row], behind: Behind, found: Derived) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO floor.exception (site, table_id, epoch, seq, kind, what, code, gaps, text,"
            " clause, role, word, second, severity, since) VALUES"
            " (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
            " ON CONFLICT (site, table_id, epoch, seq, kind, what, since) WHERE seq IS NOT NULL"
            " DO UPDATE SET code = excluded.code, gaps = excluded.gaps, text = excluded.text,"
            " clause = excluded.clause, role = excluded.role, word = excluded.word,"
            " second = excluded.second, severity = excluded.severity",
            [
                (
                    *behind.key, each.seq, each.kind, each.what, each.sentence.code,
                    Json(each.sentence.params), each.text, each.clause, each.role, each.word,
                    each.second, int(each.severity), moment(each.since),
                )
                for each in found.exceptions.values()
            ],
        )  # fmt: skip
        cursor.executemany(
            "UPDATE floor.exception SET closed = %s, closed_by_seq = %s WHERE"
            " (site, table_id, epoch, seq, kind, what, since) = (%s, %s, %s, %s, %s, %s, %s)",
            [
                (
                    moment(each.at), each.seq, *behind.key, each.hold.seq, each.hold.kind,
                    each.hold.what, moment(each.hold.since),
                )
                for each in found.closed
            ],
        )  # fmt: skip


def _write_not_taken(connection: Connection[Row], behind: Behind, found: Derived) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO floor.order_not_taken (site, table_id, epoch, seq, at, who, outcome,"
            " orders) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [
                (*behind.key, each.seq, moment(each.at), each.who, each.outcome, each.orders)
                for each in found.not_taken
            ],
        )

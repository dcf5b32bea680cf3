"""What is derived: kept up as records come, and the same when it is made anew from nothing."""

import hashlib
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from controller.floor.projections import record_projection
from controller.floor.projections.projector import MonthsGone, advance, rebuild
from controller.floor.projections.unreadable_records import read_again
from controller.floor.store.rows import COLUMNS, TYPES, row_of
from controller.journal.records import NO_DIGEST, SUMMARY, Record
from controller.protocol.names import TableName
from controller.protocol.records import sent
from support.floor.erring import erring_table
from support.floor.servers import FloorDatabase


def tables() -> dict[TableName, tuple[Record, ...]]:
    """Not when this is imported: every worker imports all tests."""
    return {TableName("site", f"t{way}"): erring_table(way, 3, 30)[0] for way in (0, 3, 8, 10)}


DERIVED = {
    "round": "SELECT * FROM floor.round ORDER BY site, table_id, epoch, summary",
    "device": "SELECT * FROM floor.device_count ORDER BY site, table_id, hour, device",
    "dealer": "SELECT * FROM floor.dealer_hour ORDER BY site, table_id, hour, dealer",
    "book": "SELECT * FROM floor.book_hour ORDER BY 1, 2, 3, 4, 5",
    "stake": "SELECT * FROM floor.stake_hour ORDER BY 1, 2, 3, 4, 5, 6",
    "not taken": "SELECT * FROM floor.order_not_taken ORDER BY 1, 2, 3, 4",
    "cursor": "SELECT site, table_id, epoch, seq FROM floor.derived ORDER BY 1, 2, 3",
    "exception": (
        "SELECT site, table_id, epoch, seq, kind, what, code, gaps, text, clause, role, word,"
        " second, severity, since, closed, closed_by_seq, acknowledged_by FROM floor.exception"
        " ORDER BY 1, 2, 3, 4, 5, 6, since"
    ),
}


def put(
    owner: psycopg.Connection[tuple[object, ...]],
    name: TableName,
    records: tuple[Record, ...],
    epoch: int = 1,
) -> None:
    """As the sink leaves them."""
    with owner.cursor().copy(f"COPY floor.record ({COLUMNS}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(TYPES)
        for record in records:
            copy.write_row(row_of(name, epoch, sent(record)))
    owner.execute(
        "INSERT INTO floor.head (site, table_id, epoch, seq, digest) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (site, table_id, epoch) DO UPDATE SET seq = excluded.seq",
        [*name, epoch, records[-1].seq if records else 0, NO_DIGEST],
    )
    owner.commit()


def derived(owner: psycopg.Connection[tuple[object, ...]]) -> dict[str, list[tuple[object, ...]]]:
    return {name: owner.execute(query).fetchall() for name, query in DERIVED.items()}


def test_made_anew_is_equal_to_kept_up(database: FloorDatabase) -> None:
    random = Random(7)
    with database.connect() as owner, database.connect("floor_derive") as connection:
        left = {name: list(records) for name, records in tables().items()}
        while any(left.values()):
            name = random.choice([each for each, records in left.items() if records])
            count = random.randint(1, 40)
            put(owner, name, tuple(left[name][:count]))
            del left[name][:count]
            if random.random() < 0.7:
                advance(connection)
        while advance(connection):
            pass
        connection.commit()
        seq = "SELECT min(seq) FROM floor.exception"
        owner.execute(
            "UPDATE floor.exception SET acknowledged_by = 'pia', acknowledged = now()"
            f" WHERE seq = ({seq})"
        )
        owner.commit()
        before = derived(owner)
        assert len(before["round"]) > 20
        assert len(before["exception"]) > 20
        assert any(row[-1] == "pia" for row in before["exception"])
        owner.commit()
        assert rebuild(connection) == sum(map(len, tables().values()))
        connection.commit()
        assert derived(owner) == before


def test_dealers_hours_count_what_holds(database: FloorDatabase) -> None:
    """A round that was corrected counts once, as its last summary has it."""
    with database.connect() as owner, database.connect("floor_derive") as connection:
        for name, records in tables().items():
            put(owner, name, records)
        advance(connection)
        connection.commit()
        (rounds,) = owner.execute("SELECT count(*) FROM floor.round WHERE superseded").fetchall()
        assert rounds != (0,), "nothing was corrected"
        counted = owner.execute(
            "SELECT sum(rounds)::int, sum(voids)::int, sum(corrections)::int FROM floor.dealer_hour"
        ).fetchone()
        wanted = owner.execute(
            "SELECT count(*), count(void), count(*) FILTER (WHERE corrected)"
            " FROM floor.round WHERE NOT superseded"
        ).fetchone()
        assert counted == wanted
        longer = owner.execute(
            "SELECT count(*) FROM floor.dealer_hour WHERE seconds <= 0 OR seconds > 3600"
        ).fetchone()
        assert longer == (0,)
        ruled = owner.execute(
            "SELECT sum(n::int)::int FROM floor.dealer_hour,"
            " jsonb_each_text(irregularities) i(c, n)"
        ).fetchone()
        assert (
            ruled
            == owner.execute(
                "SELECT sum(jsonb_array_length(rulings))::int FROM floor.round WHERE NOT superseded"
            ).fetchone()
        )


def test_books_hours_are_their_rounds_added_up(database: FloorDatabase) -> None:
    """What a page of trends reads is the rounds added up that hold and are not void."""
    with database.connect() as owner, database.connect("floor_derive") as connection:
        for name, records in tables().items():
            put(owner, name, records[: len(records) // 2])
            advance(connection)
            put(owner, name, records[len(records) // 2 :])
        while advance(connection):
            pass
        connection.commit()
        (left_out,) = owner.execute(
            "SELECT count(*) FILTER (WHERE superseded) > 0 AND count(void) > 0 FROM floor.round"
        ).fetchall()
        assert left_out == (True,), "nothing was corrected, or nothing void"
        holds = "FROM floor.round WHERE NOT superseded AND void IS NULL"
        assert (
            owner.execute(
                "SELECT rulebook, result, sum(rounds), sum(kept_minor) FROM floor.book_hour"
                " GROUP BY 1, 2 ORDER BY 1, 2"
            ).fetchall()
            == owner.execute(
                f"SELECT rulebook, left(result, 1), count(*), sum(hold_minor) {holds}"
                " GROUP BY 1, 2 ORDER BY 1, 2"
            ).fetchall()
        )
        rounds = owner.execute(f"SELECT wagers {holds}").fetchall()
        wanted: dict[tuple[str, str], list[int]] = {}
        for (wagers,) in rounds:
            for one, two in combinations_with_replacement(sorted(wagers), 2):
                sums = wanted.setdefault((one, two), [0, 0])
                sums[0] += wagers[one]["staked"]
                sums[1] += wagers[one]["staked"] * wagers[two]["staked"]
        counted = owner.execute(
            "SELECT one, two, sum(staked)::bigint, sum(product)::bigint FROM floor.stake_hour"
            " GROUP BY 1, 2"
        ).fetchall()
        assert {(one, two): [*sums] for one, two, *sums in counted} == wanted


def test_new_epoch_counts_what_both_histories_have_once(database: FloorDatabase) -> None:
    name, records = next(iter(tables().items()))
    with database.connect() as owner, database.connect("floor_derive") as connection:
        put(owner, name, records)
        advance(connection)
        connection.commit()
        before = derived(owner)
        owner.execute(
            "INSERT INTO floor.reset_log (site, table_id, epoch, by_who, second, reason)"
            " VALUES (%s, %s, 2, 'ann', 'ben', 'old disk')",
            list(name),
        )
        put(owner, name, records[: len(records) // 2], epoch=2)
        advance(connection)
        connection.commit()
        after = derived(owner)
        for what in ("round", "device", "dealer"):
            assert after[what] == before[what]
        first = [row for row in after["exception"] if row[2] == 1]
        assert all(row[-3] is not None for row in first), "a history that is over holds nobody"


def test_unit_of_a_device_is_looked_up_by_the_hour(database: FloorDatabase) -> None:
    with database.connect() as owner:
        for hour, since, unit in (("10:00", "09:30", "old"), ("11:00", "11:20", "new")):
            owner.execute(
                f"INSERT INTO floor.device_count VALUES ('s', 't', '2026-11-17 {hour}Z', 'shoe', 5)"
            )
            owner.execute(
                "INSERT INTO floor.device_unit VALUES ('s', 't', 'shoe',"
                f" '2026-11-17 {since}Z', 'angel', '{unit}', '1')"
            )
        owner.execute(
            "INSERT INTO floor.device_count VALUES ('s', 't', '2026-11-17 08:00Z', 'shoe', 5)"
        )
        found = owner.execute("SELECT unit FROM floor.device_hour ORDER BY hour").fetchall()
        assert found == [("old",), ("old",), ("new",)]


def test_record_that_no_column_takes_is_told_and_stops_nobody(database: FloorDatabase) -> None:
    """A table may say anything: its own and all others' go on being derived."""
    name, records = next(iter(tables().items()))
    place, summary = next(
        (place, each) for place, each in enumerate(records) if each.kind == SUMMARY
    )
    body = msgspec.json.decode(summary.body)
    with database.connect() as owner, database.connect("floor_derive") as connection:
        for number, change in enumerate(({"dealer": "a\0b"}, {"shoe": 2**80}, {"ref": "\0"})):
            spoilt = replace(summary, body=msgspec.json.encode(body | change))
            table = TableName("site", f"bad{number}")
            put(owner, table, (*records[:place], spoilt, *records[place + 1 :]))
        put(owner, name, records)
        while advance(connection):
            pass
        connection.commit()
        told = owner.execute(
            "SELECT table_id, seq FROM floor.exception WHERE kind = 'unreadable' ORDER BY 1"
        ).fetchall()
        assert told == [(f"bad{number}", summary.seq) for number in range(3)]
        counts: dict[str, int] = dict(
            owner.execute("SELECT table_id, count(*)::int FROM floor.round GROUP BY 1").fetchall()
        )
        whole = counts.pop(name.table)
        assert counts == {f"bad{number}": whole - 1 for number in range(3)}
        before = derived(owner)
        owner.commit()
        rebuild(connection)
        connection.commit()
        assert derived(owner) == before


def test_name_that_no_index_takes_stops_no_other_table(database: FloorDatabase) -> None:
    (name, records), (other, others), *_ = tables().items()
    place = next(at for at, each in enumerate(records) if each.kind == SUMMARY)
    body = msgspec.json.decode(records[place].body)
    body["dealer"] = "".join(
        hashlib.sha256(bytes([n % 256, n // 256])).hexdigest() for n in range(700)
    )
    long = replace(records[place], body=msgspec.json.encode(body))
    with database.connect() as owner, database.connect("floor_derive") as connection:
        put(owner, name, (*records[:place], long, *records[place + 1 :]))
        put(owner, other, others)
        while advance(connection):
            pass
        connection.commit()
        told = owner.execute("SELECT table_id, seq FROM floor.exception WHERE kind = 'unreadable'")
        assert told.fetchall() == [(name.table, long.seq)]
        for each, wanted in ((name, len(records)), (other, len(others))):
            read = owner.execute("SELECT seq FROM floor.derived WHERE table_id = %s", [each.table])
            assert read.fetchall() == [(wanted,)]


def test_correction_after_a_new_history_supersedes_what_both_have(database: FloorDatabase) -> None:
    """The floor begins a new epoch between a round and its correction: it is one round."""
    name, records = next(
        (name, records)
        for name, records in tables().items()
        if any(b'"supersedes":' in each.body for each in records if each.kind == SUMMARY)
    )
    later = next(
        each
        for each in records
        if each.kind == SUMMARY and msgspec.json.decode(each.body).get("supersedes")
    )
    with database.connect() as owner, database.connect("floor_derive") as connection:
        put(owner, name, records[: later.seq - 1])
        advance(connection)
        put(owner, name, records, epoch=2)
        while advance(connection):
            pass
        connection.commit()
        seq = msgspec.json.decode(later.body)["supersedes"]
        held = owner.execute(
            "SELECT epoch, summary, superseded FROM floor.round WHERE summary = ANY(%s)"
            " ORDER BY summary",
            [[seq, later.seq]],
        ).fetchall()
        assert held[0] == (1, seq, True)
        assert held[1][:2] == (2, later.seq)
        (counted,) = owner.execute("SELECT sum(rounds)::int FROM floor.dealer_hour").fetchall()
        (wanted,) = owner.execute(
            "SELECT count(DISTINCT (shoe, round)) FROM floor.round"
        ).fetchall()
        assert counted == wanted


def test_record_that_a_newer_release_can_read_counts_and_is_told_no_more(
    database: FloorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, records = next(iter(tables().items()))
    spoilt = {each.seq for each in records if each.kind == SUMMARY} - {records[-1].seq}
    reads = record_projection._take

    def older(record: Record, *more: Any, **named: Any) -> None:
        if record.seq in spoilt:
            raise KeyError(record.seq)
        reads(record, *more, **named)

    with database.connect() as owner, database.connect("floor_derive") as connection:
        put(owner, name, records)
        while advance(connection):
            pass
        whole = derived(owner)
        owner.commit()
        monkeypatch.setattr(record_projection, "_take", older)
        rebuild(connection)
        assert read_again(connection) == [], "it is still not read"
        connection.commit()
        told = "SELECT count(*)::int FROM floor.exception WHERE kind = 'unreadable'"
        assert owner.execute(told).fetchall() == [(len(spoilt),)]
        monkeypatch.undo()
        owner.commit()
        assert read_again(connection) == [name]
        connection.commit()
        assert derived(owner) == whole
        owner.commit()
        assert read_again(connection) == []


def test_what_was_counted_from_archived_months_is_not_thrown_away(database: FloorDatabase) -> None:
    name, records = next(iter(tables().items()))
    with database.connect() as owner, database.connect("floor_derive") as connection:
        put(owner, name, records[5:])
        with pytest.raises(MonthsGone, match="restore-month"):
            rebuild(connection)


def _noted(seq: int, says: str) -> Record:
    noted = {"what": "floor_order_not_taken", "who": "floor", "says": says}
    line = {"at": 1.0, "event": "noted", "from": "system", "with": noted}
    told: dict[str, Any] = {
        "accepted": True,
        "clause": None,
        "effect": {},
        "in": line,
        "opened": [],
    }
    body = msgspec.json.encode({**told, "state": "closed"})
    return Record(
        *("step", 4, 1_700_000_000.0 + seq, 1, 1, body, None), seq=seq, digest=bytes([seq]) * 32
    )


def test_what_somebody_knows_of_orders_stays_known_when_all_is_made_anew(
    database: FloorDatabase,
) -> None:
    name, notes = TableName("site", "t1"), (_noted(1, "forged"), _noted(2, "replayed"))
    with database.connect() as owner, database.connect("floor_derive") as derive:
        put(owner, name, notes)
        owner.commit()
        while advance(derive):
            derive.commit()
        owner.execute(
            "UPDATE floor.exception SET acknowledged_by = 'ben', acknowledged = now(),"
            " closed = now() WHERE seq = 1"
        )
        owner.commit()
        rebuild(derive)
        derive.commit()
        found = owner.execute(
            "SELECT seq, closed IS NULL, acknowledged_by FROM floor.exception ORDER BY seq"
        ).fetchall()
    assert found == [(1, False, "ben"), (2, True, None)]


def test_an_outcome_that_is_not_known_is_none(database: FloorDatabase) -> None:
    said = [(1, "forged"), (2, "moved_on"), (3, "of another time")]
    with database.connect() as owner, database.connect("floor_derive") as derive:
        put(owner, TableName("site", "t1"), tuple(_noted(*each) for each in said))
        owner.commit()
        advance(derive)
        derive.commit()
        rows = owner.execute(
            "SELECT seq, outcome, orders FROM floor.order_not_taken ORDER BY seq"
        ).fetchall()
        alarms = owner.execute("SELECT seq, what FROM floor.exception").fetchall()
    assert rows == [(1, "forged", 1), (2, "moved_on", 1), (3, None, 1)]
    assert alarms == [(1, "floor_order_forged")]

"""The sink on a real database: once, in order, judged, and never from memory."""

import hashlib
import subprocess
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from controller.floor.embedded.postgres import OWNER, programs
from controller.floor.sink.writer import MAX_DIVERGED, StoreAway, Writer
from controller.protocol.names import TableName
from controller.protocol.records import BatchVerdict, Refusal
from support.floor.oracle import check_rows
from support.floor.servers import FloorDatabase, made_database
from support.floor.tables import FLOOR_SIGNER, MadeJournal, Sender


def writer(database: FloorDatabase) -> Writer:
    return Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)


def tables(count: int, records: int = 40) -> list[Sender]:
    made = []
    for number in range(count):
        name = TableName("site", f"t{number}")
        journal = MadeJournal(str(name))
        journal.grow(records + number)
        made.append(Sender(name, journal, most=16))
    return made


def exceptions(database: FloorDatabase) -> list[tuple[object, ...]]:
    with database.connect() as owner:
        return owner.execute(
            "SELECT table_id, kind, closed IS NOT NULL FROM floor.exception ORDER BY id"
        ).fetchall()


def test_while_a_dump_is_restored_tables_are_told_to_wait(database: FloorDatabase) -> None:
    """A database without its tables is no fault of a batch: nobody is refused for good."""
    sink, (sender,) = writer(database), tables(1)
    first = sender.next_batch()
    assert first is not None
    with database.connect() as owner:
        owner.execute("ALTER SCHEMA floor RENAME TO not_yet")
    with pytest.raises(StoreAway):
        sink.write([first])
    with database.connect() as owner:
        owner.execute("ALTER SCHEMA not_yet RENAME TO floor")
    sender.send_all(sink.write)
    check_rows(database, [sender])
    sink.close()


def test_batches_of_many_tables_in_one_commit(database: FloorDatabase) -> None:
    sink, senders = writer(database), tables(20)
    while batches := [(each, batch) for each in senders if (batch := each.next_batch())]:
        marks = sink.write([batch for _, batch in batches])
        for (sender, _), mark in zip(batches, marks, strict=True):
            sender.heard(mark)
    check_rows(database, senders)
    with database.connect() as owner:
        # One transaction wrote the first records of all of them.
        found = owner.execute("SELECT count(DISTINCT xmin::text) FROM floor.record WHERE seq = 1")
        assert found.fetchone() == (1,)
    sink.close()


def test_doubled_and_delayed_batches_change_nothing(database: FloorDatabase) -> None:
    sink, (one,) = writer(database), tables(1)
    one.send_all(sink.write)
    late = [replace(one.batch(after, 9), epoch=1) for after in (0, 5, 17, 31)]
    for batch in [*late, *reversed(late)]:
        (mark,) = sink.write([batch])
        assert (mark.verdict, mark.head) == (BatchVerdict.COMMITTED, one.journal.head)
    check_rows(database, [one])
    assert exceptions(database) == []
    sink.close()


def test_unknown_table_is_refused_where_nobody_enrols_itself(database: FloorDatabase) -> None:
    sink = Writer(database.as_("floor_sink"), FLOOR_SIGNER)
    (one,) = tables(1)
    (mark,) = sink.write([one.batch(0, 5)])
    assert (mark.verdict, mark.why) == (BatchVerdict.REFUSED, Refusal.UNKNOWN_TABLE)
    assert mark.is_by(FLOOR_SIGNER.public)
    with database.connect() as owner:
        owner.execute("INSERT INTO floor.table_register (site, table_id) VALUES ('site', 't0')")
    one.send_all(sink.write)
    check_rows(database, [one])
    with database.connect() as owner:
        owner.execute("UPDATE floor.table_register SET revoked = now()")
    one.journal.grow(1)
    (mark,) = sink.write([one.batch(40, 5)])
    assert (mark.verdict, mark.why) == (BatchVerdict.REFUSED, Refusal.REVOKED)
    sink.close()


def test_other_histories_without_end_fill_no_disk(database: FloorDatabase) -> None:
    """A table that is not the one it was goes on sending; the alarm stands, the first are kept."""
    sink, (one, another) = writer(database), tables(2)

    def send_otherwise(sender: Sender, times: int) -> None:
        sender.send_all(sink.write)
        old = Sender(sender.name, sender.journal.cut(20), "two")
        old.journal.grow(3, "otherwise")
        for number in range(times):
            batch = replace(old.batch(20, 3), epoch=1, instance=f"n{number}")
            (mark,) = sink.write([batch])
            assert mark.verdict is BatchVerdict.DIVERGED

    send_otherwise(one, MAX_DIVERGED + 6)
    send_otherwise(another, 1)  # one that fills its own place takes nobody else's
    with database.connect() as owner:
        kept = owner.execute(
            "SELECT table_id, count(*) FROM floor.divergence GROUP BY 1 ORDER BY 1"
        ).fetchall()
    assert kept == [("t0", MAX_DIVERGED), ("t1", 1)]
    assert exceptions(database) == [("t0", "diverged", False), ("t1", "diverged", False)]
    sink.close()


def test_old_disk_diverges_and_both_histories_are_kept(database: FloorDatabase) -> None:
    sink, (one,) = writer(database), tables(1)
    one.send_all(sink.write)
    old = Sender(one.name, one.journal.cut(20), "two")
    old.journal.grow(3, "otherwise")
    old.send_all(sink.write)
    assert old.held
    assert old.verdicts[-1].verdict is BatchVerdict.DIVERGED
    assert old.verdicts[-1].head == one.journal.head, "it is told how far the floor is"
    check_rows(database, [one])
    assert exceptions(database) == [("t0", "diverged", False)]
    with database.connect() as owner:
        kept = owner.execute("SELECT at_seq, instance FROM floor.divergence").fetchall()
        assert kept == [(23, "two")]
    (mark,) = sink.write([replace(old.batch(15, 8), epoch=1)])
    assert mark.verdict is BatchVerdict.DIVERGED
    check_rows(database, [one])
    # The right disk is put back: the table goes on, and the alarm is over.
    one.journal.grow(2)
    one.send_all(sink.write)
    check_rows(database, [one])
    assert exceptions(database) == [("t0", "diverged", True)]
    sink.close()


def test_old_disk_from_before_a_month_that_went_into_a_file_is_seen(
    database: FloorDatabase,
) -> None:
    """Its records are nowhere in the database; where the file ends is."""
    sink, (one,) = writer(database), tables(1)
    one.send_all(sink.write)
    records = one.journal.records
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE seq <= 30")
        owner.execute(
            "INSERT INTO floor.archive (site, table_id, epoch, month, first, last, file, sha256,"
            " before_digest, end_digest, gone, verified)"
            " VALUES ('site', 't0', 1, '2025-01-01', 1, 30, 'x', '', '', %s, 30, now())",
            [records[29].digest],
        )
    for after, count in ((25, 5), (20, 16), (30, 0), (0, 41)):
        (mark,) = sink.write([replace(one.batch(after, count), epoch=1)])
        assert mark.verdict is BatchVerdict.COMMITTED, "what can be told to be the same"
    assert exceptions(database) == []
    old = Sender(one.name, one.journal.cut(20), "two")
    old.journal.grow(5, "otherwise")
    old.send_all(sink.write)
    assert old.held
    (mark,) = sink.write([replace(old.batch(20, 5), epoch=1)])
    assert mark.verdict is BatchVerdict.DIVERGED
    assert exceptions(database) == [("t0", "diverged", False)]
    one.journal.grow(1)
    one.send_all(sink.write)
    assert exceptions(database) == [("t0", "diverged", True)]
    sink.close()


def test_forged_record_is_refused_and_seen(database: FloorDatabase) -> None:
    sink, (one, other) = writer(database), tables(2)
    one.send_all(sink.write)
    one.journal.grow(4)
    batch = replace(one.batch(40, 9), epoch=1)
    forged = [replace(batch.records[0], body=b"{}"), *batch.records[1:]]
    marks = sink.write([replace(batch, records=forged), other.batch(0, 5)])
    assert [mark.verdict for mark in marks] == [BatchVerdict.REFUSED, BatchVerdict.COMMITTED]
    assert exceptions(database) == [("t0", "unsound", False)]
    one.send_all(sink.write)
    check_rows(database, [one])
    assert exceptions(database) == [("t0", "unsound", True)]
    sink.close()


def test_a_batch_that_cannot_be_kept_is_an_alarm(database: FloorDatabase) -> None:
    """Whoever put a record where the table's next one belongs: the others do not wait for it."""
    sink, (one, other) = writer(database), tables(2)
    one.send_all(sink.write)
    with database.connect() as owner:
        head = [20, one.journal.records[19].digest]
        owner.execute("UPDATE floor.head SET seq = %s, digest = %s", head)
        owner.execute("DELETE FROM floor.record WHERE seq > 20 AND seq <> 24")
    marks = sink.write([other.batch(0, 5), replace(one.batch(20, 9), epoch=1)])
    assert [mark.verdict for mark in marks] == [BatchVerdict.COMMITTED, BatchVerdict.REFUSED]
    assert marks[1].why is Refusal.NOT_A_BATCH
    assert exceptions(database) == [("t0", "unsound", False)]
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.record WHERE seq = 24")
    one.lost()
    one.send_all(sink.write)
    check_rows(database, [one])
    assert exceptions(database) == [("t0", "unsound", True)]
    sink.close()


def test_two_sinks_on_one_database_agree(database: FloorDatabase) -> None:
    """Neither trusts what it remembers: what the other wrote is found."""
    one_sink, other_sink, senders = writer(database), writer(database), tables(4)
    for number in range(60):
        for place, sender in enumerate(senders):
            batch = sender.next_batch()
            if batch is not None:
                sink = one_sink if (number + place) % 2 else other_sink
                sender.heard(sink.write([batch])[0])
    check_rows(database, senders)
    one_sink.close()
    other_sink.close()


def test_database_restored_from_an_old_dump_is_filled_again(
    database: FloorDatabase, tmp_path: Path
) -> None:
    sink, senders = writer(database), tables(6)
    for sender in senders:
        for _ in range(2):
            batch = sender.next_batch()
            assert batch is not None
            sender.heard(sink.write([batch])[0])
    dump, server = tmp_path / "floor.dump", database.server
    run = subprocess.run
    run(
        [programs() / "pg_dump", "-Fc", "-f", dump, "-d", database.as_()],
        check=True,
    )
    for sender in senders:
        sender.send_all(sink.write)
    sink.close()
    check_rows(database, senders)
    restored = made_database(server)
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {restored.name}")
        connection.execute(f"CREATE DATABASE {restored.name} OWNER {OWNER}")
    run([programs() / "pg_restore", "-d", restored.as_(), dump], check=True)
    again = writer(restored)
    for sender in senders:
        before = len(sender.verdicts)
        sender.journal.grow(3)
        sender.send_all(again.write)
        assert sender.verdicts[before].head.seq == 16, "the floor says that it is behind"
    again.close()
    check_rows(restored, senders)


def test_database_that_is_away_is_told_and_found_again(database: FloorDatabase) -> None:
    sink, (one,) = writer(database), tables(1)
    sink.write([one.batch(0, 5)])
    with database.connect() as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'floor_sink'"
        )
    with pytest.raises(StoreAway):
        sink.write([one.batch(5, 5)])
    one.send_all(sink.write)
    check_rows(database, [one])
    sink.close()


def test_wrong_clock_is_kept_with_its_own_time(database: FloorDatabase) -> None:
    sink, (one,) = writer(database), tables(1, records=3)
    for at in (-1e300, 0.0, 1e12, 1e300):
        one.journal.at = at
        one.journal.grow(1)
    one.send_all(sink.write)
    check_rows(database, [one])
    sink.close()


def test_no_sealed_byte_is_in_the_database(database: FloorDatabase) -> None:
    sink, (one,) = writer(database), tables(1)
    one.send_all(sink.write)
    sealed = [each.sealed for each in one.journal.records if each.sealed]
    assert sealed
    with database.connect() as owner:
        rows = owner.execute(
            "SELECT sealed, record::text FROM floor.record WHERE sealed IS NOT NULL"
        )
        found = rows.fetchall()
    assert [row[0] for row in found] == [hashlib.sha256(each).digest() for each in sealed]
    assert not any(each.hex() in str(row[1]) for row in found for each in sealed)
    sink.close()


def test_a_clone_is_told_while_it_is_heard_and_again_when_it_comes_back(
    database: FloorDatabase,
) -> None:
    sink, (sender,) = writer(database), tables(1)
    sender.send_all(sink.write)
    told = (sender.name.table, "cloned")

    def a_minute_later() -> None:
        with database.connect() as owner:
            owner.execute(
                "UPDATE floor.exception SET since = since - interval '61 s',"
                " seen = seen - interval '61 s'"
            )

    sink.note_cloned([sender.name])
    a_minute_later()
    sink.note_cloned([sender.name])
    sender.journal.grow(1)
    sender.send_all(sink.write)  # they take turns: one of them may well send what follows
    assert exceptions(database) == [(*told, False)]
    a_minute_later()
    sender.journal.grow(1)
    sender.send_all(sink.write)
    assert exceptions(database) == [(*told, True)]
    sink.note_cloned([sender.name])
    assert exceptions(database) == [(*told, True), (*told, False)]
    sink.close()

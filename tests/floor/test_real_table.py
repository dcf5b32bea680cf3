"""A real table with its own uplink and the real sink: killed, wiped, and an old disk."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.floor.embedded.nats import NatsServer
from controller.journal import audit
from controller.protocol.names import TableName
from support.floor.faults import SinkProgram
from support.floor.oracle import journal_rows, rows_of
from support.floor.servers import FloorDatabase
from support.floor.table_at_floor import (
    TableAtFloor,
    files_of,
    held_by,
    put_back,
    table_at_floor,
)
from support.floor.tables import FLOOR_SIGNER
from support.limits import MAX_WAIT_S

NAME = TableName("site", "real")
LIMIT_S = MAX_WAIT_S


@pytest.fixture
def sink(database: FloorDatabase, nats_server: NatsServer) -> Iterator[SinkProgram]:
    found = SinkProgram(database, nats_server)
    found.start()
    found.wait()
    yield found
    found.kill()


def exceptions(database: FloorDatabase) -> list[tuple[object, ...]]:
    with database.connect() as owner:
        return owner.execute("SELECT kind FROM floor.exception WHERE closed IS NULL").fetchall()


def until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not there():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)


def is_whole(database: FloorDatabase, table: TableAtFloor) -> bool:
    return rows_of(database, NAME) == journal_rows(table.places.journal)


def change_limits(table: TableAtFloor, times: int) -> None:
    for minimum in range(500, 500 + times):
        assert table.say("limits", minimum=minimum)["accepted"]


def test_every_record_is_a_row_once_through_a_killed_sink_and_a_wiped_database(
    tmp_path: Path, database: FloorDatabase, nats_server: NatsServer, sink: SinkProgram
) -> None:
    key = FLOOR_SIGNER.public
    with table_at_floor(tmp_path, nats_server.url, NAME, key) as table:
        table.say("open_table")
        until(lambda: is_whole(database, table))
        sink.kill()
        change_limits(table, 300)
        sink.start()
        sink.wait()
        until(lambda: is_whole(database, table))
        sink.kill()
        with database.connect() as owner:
            owner.execute("TRUNCATE floor.record, floor.head")
        sink.start()
        sink.wait()
        change_limits(table, 1)
        until(lambda: is_whole(database, table))
        assert held_by(table) == []


@pytest.mark.usefixtures("sink")
def test_table_with_an_old_disk_is_held_and_nothing_is_overwritten(
    tmp_path: Path, database: FloorDatabase, nats_server: NatsServer
) -> None:
    key = FLOOR_SIGNER.public
    with table_at_floor(tmp_path, nats_server.url, NAME, key) as table:
        table.say("open_table")
        until(lambda: is_whole(database, table))
    old = files_of(tmp_path)
    with table_at_floor(tmp_path, nats_server.url, NAME, key) as table:
        change_limits(table, 20)
        until(lambda: is_whole(database, table))
    kept = rows_of(database, NAME)
    put_back(tmp_path, old)
    (tmp_path / "journal.db.head.floor").unlink()  # even that is gone: only the floor knows
    with table_at_floor(tmp_path, nats_server.url, NAME, key) as table:
        until(lambda: held_by(table) == ["journal_loss"])
        until(lambda: ("diverged",) in exceptions(database))
        told = [each for each in audit.read(table.places.journal) if b"journal_loss" in each.body]
        assert len(told) == 1
    assert rows_of(database, NAME) == kept

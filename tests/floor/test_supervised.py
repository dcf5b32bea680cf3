"""A part of the service that fails as nobody foresaw: told, begun anew, the others untouched."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from controller.console.http.uvicorn_adapter import EdgeServer
from controller.floor.config import (
    DatabaseRoles,
    FloorConfig,
    Keys,
    NatsSettings,
    SiteSettings,
    Tables,
    Web,
)
from controller.floor.service.floor_process import RunningFloor, floor
from controller.floor.service.supervisor import Faults, supervised
from controller.protocol.names import TableName
from controller.protocol.records import Watermark
from support.floor.servers import FloorDatabase
from support.floor.tables import MadeJournal, Sender


def test_a_part_that_fails_is_told_and_begun_anew(database: FloorDatabase) -> None:
    begun = 0

    async def part() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ZeroDivisionError
        goes_on.set()
        await asyncio.Event().wait()

    async def run() -> None:
        faults = Faults(database.as_("floor_sink"), "site")
        task = asyncio.create_task(supervised("roots", part, faults, first_s=0.01))
        await asyncio.wait_for(goes_on.wait(), 60)
        assert not task.done()
        task.cancel()

    goes_on = asyncio.Event()
    asyncio.run(run())
    with database.connect() as owner:
        rows = owner.execute(
            "SELECT table_id, what, closed IS NULL FROM floor.exception WHERE kind = 'fault'"
        ).fetchall()
        assert rows == [("", "roots", True)]
    asyncio.run(Faults(database.as_("floor_sink"), "site").ended("roots"))
    with database.connect() as owner:
        assert owner.execute("SELECT FROM floor.exception WHERE closed IS NULL").fetchall() == []


def test_a_database_that_is_away_holds_no_part_up() -> None:
    asyncio.run(Faults("host=/nowhere dbname=none", "site").began("roots"))


def test_pages_that_fail_stop_neither_the_sink_nor_the_service(
    database: FloorDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles = {each: database.as_(f"floor_{each}") for each in DatabaseRoles.__struct_fields__}
    config = FloorConfig(
        SiteSettings("site"), DatabaseRoles(**roles), NatsSettings([]),
        Keys(str(tmp_path / "floor.signing")),
        Tables(enrol="themselves"), web=Web(port=0, staff=str(tmp_path / "staff.json")),
    )  # fmt: skip
    serves, failures = EdgeServer.main_loop, 0

    async def fails(server: EdgeServer) -> None:
        nonlocal failures
        failures += 1
        if failures == 1:
            raise ZeroDivisionError
        await serves(server)

    async def run() -> None:
        async with floor(config) as running, httpx.AsyncClient(base_url=running.url) as browser:
            await _until(lambda: failures == 1)
            assert await _answered(running, journal) == len(journal.records), "the sink goes on"
            assert (await browser.get("/healthz", timeout=60)).json() == {"lives": True}
            assert (failures, running.ended()) == (2, None)

    journal = MadeJournal("site/t1")
    journal.grow(5)
    monkeypatch.setattr(EdgeServer, "main_loop", fails)
    asyncio.run(run())
    with database.connect() as owner:
        rows = owner.execute("SELECT what FROM floor.exception WHERE kind = 'fault'").fetchall()
    assert rows == [("pages",)]


async def _answered(running: RunningFloor, journal: MadeJournal) -> int:
    """How far the floor says that it has this table's records."""
    mark: asyncio.Future[Watermark] = asyncio.get_running_loop().create_future()
    batch = Sender(TableName("site", "t1"), journal, epoch=1).batch(0, len(journal.records))
    running.collector.offer(batch, mark.set_result)
    return (await asyncio.wait_for(mark, 60)).seq


async def _until(good: Callable[[], bool]) -> None:
    while not good():
        await asyncio.sleep(0.01)

"""A part of the service that fails as nobody foresaw: told, begun anew, the others untouched."""

import asyncio

from controller.floor.service.supervised import Faults, supervised
from support.floor.servers import FloorDatabase


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

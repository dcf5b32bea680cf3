"""A whole floor with everything killed by seed; `make test-all ONLY=floor-faults` plays more."""

from collections.abc import Iterator

import pytest

from controller.floor.embedded.nats import NatsServer
from controller.floor.embedded.postgres import Postgres
from support.floor.evening import Evening
from support.floor.program import FloorProgram
from support.floor.servers import dropped, made_database

SEEDS = 1


@pytest.fixture(scope="module")
def evening(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: Postgres, nats_server: NatsServer
) -> Iterator[Evening]:
    folder, database = tmp_path_factory.mktemp("evening"), made_database(postgres_server)
    found = Evening(folder, database, nats_server, FloorProgram(folder, database, nats_server))
    try:
        found.open()
        yield found
    finally:
        found.close()
        dropped(database)


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(SEEDS))
def test_records_orders_and_screens_hold_whatever_is_killed(seed: int, evening: Evening) -> None:
    evening.play(seed)

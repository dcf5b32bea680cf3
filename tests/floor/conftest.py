"""Tests of the floor with a real broker and a real database: no mock of either."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from support.floor.servers import (
    FloorDatabase,
    database,
    nats_server,
    postgres_server,
    servers_folder,
)
from support.floor.visitor import Visit, Visitor
from support.floor.web import FloorInHand, floor_web

__all__ = ["database", "nats_server", "postgres_server", "servers_folder"]


@pytest.fixture
def web(tmp_path: Path, database: FloorDatabase) -> Iterator[FloorInHand]:
    with floor_web(tmp_path, database.as_("floor_web")) as found:
        yield found


@pytest.fixture
def visit(web: FloorInHand) -> Iterator[Visit]:
    """Another browser at each call."""
    with ExitStack() as open_:
        yield lambda: open_.enter_context(closing(Visitor(web.url)))


@pytest.fixture
def gus(visit: Visit) -> Visitor:
    visitor = visit()
    assert visitor.sign_in("gus").status_code == 200
    return visitor

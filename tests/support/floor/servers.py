"""Real servers for tests of the floor: one of each a process, a database of its own a test."""

import fcntl
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from controller.floor.embedded.nats import NatsServer
from controller.floor.embedded.postgres import OWNER, Postgres
from controller.floor.store import migration, partitions

TEMPLATE = "floor_template"
NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
_numbers = itertools.count(1)


@dataclass(frozen=True)
class FloorDatabase:
    """A database with a floor's tables, made for one test."""

    server: Postgres
    name: str

    def as_(self, role: str = OWNER) -> str:
        """How a role reaches it."""
        return self.server.conninfo(self.name, role)

    def connect(self, role: str = OWNER) -> psycopg.Connection[TupleRow]:
        return psycopg.connect(self.as_(role))


def made_template(server: Postgres) -> None:
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    own = server.conninfo(TEMPLATE)
    migration.migrate(own)
    with psycopg.connect(own) as connection:
        partitions.make(connection, NOW)


def made_database(server: Postgres) -> FloorDatabase:
    name = f"floor_{next(_numbers)}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
    return FloorDatabase(server, name)


def dropped(found: FloorDatabase) -> None:
    with psycopg.connect(found.server.conninfo(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {found.name} WITH (FORCE)")


def as_user(conninfo: str, user: str) -> str:
    return make_conninfo(conninfo, user=user)


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="sabot-test-floor-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def data_with_template(folder: Path) -> Path:
    """A cluster's data with the template in it, stopped in good order. The first process that asks
    makes it, all others find it: to make it takes longer than most tests that need one."""
    data = folder / "postgres-template"
    with (folder / "postgres-template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not data.exists():
            server = Postgres(Path(tempfile.mkdtemp(prefix="sabot-test-floor-")), durable=False)
            try:
                server.start()
                made_template(server)
            finally:
                server.stop()
            shutil.move(server.data, data)
            shutil.rmtree(server.folder)
    return data


def start_with_template(server: Postgres, shared: Path) -> None:
    """`shared` is a folder of all processes that run tests."""
    shutil.copytree(data_with_template(shared), server.data)
    server.start()


@pytest.fixture(scope="session")
def postgres_server(servers_folder: Path, shared_tmp: Path) -> Iterator[Postgres]:
    server = Postgres(servers_folder / "postgres", durable=False)
    try:
        start_with_template(server, shared_tmp)
        yield server
    finally:
        server.stop()


@pytest.fixture
def database(postgres_server: Postgres) -> Iterator[FloorDatabase]:
    found = made_database(postgres_server)
    yield found
    dropped(found)


@pytest.fixture(scope="session")
def nats_server(servers_folder: Path) -> Iterator[NatsServer]:
    server = NatsServer(servers_folder / "nats")
    try:
        server.start()
        yield server
    finally:
        server.stop()

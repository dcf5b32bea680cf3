"""A floor's database of an earlier form with years in it, brought to this release's."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import msgspec
import psycopg
import pytest
from alembic import command
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from controller.floor.derive.deriving import advance
from controller.floor.embedded.postgres import Postgres
from controller.floor.store import migrating, partitions
from support.floor.servers import FloorDatabase

Upgrade = Callable[[str], None]


@pytest.fixture
def older(postgres_server: Postgres) -> Iterator[tuple[FloorDatabase, Upgrade]]:
    """An empty database, and how it comes to a form."""
    found = FloorDatabase(postgres_server, "floor_older")
    with psycopg.connect(postgres_server.conninfo(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS floor_older WITH (FORCE)")
        connection.execute("CREATE DATABASE floor_older")

    def upgrade(form: str) -> None:
        config = migrating._config()
        engine = create_engine(
            "postgresql+psycopg://",
            creator=lambda: psycopg.connect(found.as_()),
            poolclass=NullPool,
        )
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, form)
            connection.commit()
        engine.dispose()

    yield found, upgrade
    with psycopg.connect(postgres_server.conninfo(), autocommit=True) as connection:
        connection.execute("DROP DATABASE floor_older WITH (FORCE)")


def test_orders_that_were_not_taken_before_are_listed_and_wake_nobody(
    older: tuple[FloorDatabase, Upgrade],
) -> None:
    database, upgrade = older
    upgrade("0007")
    says = ["forged; 12 more were not written down", "replayed", None, "?" * 9]
    with database.connect() as owner:
        partitions.open_month(owner, datetime(2025, 1, 1, tzinfo=UTC))
        for seq, said in enumerate(says, start=1):
            noted = {"what": "floor_order_not_taken", "who": "max", "says": said}
            line = {"event": "noted", "from": "system", "with": noted}
            body = (
                msgspec.json.encode({"accepted": True, "in": line})
                if said
                else b'"floor_order_not_taken" \xff'
            )
            owner.execute(
                "INSERT INTO floor.record (site, table_id, epoch, seq, at, at_s, shoe, round, kind,"
                " version, body, sealed, digest)"
                " VALUES ('s', 't', 1, %s, '2025-01-05', 0, 0, 0, 'step', 1, %s, NULL, '')",
                [seq, body],
            )
    upgrade("head")
    with database.connect() as owner:
        found = owner.execute(
            "SELECT seq, who, outcome, orders FROM floor.order_not_taken ORDER BY seq"
        ).fetchall()
        assert owner.execute("SELECT count(*) FROM floor.exception").fetchone() == (0,)
    assert found == [(1, "max", "forged", 13), (2, "max", "replayed", 1), (4, "max", None, 1)]


def test_hours_of_books_are_counted_as_they_would_have_been(
    older: tuple[FloorDatabase, Upgrade],
) -> None:
    database, upgrade = older
    upgrade("0008")
    with database.connect() as owner:
        owner.execute(
            """INSERT INTO floor.round (site, table_id, epoch, summary, shoe, round, began, ended,
                   deck_set, rulebook, method, result, corrected, rulings, wagers, drop_minor,
                   hold_minor, first, last, superseded, void)
               SELECT 's', 't', 1, n, 1, n, '2025-01-05', '2025-01-05 10:30+00', '',
                   'mbs-baccarat-8', 'C', CASE WHEN n < 3 THEN 'BANKER' ELSE 'PLAYER' END, false,
                   '[]', '{"tie": {"staked": 10}, "banker": {"staked": 100}}', 110, n, n, n, n = 4,
                   CASE WHEN n = 5 THEN '5.1.1' END
               FROM generate_series(1, 5) n"""
        )
    upgrade("head")
    with database.connect() as owner:
        books = owner.execute(
            "SELECT rulebook, result, rounds, kept_minor FROM floor.book_hour ORDER BY result"
        ).fetchall()
        stakes = owner.execute(
            "SELECT one, two, staked::int, product::int FROM floor.stake_hour ORDER BY one, two"
        ).fetchall()
    assert books == [("mbs-baccarat-8", "B", 2, 3), ("mbs-baccarat-8", "P", 1, 3)]
    assert stakes == [
        ("banker", "banker", 300, 30_000),
        ("banker", "tie", 300, 3_000),
        ("tie", "tie", 30, 300),
    ]
    with database.connect("floor_derive") as derive:
        assert advance(derive) == 0

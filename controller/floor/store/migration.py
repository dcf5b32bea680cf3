"""Migrates the floor's tables to this release's schema, by alembic."""

from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

_FOLDER: Final = Path(__file__).parent / "migrations"
_TURN: Final = 0x5AB0F
"""The advisory lock that serialises migrations."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    return config


def newest() -> str:
    """The schema version of this release."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def migrate(conninfo: str) -> str:
    """Runs missing migrations as the owner of the tables; returns the schema version. Raises
    `psycopg.OperationalError` if the database is unavailable."""
    psycopg.connect(conninfo, connect_timeout=10).close()
    config = _config()
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({_TURN})")
        connection.commit()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
    engine.dispose()
    return newest()


def form_of(connection: "psycopg.Connection[tuple[object, ...]]") -> str | None:
    """The schema version of a database; None for one without a floor."""
    found = connection.execute("SELECT to_regclass('floor_schema_version')::text").fetchone()
    if found is None or found[0] is None:
        return None
    row = connection.execute("SELECT version_num FROM floor_schema_version").fetchone()
    return None if row is None else str(row[0])

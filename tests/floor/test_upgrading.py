"""A later release brings a floor's database to its form; an earlier one refuses it from then on."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from controller.config.file import ConfigError
from controller.floor.service.floor_process import check_database
from controller.floor.store import migration
from support.floor.archives import journal
from support.floor.records import put_records
from support.floor.servers import FloorDatabase

LATER: Final = """
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("ALTER TABLE floor.record ADD COLUMN planted integer NOT NULL DEFAULT 7")
"""


def test_a_planted_migration_keeps_the_records_and_shuts_out_this_release(
    database: FloorDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config: Any = SimpleNamespace(database=SimpleNamespace(owner=database.as_()))
    with database.connect() as owner:
        put_records(owner, "bac-01", journal(3))
    check_database(config)
    later = tmp_path / "migrations"
    with monkeypatch.context() as release:
        shutil.copytree(migration._FOLDER, later)
        (later / "versions" / "v0002_planted.py").write_text(LATER)
        release.setattr(migration, "_FOLDER", later)
        with pytest.raises(ConfigError, match="has form 0001, and this release knows form 0002"):
            check_database(config)
        assert migration.migrate(database.as_()) == "0002"
        check_database(config)
    with database.connect() as owner:
        found = owner.execute("SELECT seq, planted FROM floor.record ORDER BY seq").fetchall()
    assert found == [(1, 7), (2, 7), (3, 7)]
    with pytest.raises(ConfigError, match="has form 0002, and this release knows form 0001"):
        check_database(config)

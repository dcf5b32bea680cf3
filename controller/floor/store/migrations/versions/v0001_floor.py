"""Creates the floor's tables, the job queue in its own schema, and the permissions of the roles."""

from pathlib import Path

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0001"
down_revision = None


def upgrade() -> None:
    connection = op.get_bind()
    connection.exec_driver_sql("CREATE SCHEMA floor_jobs")
    connection.exec_driver_sql("SET LOCAL search_path TO floor_jobs")
    connection.exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
    connection.exec_driver_sql("RESET search_path")
    op.execute(Path(__file__).with_suffix(".sql").read_text("utf-8"))

"""Orders that tables did not take, as their own records tell it: seen where people look."""

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text("utf-8"))

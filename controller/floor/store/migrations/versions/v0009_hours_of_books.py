"""What each book kept in an hour, counted once: a page does not read a day of rounds each time."""

from pathlib import Path

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text("utf-8"))

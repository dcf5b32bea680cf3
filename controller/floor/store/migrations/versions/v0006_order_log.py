"""The pages add to an order what the table answered, and change nothing else of it."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("REVOKE UPDATE ON floor.order_log FROM floor_web")
    op.execute("GRANT UPDATE (outcome, answer, answered) ON floor.order_log TO floor_web")

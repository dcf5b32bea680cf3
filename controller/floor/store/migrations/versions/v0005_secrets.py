"""The pages list subscribers and never see with what they are signed to."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("REVOKE SELECT ON floor.subscriber FROM floor_web")
    op.execute(
        "GRANT SELECT (id, url, events, tables, active, made, paused)"
        " ON floor.subscriber TO floor_web"
    )

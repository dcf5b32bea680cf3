"""Every change of the floor's tables, in order, as plain SQL; alembic knows which ran."""

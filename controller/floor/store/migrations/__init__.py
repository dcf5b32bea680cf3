"""Migrations of the floor's tables, in order, as plain SQL; alembic stores which ran."""

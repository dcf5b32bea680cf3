"""What alembic runs: on the connection that `controller.floor.store.migration` hands it."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], version_table="floor_schema_version"
)
with context.begin_transaction():
    context.run_migrations()

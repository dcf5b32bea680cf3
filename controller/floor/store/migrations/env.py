"""The environment of alembic: it runs on the connection that `controller.floor.store.migration`
passes."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], version_table="floor_schema_version"
)
with context.begin_transaction():
    context.run_migrations()

"""Tests of the floor with a real broker and a real database: no mock of either."""

from support.floor.servers import database, nats_server, postgres_server, servers_folder

__all__ = ["database", "nats_server", "postgres_server", "servers_folder"]

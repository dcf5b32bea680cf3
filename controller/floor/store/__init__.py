"""The floor's PostgreSQL: migrations, partitions made ahead, roles and queries."""

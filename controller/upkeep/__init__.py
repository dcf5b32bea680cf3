"""Maintenance of a table PC: files, self-test, backups, reports, health."""

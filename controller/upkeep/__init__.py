"""Looking after a table PC: its files, its self-test, its backups, its reports, its health."""

"""What `sabot` can be asked: one module a subcommand, imported when it is called."""

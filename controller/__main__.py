"""`python -m controller` is the `sabot` command, for a service that trusts no script in a folder."""

from controller.cli import main

main()

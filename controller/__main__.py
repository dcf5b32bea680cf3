"""`python -m controller` is the `sabot` command, for a service that trusts no script."""

from controller.cli import main

main()

"""`sabot floor`: monitors, records and controls many tables from one place."""

from importlib import import_module
from importlib.util import find_spec

import typer

from controller.cli.floor import proof

floor_app = typer.Typer(help="See, record and manage many tables from one place.")


def register(app: typer.Typer) -> None:
    for room in (proof,):
        room.register(floor_app)
    if find_spec("psycopg") is not None:  # a table PC verifies files, and runs no floor
        for name in ("running", "demo", "site", "archive", "webhooks", "comparing"):
            import_module(f"controller.cli.floor.{name}").register(floor_app)
    app.add_typer(floor_app, name="floor")

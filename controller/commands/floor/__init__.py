"""`sabot floor`: many tables seen, recorded and steered from one place."""

import typer

from controller.commands.floor import proof

floor_app = typer.Typer(help="Many tables seen, recorded and steered from one place.")


def register(app: typer.Typer) -> None:
    for room in (proof,):
        room.register(floor_app)
    app.add_typer(floor_app, name="floor")

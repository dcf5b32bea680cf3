"""`sabot floor verify`: verifies archive files."""

from pathlib import Path
from typing import Annotated

import typer

from controller.floor.proof.form import ProofError
from controller.floor.proof.form import raw as unhexed
from controller.floor.proof.verify import verify as verified
from controller.journal.keys.signing import PUBLIC_BYTES, raw_of

Keys = Annotated[
    list[str] | None,
    typer.Option(
        "--key", help="a public key of the floor, hexadecimal or base64; again for each it has had"
    ),
]


def register(app: typer.Typer) -> None:
    app.command("verify")(verify)


def public_key(text: str) -> bytes:
    """Decode a public key from hexadecimal or base64 text."""
    try:
        if len(text) == 2 * PUBLIC_BYTES:
            return unhexed(text.lower(), PUBLIC_BYTES)
        return raw_of(text, PUBLIC_BYTES)
    except (ValueError, ProofError) as error:
        raise typer.BadParameter(
            f"{text!r} is no public key: 64 hexadecimal digits, or a line of base64 as in floor.pub"
        ) from error


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="archive files")],
    key: Keys = None,
) -> None:
    """Prove archive files alone: every byte under the floor's signature, every record under a root
    of its hour. Without --key a good file proves only that nobody changed it after its own key had
    signed it. `deploy/floor/audit.py` does the same and shares no code with this.

    Exit status: 0 all good, 1 one is bad, 2 none is bad but one cannot be read."""
    keys = [public_key(each) for each in key or ()]
    found = set()
    for file in files:
        verdict = verified(file, keys)
        found.add(2 if verdict.unread else 0 if verdict.good else 1)
        typer.echo(f"{file}: {verdict}")
    raise typer.Exit(min(found - {0}, default=0))

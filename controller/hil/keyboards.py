"""A scanner at a USB port plays keyboard, and so does the keyboard somebody types on: whoever is
about to take one away from this machine is asked first."""

import typer

from drivers.io import ports
from drivers.io.identity import Identity, parse


def consented(url: str) -> str:
    """What the port may be opened for: the keyboard there, if a person says so; anything, where it
    is none. Raises `typer.Abort`, or `LinkError` where nothing fits."""
    if not url or parse(url).kind != "usb":  # without a wire there is no port at all
        return ""
    identity = ports.look(url)
    return identity.enrolment if may_take(identity) else ""


def may_take(identity: Identity) -> bool:
    """True: it is a keyboard and may be taken; False: it is none. Raises `typer.Abort`."""
    if not identity.keyboard:
        return False
    typer.echo(
        f"{identity} is a keyboard to this machine, as scanners are. While Sabot has it nothing "
        "typed on it arrives anywhere else: do not take the one you type on.",
        err=True,
    )
    typer.confirm("Is it the scanner, and may it be taken?", abort=True, err=True)
    return True

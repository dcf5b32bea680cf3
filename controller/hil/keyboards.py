"""Consent for taking over a keyboard: a USB scanner is one, and so is the keyboard of this machine.
A person must agree before the program detaches one."""

import typer

from drivers.io import ports
from drivers.io.identity import Identity, parse


def consented(url: str) -> str:
    """Return the enrolment of the keyboard at this port after a person's consent; empty where the
    device is no keyboard. Raises `typer.Abort`, or `LinkError` where nothing fits."""
    if not url or parse(url).kind != "usb":  # no USB device to detach
        return ""
    identity = ports.look(url)
    return identity.enrolment if may_take(identity) else ""


def may_take(identity: Identity) -> bool:
    """Return whether the device is a keyboard that may be taken. Raises `typer.Abort` on
    refusal."""
    if not identity.keyboard:
        return False
    typer.echo(
        f"{identity} is a keyboard to this machine, as scanners are. While Sabot has it nothing "
        "typed on it arrives anywhere else: do not take the one you type on.",
        err=True,
    )
    typer.confirm("Is it the scanner, and may it be taken?", abort=True, err=True)
    return True

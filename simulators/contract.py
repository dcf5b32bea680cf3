"""What every emulated device is: behaviour that time moves, and bytes.

A device has two files. `device.py` is the machine: what lies in it, what it does when somebody
pulls a card or opens a lid, how long its motors take; it knows no bytes. `interface.py` is its
protocol, written from PROTOCOL facts and never from a driver. Time is stepped: nothing here reads a
clock, so a test can play an hour at once and the program on a wire steps by the real clock.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class Refused(Exception):
    """The back door was asked for something this device cannot do now; says why."""


@dataclass(frozen=True, slots=True)
class Word:
    """One thing a hand can do to the device, for the back door, its command and its page."""

    says: str
    do: Callable[..., object]
    fields: Mapping[str, str]
    """Each argument with what it means; all come as text or JSON values."""


class Emulator(Protocol):
    """A whole device as the wire and the back door see it."""

    name: str
    """As on the command line; the same name as the driver's."""

    def hear(self, data: bytes) -> None:
        """Bytes from the host, cut anywhere."""

    def step(self, dt: float) -> bytes:
        """Time moves on by `dt` seconds; the bytes that leave the device in it, in order."""

    def plugged(self) -> None:
        """A host has connected: what the device says by itself then is given by the next step."""

    @property
    def words(self) -> Mapping[str, Word]:
        """What a hand can do: draw, draw_two, unreadable, push_back, lid, jam, restart ..."""

    def shown(self) -> dict[str, Any]:
        """Everything there is to see of the machine, for the bench page. It shows all cards: an
        emulator is no live table."""

"""What every driver is: bytes in, events and bytes out. No I/O, no clock, no thread, no logger.

A driver is made with its settings (`Driver(settings)`, a mapping; an unknown or impossible setting
raises `BadSetting`) and lives as long as the program: after a lost link the same object gets
`hello` again, so that it still knows what it heard last.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from drivers.commands import Command
from drivers.events import Event

Settings: TypeAlias = Mapping[str, object]

LINE_SETTINGS: Final = ("baud", "data_bits", "parity", "stop_bits")
"""Settings every device on a serial line has beside its own; `drivers.io.identity` reads them."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a driver wants done: first tell the table these events, then send these bytes.

    The bytes leave only after every event is on disk, so an acknowledgement never promises more
    than the journal holds."""

    events: tuple[Event, ...] = ()
    send: bytes = b""


NOTHING = Step()


class Driver(Protocol):
    """One device's protocol. Holds state, does no I/O, reads no clock; `at` is monotonic."""

    def hello(self, at: float) -> Step:
        """The port has opened, for the first time or again."""

    def feed(self, data: bytes, at: float) -> Step:
        """Any cut of the stream, even empty; for a packet device one packet."""

    def ask(self, command: Command, at: float) -> Step:
        """Raises `UnsupportedCommand`."""

    def tick(self, at: float) -> Step:
        """Time has come to `at`: resend, poll, give up."""

    def deadline(self) -> float | None:
        """When `tick` must be called next, if nothing else happens."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a driver: what it may be, and why one would change it."""

    default: object
    choices: tuple[object, ...] | None
    """None: any value of the default's kind."""
    says: str
    unit: str = ""
    between: tuple[float, float] | None = None
    """The least and the most a number may be."""


@dataclass(frozen=True, slots=True)
class DataSheet:
    """What a person must know about a device before it is plugged in; `SHEET` of each folder."""

    name: str
    """As in the registry, the folder and the configuration."""
    kind: Literal["shoe", "shuffler"]
    maker: str
    model: str
    link: Literal["serial", "usb"]
    numbered: bool
    """Its events carry a sequence number: a loss shows by itself. Otherwise every return of the
    link asks for the count."""
    checked: str
    """What a damaged byte does: how frames are protected, and what share slips through."""
    serial_number: bool
    """It tells its own serial number. RS-232 shoes do not."""
    plays_rounds: bool = False
    """It follows the round by itself: after a void people have to end its round at the device."""
    baud: int | None = None
    packets: bool = False
    """One `feed` is one packet of the device, not any cut of a stream."""
    commands: tuple[type[Command], ...] = ()
    """What it can be asked in its most permissive setting."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    """What no public source tells, in sentences."""

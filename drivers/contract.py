"""What every driver is: bytes in, events and bytes out. No I/O, no clock, no thread, no logger.

A driver is made with its settings (`Driver(settings)`, a mapping; an unknown or impossible setting
raises `BadSetting`) and lives as long as the program: after a lost link the same object gets
`hello` again, so that it still knows what it heard last.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal, Protocol, TypeAlias

from drivers.commands import DeviceCommand, NewShoe
from drivers.events import Event

CONTRACT: Final = 1
"""Which version of this contract there is. A driver that says it was written for a later one is not
used; what is added without breaking a driver written before does not change it."""

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

    def ask(self, command: DeviceCommand, at: float) -> Step:
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


class Capability(Enum):
    """What a device can do. Whoever stands above the drivers asks for this, not for a maker."""

    NUMBERS_EVENTS = "numbers_events"
    """A loss shows by itself. Otherwise every return of the link asks for the count."""
    READS_CARDS = "reads_cards"
    """It reads faces: a shoe tells each card as it leaves, a shuffler verifies packs by them."""
    TAKES_COMMANDS = "takes_commands"
    """It can be asked to do something over the wire."""
    PLAYS_ROUNDS = "plays_rounds"
    """It follows the round by itself: after a void people have to end its round at the device."""
    REPORTS_POSITIONS = "reports_positions"
    """It says for which hand and place a card was drawn. Evidence, never an order."""


JSON_LINES: Final = frozenset({Capability.READS_CARDS, Capability.REPORTS_POSITIONS})
"""Of the shoe that people and programs speak for in JSON lines: its cards count as read."""

_GIVEN_UP: Final = (
    ("sequence", "any", Capability.NUMBERS_EVENTS),
    ("read_only", True, Capability.TAKES_COMMANDS),
)
"""Settings that mean the same in every driver that has them: with this value it cannot do this."""


@dataclass(frozen=True, slots=True)
class DataSheet:
    """What a person must know about a device before it is plugged in; `SHEET` of each folder."""

    name: str
    """As in the registry, the folder and the configuration."""
    kind: Literal["shoe", "shuffler"]
    maker: str
    model: str
    link: Literal["serial", "usb", "none"]
    """`none`: there is no wire, and no port; what it would tell people say at the table."""
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
    commands: tuple[type[DeviceCommand], ...] = ()
    """What it can be asked in its most permissive setting."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    """What no public source tells, in sentences."""
    reads_cards: bool | None = None
    """Whether it reads faces. None: a shoe does, a shuffler does not."""
    reports_positions: bool = False
    """It says for which hand and place a card was drawn."""
    contract: int = 1
    """The version of the contract the driver was written for, `CONTRACT` of that day."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What it can do in its most permissive setting."""
        can = {
            Capability.NUMBERS_EVENTS: self.numbered,
            Capability.READS_CARDS: (
                self.kind == "shoe" if self.reads_cards is None else self.reads_cards
            ),
            # `NewShoe` is for the driver: nothing is sent.
            Capability.TAKES_COMMANDS: any(each is not NewShoe for each in self.commands),
            Capability.PLAYS_ROUNDS: self.plays_rounds,
            Capability.REPORTS_POSITIONS: self.reports_positions,
        }
        return frozenset(each for each, does in can.items() if does)

    def capabilities_with(self, settings: Settings) -> frozenset[Capability]:
        """What it can do with these settings; those that are not given have their default."""
        return self.capabilities - {
            lost
            for key, value, lost in _GIVEN_UP
            if key in self.settings and settings.get(key, self.settings[key].default) == value
        }

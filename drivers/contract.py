"""The contract of every driver: bytes in, events and bytes out. No I/O, clock, thread or logger.

A driver is created with its settings (`Driver(settings)`, a mapping; an unknown or impossible
setting raises `BadSetting`) and lives as long as the program: after a lost link the same object
gets `hello` again, so that it keeps what it received last.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal, Protocol, TypeAlias

from drivers.commands import DeviceCommand, NewShoe
from drivers.events import Event

CONTRACT: Final = 1
"""The version of this contract. A driver written for a later version is not used; compatible
additions do not change it."""

Settings: TypeAlias = Mapping[str, object]

LINE_SETTINGS: Final = ("baud", "data_bits", "parity", "stop_bits")
"""Settings of every device on a serial line besides its own; `drivers.io.identity` reads them."""


@dataclass(frozen=True, slots=True)
class Step:
    """The result of a driver's method: events to report to the table, then bytes to send.

    The bytes leave only after every event is on disk, so an acknowledgement never promises more
    than the journal has.
    """

    events: tuple[Event, ...] = ()
    send: bytes = b""


NOTHING = Step()


class Driver(Protocol):
    """The protocol of one device. It has state, does no I/O and reads no clock; `at` is
    monotonic."""

    def hello(self, at: float) -> Step:
        """Handle the opening of the port, for the first time or again."""

    def feed(self, data: bytes, at: float) -> Step:
        """Handle any cut of the stream, even empty; from a packet device exactly one packet."""

    def ask(self, command: DeviceCommand, at: float) -> Step:
        """Handle a command; raises `UnsupportedCommand`."""

    def tick(self, at: float) -> Step:
        """Handle the time `at`: resend, poll, give up."""

    def deadline(self) -> float | None:
        """Return when `tick` must be called next if nothing else happens."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a driver: its possible values and its purpose."""

    default: object
    choices: tuple[object, ...] | None
    """None: any value of the default's type."""
    says: str
    unit: str = ""
    between: tuple[float, float] | None = None
    """The minimum and the maximum of a number."""


class Capability(Enum):
    """An ability of a device. Code above the drivers checks this and not the maker."""

    NUMBERS_EVENTS = "numbers_events"
    """A loss is visible. Otherwise every return of the link asks for the count."""
    READS_CARDS = "reads_cards"
    """It reads faces: a shoe reports each card as it leaves, a shuffler verifies packs by them."""
    TAKES_COMMANDS = "takes_commands"
    """It takes commands over the wire."""
    PLAYS_ROUNDS = "plays_rounds"
    """It follows the round by itself: after a void people have to end its round at the device."""
    REPORTS_POSITIONS = "reports_positions"
    """It reports the hand and place for which a card was drawn. Evidence, never an order."""


JSON_LINES: Final = frozenset({Capability.READS_CARDS, Capability.REPORTS_POSITIONS})
"""The capabilities of the shoe that people and programs report in JSON lines: its cards count as
read."""

_GIVEN_UP: Final = (
    ("sequence", "any", Capability.NUMBERS_EVENTS),
    ("read_only", True, Capability.TAKES_COMMANDS),
)
"""Settings with the same meaning in every driver: this value removes this capability."""


@dataclass(frozen=True, slots=True)
class DataSheet:
    """What a person must know about a device before connecting it; `SHEET` of each folder."""

    name: str
    """The name in the registry, the folder and the configuration."""
    kind: Literal["shoe", "shuffler"]
    maker: str
    model: str
    link: Literal["serial", "usb", "none"]
    """`none`: there is no wire and no port; people report its cards at the table."""
    numbered: bool
    """Its events have a sequence number: a loss is visible. Otherwise every return of the link asks
    for the count."""
    checked: str
    """The effect of a damaged byte: how frames are protected, and what share is undetected."""
    serial_number: bool
    """It reports its own serial number. RS-232 shoes do not."""
    plays_rounds: bool = False
    """It follows the round by itself: after a void people have to end its round at the device."""
    baud: int | None = None
    packets: bool = False
    """One `feed` is one packet of the device, not any cut of a stream."""
    commands: tuple[type[DeviceCommand], ...] = ()
    """The commands that it takes in its most permissive setting."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    """What no public source documents, in sentences."""
    reads_cards: bool | None = None
    """Whether it reads faces. None: a shoe does, a shuffler does not."""
    reports_positions: bool = False
    """It reports the hand and place for which a card was drawn."""
    contract: int = 1
    """The version of the contract the driver was written for: the value of `CONTRACT` then."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The device's capabilities in its most permissive setting."""
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
        """Return the capabilities with these settings; missing settings have their default."""
        return self.capabilities - {
            lost
            for key, value, lost in _GIVEN_UP
            if key in self.settings and settings.get(key, self.settings[key].default) == value
        }

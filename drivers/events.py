"""The events that devices report: frozen facts, one class each.

A card's face and the bytes that carried it stay out of `repr`, so that no log line, traceback or
failed assertion can show a card that is face down; code that may see it reads `.card`.
"""

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from enum import Enum
from typing import Annotated, Final, TypeAlias, cast

from drivers.cards import Card
from drivers.error_meaning import ErrorMeaning, meaning_of


class Where(Enum):
    """The purpose for which the shoe believes a card was drawn."""

    PLAYER = "player"
    BANKER = "banker"
    BURN = "burn"
    FIRST = "first"
    """The card that determines how many are burned."""


class Winner(Enum):
    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    GIVEN_UP = "given_up"
    """The device gave the round up. It never voids one: the table halts and people decide."""


class FaultClass(Enum):
    NOTICE = "notice"
    OPERATOR = "operator"
    """The dealer can clear it."""
    SERVICE = "service"
    """A technician or a restart can clear it."""
    FATAL = "fatal"


Points: TypeAlias = Annotated[int, range(10)]

# --- shoes ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card left the shoe and was read. `where` and `index` are evidence, never an order."""

    card: Card = field(repr=False)
    where: Where | None = None
    index: int | None = None
    frame: bytes = field(default=b"", repr=False)
    late: bool = False
    """Its number is in a gap that was reported as `EventsLost` before: people may have counted
    it."""


@dataclass(frozen=True, slots=True)
class ReadFailed:
    """A card left the shoe and could not be read."""

    frame: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class ExcessCard:
    """A card that the shoe itself calls one too many, or that left it while it was locked.

    `card` is None while the device has not named it.
    """

    card: Card | None = field(default=None, repr=False)
    why: str = "overdraw"
    frame: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class ExcessNamed:
    """The face of an excess card that was counted when it left the shoe: not another card."""

    card: Card = field(repr=False)
    where: Where | None = None
    index: int | None = None
    frame: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class ExcessDiscarded:
    """An excess card that was counted when it left the shoe was thrown away there."""


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cutting card left the shoe."""


@dataclass(frozen=True, slots=True)
class DeviceResult:
    """The shoe's own result: evidence that is compared once every face may be seen.

    It reveals hidden hands as surely as their cards would, so it is not printed either. What the
    device does not report is None.
    """

    winner: Winner = field(repr=False)
    player_pair: bool | None = field(default=None, repr=False)
    banker_pair: bool | None = field(default=None, repr=False)
    player_total: Points | None = field(default=None, repr=False)
    banker_total: Points | None = field(default=None, repr=False)


_BY_NUMBER: Final = cast(ErrorMeaning, None)


@dataclass(frozen=True, slots=True)
class ErrorRaised:
    """An error of the device, with the maker's own number and words."""

    code: int
    says: str
    must_clear: bool = False
    """The device stays in error mode until somebody acts."""
    means: ErrorMeaning = _BY_NUMBER
    """Default: what `meaning_of` derives from the number, so that a driver package written before
    errors had meanings is understood as before."""

    def __post_init__(self) -> None:
        if self.means is _BY_NUMBER:
            object.__setattr__(self, "means", meaning_of(self.code))


@dataclass(frozen=True, slots=True)
class ErrorCleared:
    code: int


@dataclass(frozen=True, slots=True)
class LockChanged:
    locked: bool


@dataclass(frozen=True, slots=True)
class LidChanged:
    open: bool
    which: str = "lid"


@dataclass(frozen=True, slots=True)
class Started:
    """The device restarted its communication: power-up, reset, or a change of the shoe."""


@dataclass(frozen=True, slots=True)
class StandBy:
    """The device waits between rounds. This is not a round boundary."""


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The device reports its mode: game, manual burn, setting."""

    mode: str


# --- doubt ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events of the device never arrived: cards may be missing, so the table asks for the count."""

    why: str
    missing: int | None = None
    """How many, if the sequence shows it."""
    by_number: bool = False
    """The number of the next event shows the loss: that event may have been counted already."""


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes that are no frame. `may_be_card`: a card may have been in them, so the table asks for
    the count.

    The bytes themselves may spell a card, so only their number is printed.
    """

    reason: str
    data: bytes = field(default=b"", repr=False)
    may_be_card: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """An unknown event, a warning or an anomaly: it is shown and has no other effect."""

    says: str


# --- the link ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The port is open. `first`: for the first time since the program started."""

    first: bool = True
    numbered: InitVar[bool] = False
    """Accepted and ignored, for packages that still pass it: `DataSheet.numbered` replaces it."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    why: str


# --- answers to commands ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CommandDone:
    command: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    command: str
    why: str
    code: int | None = None


@dataclass(frozen=True, slots=True)
class CommandTimedOut:
    """No answer came. The command is not sent again automatically."""

    command: str


@dataclass(frozen=True, slots=True)
class Identified:
    """The identity that the device reports."""

    maker: str
    model: str
    serial: str = ""
    firmware: str = ""


# --- shufflers: counts and verdicts, never the order of cards ---------------------------------


class ShufflerState(Enum):
    BOOTING = "booting"
    SELF_TEST = "self_test"
    IDLE_EMPTY = "idle_empty"
    LOADING = "loading"
    SHUFFLING = "shuffling"
    VERIFYING = "verifying"
    READY = "ready"
    UNLOADING = "unloading"
    DOOR_OPEN = "door_open"
    DEALING = "dealing"
    PAUSED = "paused"
    RECOVERING_JAM = "recovering_jam"
    FAULT_OPERATOR = "fault_operator"
    FAULT_SERVICE = "fault_service"
    OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class ShufflerChanged:
    state: ShufflerState


@dataclass(frozen=True, slots=True)
class Progress:
    cards_in: int
    cards_out: int
    total: int


class Verdict(Enum):
    OK = "ok"
    WRONG = "wrong"
    """Cards are missing, extra or unreadable."""
    COUNT_ONLY = "count_only"
    """The number is right; this machine cannot identify the cards."""
    NOT_VERIFIED = "not_verified"


@dataclass(frozen=True, slots=True)
class ShuffleVerified:
    """The shuffler's findings. The lists name what is wrong with a pack, not where a card is."""

    verdict: Verdict
    cards: int = 0
    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()
    unreadable: int = 0
    foreign: int = 0
    """Cards of another set: a wrong back or a wrong house code."""


@dataclass(frozen=True, slots=True)
class CardFault:
    kind: str
    """One of unreadable, wrong_set, duplicate."""


@dataclass(frozen=True, slots=True)
class Jam:
    location: str
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class JamCleared:
    location: str


@dataclass(frozen=True, slots=True)
class OutputTaken:
    """The pack was taken out of the shuffler."""


@dataclass(frozen=True, slots=True)
class ShufflerFault:
    code: int
    says: str
    kind: FaultClass = FaultClass.OPERATOR
    means: ErrorMeaning = ErrorMeaning.OTHER


@dataclass(frozen=True, slots=True)
class OrderDropped:
    """The device sent the order of cards. The driver dropped it unread and counts the drop."""

    times: int


Event: TypeAlias = (
    CardRead
    | ReadFailed
    | ExcessCard
    | ExcessNamed
    | ExcessDiscarded
    | CutCard
    | DeviceResult
    | ErrorRaised
    | ErrorCleared
    | LockChanged
    | LidChanged
    | Started
    | StandBy
    | ModeChanged
    | EventsLost
    | BadFrame
    | Notice
    | LinkUp
    | LinkLost
    | CommandDone
    | CommandRefused
    | CommandTimedOut
    | Identified
    | ShufflerChanged
    | Progress
    | ShuffleVerified
    | CardFault
    | Jam
    | JamCleared
    | OutputTaken
    | ShufflerFault
    | OrderDropped
)

_OF_ANY: Final[frozenset[type]] = frozenset(
    {
        BadFrame,
        CommandDone,
        CommandRefused,
        CommandTimedOut,
        EventsLost,
        Identified,
        LidChanged,
        ModeChanged,
        Notice,
        OrderDropped,
        Started,
    }
)
REPORTED_BY: Final[Mapping[str, frozenset[type]]] = {
    "shoe": _OF_ANY
    | {
        CardRead,
        CutCard,
        DeviceResult,
        ErrorCleared,
        ErrorRaised,
        ExcessCard,
        ExcessDiscarded,
        ExcessNamed,
        LockChanged,
        ReadFailed,
        StandBy,
    },
    "shuffler": _OF_ANY
    | {
        CardFault,
        Jam,
        JamCleared,
        OutputTaken,
        Progress,
        ShuffleVerified,
        ShufflerChanged,
        ShufflerFault,
    },
}
"""The events a driver may report, by the kind of its device. The port reports the link."""

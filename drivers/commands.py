"""What we can ask of a device. A driver that cannot do it raises `UnsupportedCommand`."""

from dataclasses import dataclass
from typing import TypeAlias

# --- shoes ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lock:
    """Bar the exit of the shoe."""


@dataclass(frozen=True, slots=True)
class Unlock:
    pass


@dataclass(frozen=True, slots=True)
class ClearError:
    """Clear the current error; for every error but an overdraw."""


@dataclass(frozen=True, slots=True)
class KeepExcess:
    """After an overdraw: the extra card belongs to the next round."""


@dataclass(frozen=True, slots=True)
class DiscardExcess:
    """After an overdraw: the extra card is thrown away."""


@dataclass(frozen=True, slots=True)
class ConfirmGame:
    """Angel Eye's game process confirmation; what it returns is not public."""


@dataclass(frozen=True, slots=True)
class NewShoe:
    """Other cards lie in the shoe now: forget what was read before. Nothing is sent.

    Asked at `load_shoe` of every shoe whose sheet lists it: a reader that knows each card by its
    own label must not take a card of the new shoe for one it has seen."""


# --- shufflers --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Identify:
    pass


@dataclass(frozen=True, slots=True)
class AskStatus:
    pass


@dataclass(frozen=True, slots=True)
class StartShuffle:
    """`mode`: shuffle_verify, shuffle, verify or sort."""

    mode: str = "shuffle_verify"
    decks: int = 8


@dataclass(frozen=True, slots=True)
class Pause:
    pass


@dataclass(frozen=True, slots=True)
class Resume:
    pass


@dataclass(frozen=True, slots=True)
class Abort:
    pass


@dataclass(frozen=True, slots=True)
class OpenOutput:
    """Refused by the machine unless the pack inside is verified."""


@dataclass(frozen=True, slots=True)
class DealHands:
    hands: int
    cards: int


@dataclass(frozen=True, slots=True)
class Empty:
    """Give out all cards; whatever was verified counts no longer."""


@dataclass(frozen=True, slots=True)
class ClearFault:
    code: int


@dataclass(frozen=True, slots=True)
class Home:
    """Move everything to its home position."""


@dataclass(frozen=True, slots=True)
class AskReport:
    """The last verification, once more."""


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Ends the machine's work until somebody switches it on again."""


DeviceCommand: TypeAlias = (
    Lock
    | Unlock
    | ClearError
    | KeepExcess
    | DiscardExcess
    | ConfirmGame
    | NewShoe
    | Identify
    | AskStatus
    | StartShuffle
    | Pause
    | Resume
    | Abort
    | OpenOutput
    | DealHands
    | Empty
    | ClearFault
    | Home
    | AskReport
    | ShutDown
)

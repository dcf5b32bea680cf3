"""The commands to devices. A driver whose device does not have one raises `UnsupportedCommand`."""

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
    """After an overdraw: keep the extra card for the next round."""


@dataclass(frozen=True, slots=True)
class DiscardExcess:
    """After an overdraw: throw the extra card away."""


@dataclass(frozen=True, slots=True)
class ConfirmGame:
    """Confirm a game for the Angel Eye's game process; its answer is not public."""


@dataclass(frozen=True, slots=True)
class NewShoe:
    """Forget what was read before: the shoe was filled with other cards. Nothing is sent.

    Called at `load_shoe` of every shoe whose sheet lists it: a reader that identifies each card by
    its own label must not confuse a card of the new shoe with an earlier one.
    """


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
    """Open the output. The machine refuses unless the pack inside is verified."""


@dataclass(frozen=True, slots=True)
class DealHands:
    hands: int
    cards: int


@dataclass(frozen=True, slots=True)
class Empty:
    """Eject all cards; the verification becomes invalid."""


@dataclass(frozen=True, slots=True)
class ClearFault:
    code: int


@dataclass(frozen=True, slots=True)
class Home:
    """Move everything to its home position."""


@dataclass(frozen=True, slots=True)
class AskReport:
    """Repeat the last verification."""


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Stop the machine's work until somebody switches it on again."""


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

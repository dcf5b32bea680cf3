"""The Angel Eye's events, before they are encoded as bytes."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Started:
    pass


@dataclass(frozen=True, slots=True)
class StandBy:
    pass


@dataclass(frozen=True, slots=True)
class CuttingCard:
    pass


@dataclass(frozen=True, slots=True)
class Drawn:
    what_for: str
    """player, banker, burn, first or burn_count."""
    index: int
    card: str | None


@dataclass(frozen=True, slots=True)
class DrawnOutside:
    mode: str
    """locked, error or setting."""
    number: int
    """A running number, or the error's code."""
    card: str | None


@dataclass(frozen=True, slots=True)
class Carried:
    what_for: str
    index: int
    card: str


@dataclass(frozen=True, slots=True)
class Result:
    winner: str
    """player, banker, tie or forced_exit."""
    player_pair: bool = False
    banker_pair: bool = False


@dataclass(frozen=True, slots=True)
class ErrorOn:
    code: int
    stays: bool


@dataclass(frozen=True, slots=True)
class ErrorOff:
    code: int


@dataclass(frozen=True, slots=True)
class KeySwitch:
    locked: bool


@dataclass(frozen=True, slots=True)
class PresetChanged:
    address: str
    value: str


Event: TypeAlias = (
    Started
    | StandBy
    | CuttingCard
    | Drawn
    | DrawnOutside
    | Carried
    | Result
    | ErrorOn
    | ErrorOff
    | KeySwitch
    | PresetChanged
)

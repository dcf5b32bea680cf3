"""Devices as people see them."""

import msgspec
from msgspec import UNSET, UnsetType

from drivers.error_meaning import ErrorMeaning


class DeviceErrorView(msgspec.Struct, frozen=True):
    """What a device reports: the maker's number and words beside what they mean."""

    code: int
    means: ErrorMeaning
    says: str
    must_clear: bool


class ProgressView(msgspec.Struct, frozen=True, rename={"cards_in": "in"}):
    """How far a shuffler is: cards that went in and came out, of how many."""

    cards_in: int
    out: int
    total: int


class OwnWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a device last said about itself; what it never said is left out."""

    state: str | UnsetType = UNSET
    progress: ProgressView | UnsetType = UNSET
    maker: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    firmware: str | UnsetType = UNSET


class DeviceView(OwnWords, frozen=True):
    """A device as people see it."""

    name: str
    driver: str
    port: str
    link: str
    counts: dict[str, int]
    """How often it has sent each event."""
    errors: list[DeviceErrorView]
    identity: str
    """What the unit that is plugged in is known by."""
    stopped: str
    """The kind of error its driver failed with; empty while it works."""
    takes: list[str]
    """Commands it can be given."""

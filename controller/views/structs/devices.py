"""Views of devices."""

import msgspec
from msgspec import UNSET, UnsetType

from drivers.error_meaning import ErrorMeaning


class DeviceErrorView(msgspec.Struct, frozen=True):
    """An error of a device: the maker's number and text, and its meaning."""

    code: int
    means: ErrorMeaning
    says: str
    must_clear: bool


class ProgressView(msgspec.Struct, frozen=True, rename={"cards_in": "in"}):
    """The progress of a shuffler: cards in, cards out, and the total."""

    cards_in: int
    out: int
    total: int


class OwnWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a device last reported about itself; values never reported are omitted."""

    state: str | UnsetType = UNSET
    progress: ProgressView | UnsetType = UNSET
    maker: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    firmware: str | UnsetType = UNSET


class DeviceView(OwnWords, frozen=True):
    """A device with its driver, port and link."""

    name: str
    driver: str
    port: str
    link: str
    counts: dict[str, int]
    """The number of events of each type."""
    errors: list[DeviceErrorView]
    identity: str
    """The identity of the connected unit."""
    stopped: str
    """The kind of error its driver failed with; empty while it works."""
    takes: list[str]
    """The commands that the device accepts."""

"""Messages of a table between its records: its current view, and its heartbeat."""

import msgspec

from controller.journal.records import Json


class LiveView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pit's view after a step, sealed cards as null; the floor keeps the last one of each
    table."""

    site: str
    table: str
    seq: int
    at: float
    """When the step happened, by the table's clock."""
    sent: float
    what: str
    """The command that caused the step."""
    view: dict[str, Json]
    """The view of the pit's page at the table: plain data for display, not used for decisions."""
    public: dict[str, Json]
    """The view of the guests' display, for the lobby."""
    instance: str = ""
    """Id of the sending program, as in a `Batch`: a lower `seq` from the same one is outdated."""


class OfferedMethod(msgspec.Struct, frozen=True):
    """A method of dealing that can be chosen at a table."""

    id: str
    clause: str
    chosen_by: str
    """The role that may choose it."""


class DeviceBeat(msgspec.Struct, frozen=True):
    """One device in a beat."""

    name: str
    driver: str
    link: str
    unit: str = ""
    firmware: str = ""
    cards: int = 0
    misreads: int = 0


class Beat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The heartbeat of a table; three missing beats in a row are an exception."""

    site: str
    table: str
    instance: str
    boot: str
    release: str
    rulebook: str
    seq: int
    """The last record on the table's disk."""
    unsent: int
    """Records that the floor has not acknowledged."""
    at: float
    """The table's clock, from which the floor computes the clock error."""
    free_disk_mb: int
    devices: list[DeviceBeat] = []
    every: float = 2.0
    title: str = ""
    """The display name of the table."""
    pit: str = ""
    mode: str = "live"
    currency: str = ""
    minor_units: int = 2
    documents: dict[str, int] = {}
    """The versions of the site's documents that the table has applied."""

"""What a table says of itself between records: how it stands, and that it lives."""

import msgspec

from controller.journal.records import Json


class LiveView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pit's view after a step, sealed cards as null; the last one of each table is kept."""

    site: str
    table: str
    seq: int
    at: float
    """When the step happened, by the table's clock."""
    sent: float
    what: str
    """The word that was said."""
    view: dict[str, Json]
    """As the pit's page at the table gets it: plain data for pages, decided upon by nobody."""
    public: dict[str, Json]
    """As guests see it, for the lobby."""
    instance: str = ""
    """Of the program that says so, as in a `Batch`: a lower `seq` from the same one is old news."""


class OfferedMethod(msgspec.Struct, frozen=True):
    """A way of dealing that can be chosen at a table."""

    id: str
    clause: str
    chosen_by: str
    """The role that may."""


class DeviceBeat(msgspec.Struct, frozen=True):
    """One device, as a beat tells of it."""

    name: str
    driver: str
    link: str
    unit: str = ""
    firmware: str = ""
    cards: int = 0
    misreads: int = 0


class Beat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table lives; three in a row that do not come are an exception."""

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
    """The table's clock: how far it is off shows here."""
    free_disk_mb: int
    devices: list[DeviceBeat] = []
    every: float = 2.0
    title: str = ""
    """The table as people call it."""
    pit: str = ""
    mode: str = "live"
    currency: str = ""
    minor_units: int = 2
    documents: dict[str, int] = {}
    """The versions of the site's documents that the table has taken over."""

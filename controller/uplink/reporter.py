"""Builds what a table sends between records: its latest view, and its beat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from controller.journal.records import Json
from controller.protocol.live import Beat, DeviceBeat, LiveView, OfferedMethod
from controller.protocol.names import TableName
from controller.runtime.snapshots import Snapshot
from controller.table.phases import ANY_PHASE, ROUND_PHASES
from controller.views.structs.devices import DeviceView
from controller.views.structs.encoding import plain

BEAT_S: Final = 2.0
_BETWEEN: Final = ANY_PHASE - ROUND_PHASES
_CARDS: Final = ("CardRead", "ReadFailed", "ExcessCard")


@dataclass(frozen=True)
class TableIdentity:
    """The constant part of every beat and view of one program."""

    name: TableName
    instance: str
    boot: str
    release: str
    rulebook: str
    title: str
    pit: str
    mode: str
    currency: str = ""
    minor_units: int = 2
    methods: tuple[OfferedMethod, ...] = ()
    may: tuple[str, ...] = ()
    """The commands that the table accepts from its floor."""


@dataclass(frozen=True)
class StatusSources:
    """The sources of a beat's values."""

    devices: Callable[[], list[DeviceView]]
    free_disk: Callable[[], int]
    """Free bytes on the journal's disk."""


def live_of(reported: TableIdentity, posted: Snapshot, sent: float) -> LiveView:
    """The view of the pit's page and of the guests' display. A sealed card is null in both, so it
    is null here."""
    about: dict[str, Json] = {
        "demo": reported.mode != "live",
        "mode": reported.mode,
        "table": reported.title,
    }
    steered: dict[str, Json] = {
        "methods": msgspec.to_builtins(reported.methods),
        "floor_may": list(reported.may),
    }
    return LiveView(
        reported.name.site,
        reported.name.table,
        posted.seq,
        posted.at,
        sent,
        posted.what,
        {**plain(posted.views.pit), **about, **steered},
        {**plain(posted.views.public), **about},
        reported.instance,
    )


def is_between_rounds(posted: Snapshot) -> bool:
    """Whether the table is in a phase where it applies a site's document."""
    return posted.views.pit.phase in _BETWEEN


def beat_of(
    reported: TableIdentity,
    around: StatusSources,
    seq: int,
    unsent: int,
    at: float,
    documents: Mapping[str, int],
) -> Beat:
    return Beat(
        reported.name.site,
        reported.name.table,
        reported.instance,
        reported.boot,
        reported.release,
        reported.rulebook,
        seq,
        unsent,
        at,
        around.free_disk() // 1_000_000,
        [_device(each) for each in around.devices()],
        BEAT_S,
        reported.title,
        reported.pit,
        reported.mode,
        reported.currency,
        reported.minor_units,
        dict(documents),
    )


def _device(shown: DeviceView) -> DeviceBeat:
    counts = shown.counts
    return DeviceBeat(
        shown.name,
        shown.driver,
        shown.link,
        shown.serial or shown.identity,
        shown.firmware or "",
        sum(counts.get(each, 0) for each in _CARDS),
        counts.get("ReadFailed", 0),
    )

"""A table's uplink to its floor, made from its file and started with the console."""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from controller.config.file import Floor
from controller.console.context import FloorLink
from controller.engine.session import Session
from controller.journal.errors import KeyRefused
from controller.journal.keys.signing import public_key_path as public_beside
from controller.journal.keys.signing import read_public
from controller.protocol.live import OfferedMethod
from controller.protocol.names import TableName
from controller.runtime.client import TableClient
from controller.runtime.loop import Clock
from controller.runtime.open_table import JournalPlaces
from controller.runtime.release_info import release_digest
from controller.service.boot import boot_id
from controller.table.commands.device_events import JournalLossEvent
from controller.table.commands.message import Message
from controller.table.rules import Rules
from controller.uplink import documents, reader
from controller.uplink.documents import SiteDocuments
from controller.uplink.links.https_link import HttpsLink
from controller.uplink.links.link import Access, Link
from controller.uplink.links.nats_link import NatsLink
from controller.uplink.orders import OrderRules
from controller.uplink.outbox import Speaker
from controller.uplink.reporter import StatusSources, TableIdentity
from controller.uplink.service import (
    UPLINK_INTERVALS,
    LinkStatus,
    Uplink,
    UplinkIntervals,
    UplinkSetup,
)
from controller.uplink.watermark_store import WatermarkStore, watermark_path
from controller.views.structs.devices import DeviceView

INSTANCE_BYTES: Final = 8

log = structlog.get_logger()


@dataclass(frozen=True)
class AtFloor:
    """The configured identity of a table on its floor."""

    floor: Floor
    places: JournalPlaces
    rules: Rules
    title: str
    mode: str

    @property
    def name(self) -> TableName:
        return TableName(self.floor.site, self.floor.table)

    def key(self) -> bytes:
        """Return the floor's key; raises `KeyRefused` where the file has none."""
        return read_public(Path(self.floor.floor_key))

    def witness(self) -> WatermarkStore:
        return WatermarkStore(watermark_path(self.places.head), self.name, self.key())


def compare_with_floor(session: Session, table: AtFloor, now: float) -> None:
    """Compare the journal with the floor's signed head, as the first step of a start. Without the
    floor's key there is no comparison; a table plays without its floor."""
    try:
        witness = table.witness()
    except KeyRefused as refused:
        log.error("floor_key", why=str(refused))
        return
    with reader.opened(table.places.journal) as records:
        doubt = witness.raise_divergence(records)
    if doubt is not None:
        log.error("floor_witness", says=doubt.code, **doubt.params)
        session.handle(Message("system", JournalLossEvent(note=doubt), at=now))
        witness.mark_divergence_sent()


@contextmanager
def uplink(
    table: AtFloor,
    client: TableClient,
    devices: Callable[[], list[DeviceView]],
    clock: Clock,
    intervals: UplinkIntervals = UPLINK_INTERVALS,
) -> Iterator[Callable[[], FloorLink]]:
    """Run the uplink until the block ends; yield a function that returns its state for a page."""
    try:
        setup = _setup(table, devices, clock, intervals)
    except KeyRefused as refused:
        text = str(refused)
        log.error("floor_key", why=text)
        yield lambda: _shown(LinkStatus(text=text))
        return
    working = Uplink(setup, client, _link(table))
    working.start()
    try:
        yield lambda: _shown(working.status())
    finally:
        working.stop()


def _shown(status: LinkStatus) -> FloorLink:
    return FloorLink(
        connected=status.connected,
        unsent=status.unsent,
        state=status.state.value,
        why=None if status.why is None else status.why.value,
        says=status.text,
        refused=status.refused,
    )


def _link(table: AtFloor) -> Link:
    chosen = table.floor
    files = (chosen.ca, chosen.certificate, chosen.key, chosen.token)
    access = Access(chosen.url, *(None if each is None else Path(each) for each in files))
    return HttpsLink(access) if access.scheme in ("https", "http") else NatsLink(access, table.name)


def _setup(
    table: AtFloor,
    devices: Callable[[], list[DeviceView]],
    clock: Clock,
    intervals: UplinkIntervals,
) -> UplinkSetup:
    assert clock.wall is not None
    journal, instance = table.places.journal, os.urandom(INSTANCE_BYTES).hex()
    release, currency = release_digest(table.rules), table.rules.currency
    key = table.key()
    return UplinkSetup(
        TableIdentity(
            table.name,
            instance,
            boot_id(),
            f"{release.version} {release.decides}",
            release.rulebook,
            table.title,
            table.floor.pit,
            table.mode,
            currency.code,
            currency.minor_units,
            tuple(
                OfferedMethod(each.id, each.choice or each.clause, each.chosen_by.value)
                for each in table.rules.offered_methods()
            ),
            tuple(sorted(table.floor.may)),
        ),
        Speaker(table.name, instance, read_public(public_beside(journal)), key),
        OrderRules(table.name, key, frozenset(table.floor.may)),
        StatusSources(devices, lambda: shutil.disk_usage(journal.parent).free),
        journal,
        table.witness(),
        SiteDocuments(documents.documents_path(table.places.head), table.name, key),
        clock.wall,
        clock.monotonic,
        random.random,
        intervals,
    )

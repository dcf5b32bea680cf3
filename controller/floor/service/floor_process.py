"""`sabot floor run`: all parts of a floor in one supervised process.

The order of a start: the key, the database schema, the brokers, the sink, watchers and projections,
the pages. If a broker or a database goes away later, the floor waits; tables play on and send
again.
"""

import asyncio
import contextlib
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
import psycopg
import structlog
from starlette.routing import Route

from controller.config.file import ConfigError
from controller.floor.config import FloorConfig
from controller.floor.service import periodic_jobs
from controller.floor.service.broker import Broker
from controller.floor.service.https_listener import HttpsListening, HttpsRooms
from controller.floor.service.keys import signer_of
from controller.floor.service.nats_connection import NatsCarrier
from controller.floor.service.nats_listener import Hearing
from controller.floor.service.supervisor import Faults, Part, supervised
from controller.floor.service.website import Bearers, Website, context_of
from controller.floor.sink.collector import Collector
from controller.floor.sink.https_front import HttpsFront
from controller.floor.sink.instances import Instances
from controller.floor.sink.presence import Presence
from controller.floor.sink.writer import Writer
from controller.floor.store import migration
from controller.floor.tasks import end
from controller.floor.web.live.board import Board
from controller.floor.webhooks.http_sender import EgressPolicy
from controller.journal.keys.signing import Signer, fingerprint
from controller.runtime.msgspec_warmup import prepare_types
from controller.service.supervision import Notifier

log = structlog.get_logger()

BEAT_S: Final = 1.0


@dataclass
class RunningFloor:
    """A running floor: the address of its pages, and its writer."""

    url: str
    writer: Writer
    collector: Collector
    board: Board
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    def ended(self) -> str | None:
        """The part that has ended unexpectedly; None while all run."""
        for task in self.tasks:
            if task.done():
                failed = None if task.cancelled() else task.exception()
                return f"{task.get_name()}: {failed!r}"
        return None


def check_database(config: FloorConfig) -> None:
    """Raises `ConfigError` if the schema is not the one of this release; an unavailable database
    passes."""
    try:
        with psycopg.connect(config.database.owner, connect_timeout=5) as connection:
            form = migration.form_of(connection)
    except psycopg.OperationalError as error:
        log.error("database_away", why=str(error).strip())
        return
    if form != migration.newest():
        has = "has no floor's tables" if form is None else f"has form {form}"
        raise ConfigError(
            f"the database {has}, and this release knows form {migration.newest()}: "
            "`sabot floor migrate` brings it there"
        )


def demo_pins(config: FloorConfig) -> dict[str, str]:
    """The PINs that a demonstration shows for each name; a live floor has no such file."""
    file = Path(config.web.staff).with_name("pins.json")
    if config.site.mode != "demo" or not file.exists():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, str])


@contextlib.asynccontextmanager
async def floor(
    config: FloorConfig, pins: dict[str, str] | None = None
) -> AsyncIterator[RunningFloor]:
    """Runs all parts until the block ends."""
    signer = signer_of(Path(config.keys.signing))
    log.info("floor_key", fingerprint=fingerprint(signer.public))
    prepare_types()
    await asyncio.to_thread(check_database, config)
    async with contextlib.AsyncExitStack() as stack:
        yield await _started(config, signer, stack, pins or demo_pins(config))


async def _started(
    config: FloorConfig,
    signer: Signer,
    stack: contextlib.AsyncExitStack,
    pins: dict[str, str],
) -> RunningFloor:
    site, instances = config.site.name, Instances()
    writer = Writer(config.database.sink, signer, enrols_itself=config.tables.enrol == "themselves")
    stack.callback(writer.close)
    collector = Collector(writer, signer, time.time, instances)
    board, heard = Board(site), Presence(config.tables.clock_s)
    bearers = Bearers(config.database.sink)
    stack.push_async_callback(bearers.close)
    door = HttpsFront(site, collector, signer, bearers.of)
    carrier = NatsCarrier()
    rooms = HttpsRooms(carrier)
    context = context_of(config, signer, board, rooms, pins)
    hearing = Hearing(heard, instances, board, context.shelf, time.time)
    listening = HttpsListening(door, hearing, rooms)
    more: tuple[Route, ...] = (*door.routes, *listening.routes)
    faults = Faults(config.database.sink, site)
    website = Website(config, context, more, lambda name, part: supervised(name, part, faults))
    stack.callback(website.close)
    found = RunningFloor(website.url, writer, collector, board)
    committed = asyncio.Event()
    collector.on_commit = committed.set
    parts: dict[str, Part] = {
        "sink": collector.run,
        "derive": lambda: periodic_jobs.derive(config.database.derive, committed),
        "presence": lambda: periodic_jobs.watch(config.database.sink, site, heard, time.time),
        "months": lambda: periodic_jobs.make_months(config.database.owner, time.time),
        "roots": lambda: periodic_jobs.make_roots(
            config.database.proof, site, signer, config.proof.stamp, time.time
        ),
        "webhooks": lambda: periodic_jobs.tell_subscribers(
            config.database.hooks,
            EgressPolicy(tuple(config.webhooks.allow), config.webhooks.ca),
            time.time,
            random.random,
        ),
        "pages": website.run,
    }
    broker = Broker(config, hearing, collector, signer, faults, carrier)
    if config.nats.servers:
        parts["broker"] = broker.run
    for name, part in parts.items():
        _begin(found, stack, name, supervised(name, part, faults))
    if config.nats.servers and not await broker.answered_at_first():
        log.warning("begun_without_broker")
    return found


def _begin(
    found: RunningFloor, stack: contextlib.AsyncExitStack, name: str, work_: "periodic_jobs.Work"
) -> None:
    task = asyncio.get_running_loop().create_task(work_, name=name)
    found.tasks.append(task)
    stack.push_async_callback(end, task)


async def serve(
    config: FloorConfig, stop: asyncio.Event, ready: Callable[[RunningFloor], None]
) -> None:
    """Runs until `stop`; raises `ServiceEnded` if a part ended by itself."""
    notifier = Notifier(os.environ)
    async with floor(config) as running:
        ready(running)
        notifier.ready(f"serving {running.url}")
        while not stop.is_set():
            if (ended := running.ended()) is not None:
                raise ServiceEnded(ended)
            if notifier.watchdog_s is not None:
                notifier.alive()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), BEAT_S)
        notifier.stopping()


class ServiceEnded(Exception):
    """A part of the service has ended by itself: systemd restarts all of it."""

"""The console's server: its address, its thread and its event loop."""

import gc
import ipaddress
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Final

import uvicorn

from controller.console.auth.accounts import Accounts
from controller.console.auth.kiosks import Kiosks, kiosks_path
from controller.console.auth.login_queue import FAILED_S, LoginQueue
from controller.console.auth.sessions import Clocks, Sessions
from controller.console.context import LIVE, ConsoleContext, FloorLink, about
from controller.console.data.feeds import Feeds
from controller.console.data.figures import ShiftFigures
from controller.console.data.idempotency import IdempotencyKeys
from controller.console.data.round_history import Recall, RecordReader
from controller.console.data.round_list import RoundList
from controller.console.data.staff_priority import StaffPriority
from controller.console.http.app import LOOPBACK_NAMES, application
from controller.console.http.connections import MAX_CONNECTIONS
from controller.console.http.limits import GOODBYE_S, edge, places
from controller.console.http.uvicorn_adapter import ACCEPT_QUEUE, EdgeServer
from controller.journal.records import Record
from controller.journal.seal import Sealer
from controller.runtime.client import TableClient
from controller.runtime.msgspec_warmup import prepare_types
from controller.runtime.open_table import RUBBISH_AFTER
from controller.table.rules import Rules

PORT: Final = 8470
NEXT_PORTS: Final = 30
"""Ports tried after the first one where any port will do."""
STUCK_MS: Final = 10_000
"""The kernel cuts off a reader that has acknowledged nothing for this time."""
SEND_BYTES: Final = 64 * 1024
"""The kernel's send buffer for a slow reader, in addition to the reader's queue."""
SWITCH_S: Final = 0.0005
ASKED_AGAIN: Final = 200
"""Records before the current shoe that are searched for keys of repeated commands."""


class ConsoleError(Exception):
    """The reason why the console cannot start, with the remedy."""


@dataclass(frozen=True)
class ListenAddress:
    host: str = "127.0.0.1"
    port: int = PORT
    """The port; 0: any free one."""
    cert: Path | None = None
    key: Path | None = None
    names: tuple[str, ...] = ()
    """Host names of the console in addition to those of loopback."""

    @property
    def secure(self) -> bool:
        return self.cert is not None

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def check(self) -> None:
        if (self.cert is None) != (self.key is None):
            raise ConsoleError("TLS takes both: a certificate (tls_cert) and its key (tls_key)")
        if not self.loopback and not self.secure:
            raise ConsoleError(
                f"{self.host} can be reached by others: that needs TLS. Set tls_cert and tls_key, "
                "or leave host out to serve this machine alone"
            )

    @property
    def hosts(self) -> tuple[str, ...]:
        """The accepted host names. Under TLS no browser accepts a certificate for a false name."""
        if self.names or self.loopback:
            return (*LOOPBACK_NAMES, *(name.lower() for name in self.names))
        return ()


def bound(address: ListenAddress, tries: int = 1) -> socket.socket:
    """A listening socket on the port, or on one of the next `tries`; raises `ConsoleError`."""
    address.check()
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    for port in range(address.port, address.port + tries):
        # Named as TCP, or asyncio does not see that it is and leaves Nagle's algorithm on: every
        # answer in two parts would then wait 40 ms for the other side's acknowledgement.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_MS)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        try:
            found.bind((address.host, port))
            found.listen(ACCEPT_QUEUE)
        except OSError as error:
            found.close()
            why = error.strerror or str(error)
        else:
            return found
    where = f"{address.host}:{address.port}"
    raise ConsoleError(
        f"{where} cannot be served on ({why}): choose another port, or stop who has it"
    )


def address_of(address: ListenAddress, listening: socket.socket) -> str:
    """The URL at which a browser reaches the console."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if address.secure else 'http'}://{shown}:{port}"


@dataclass(frozen=True)
class Setup:
    """The parts of a console other than the table's client and its address."""

    rules: Rules
    accounts: Accounts
    wall: Callable[[], float]
    steady: Callable[[], float]
    """Seconds since the machine started, including sleep."""
    entropy: Callable[[int], bytes]
    records: RecordReader | None = None
    shoe: Sequence[Record] | None = None
    """The records of the current shoe, if they have been read already."""
    sealer: Sealer | None = None
    sessions_file: Path | None = None
    table: str = "Table"
    mode: str = LIVE
    chip_unit: int = 1
    pins: Mapping[str, str] = field(default_factory=dict)
    benches: Mapping[str, str] = field(default_factory=dict)
    metrics: Callable[[], bytes] | None = None
    floor: Callable[[], FloorLink] | None = None
    """Returns the state of the connection with the floor; None: this table has no floor."""
    boot: str = ""
    """Identifies this boot of the machine; empty: unknown, and sessions end with the console."""
    failed_s: float = FAILED_S


def _heard(records: RecordReader, shoe: Sequence[Record] | None) -> Iterator[Record]:
    """The records of the current shoe and the commands just before it: a page may repeat a command
    after a restart, and the command that loaded a shoe is before its checkpoint."""
    starts = () if shoe else records.checkpoints()[-1:]
    first = shoe[0].seq if shoe else max(1, *starts, 1)
    before = records.read(max(0, first - 1 - ASKED_AGAIN))
    if not shoe:
        yield from before
        return
    yield from takewhile(lambda record: record.seq < first, before)
    yield from shoe


def context_of(client: TableClient, setup: Setup, *, secure: bool = False) -> ConsoleContext:
    """The context of the endpoints; restores idempotency keys from the journal."""
    # Without a journal nothing outlives the console, so a random key is enough.
    idempotency = IdempotencyKeys(setup.sealer or Sealer(setup.entropy(32), setup.entropy))
    rounds = recall = shift = None
    if setup.records is not None:
        idempotency.recall(_heard(setup.records, setup.shoe))
        rounds = RoundList(setup.records)
        shift = ShiftFigures(setup.records)
        if setup.sealer is not None:
            recall = Recall(setup.rules, setup.records, setup.sealer)
    first = StaffPriority()
    clocks = Clocks(setup.steady, setup.boot)
    return ConsoleContext(
        client=client,
        rules=setup.rules,
        accounts=setup.accounts,
        turns=LoginQueue(setup.accounts, setup.steady, setup.failed_s),
        kiosks=Kiosks(kiosks_path(setup.accounts.path), setup.entropy),
        sessions=Sessions(clocks, setup.entropy, setup.sessions_file),
        idempotency=idempotency,
        feeds=Feeds(client.snapshots, setup.wall, about(setup.table, setup.mode), first),
        entropy=setup.entropy,
        staff_first=first,
        wall=setup.wall,
        rounds=rounds,
        recall=recall,
        shift=shift,
        table=setup.table,
        mode=setup.mode,
        chip_unit=setup.chip_unit,
        secure=secure,
        pins=setup.pins,
        benches=setup.benches,
        metrics=setup.metrics,
        floor=setup.floor,
    )


class ConsoleServer:
    """Serves a console in its own thread until it is stopped."""

    def __init__(
        self, context: ConsoleContext, address: ListenAddress, listening: socket.socket
    ) -> None:
        self._listening = listening
        self._address = address
        self._started = threading.Event()
        self._server = EdgeServer(_config(context, address), self._started.set)
        self._thread = threading.Thread(target=self._run, name="console", daemon=True)

    def start(self, timeout_s: float = 60.0) -> None:
        # The table's thread waits no longer for the web's than this.
        sys.setswitchinterval(SWITCH_S)
        gc.set_threshold(*RUBBISH_AFTER)
        prepare_types()
        self._thread.start()
        if not self._started.wait(timeout_s) or not self._server.started:
            raise ConsoleError("the console did not start: see the messages above")

    def stop(self) -> None:
        """Closes every feed, then ends the thread."""
        self._server.should_exit = True
        self._thread.join(GOODBYE_S * 4)
        self._listening.close()

    @property
    def url(self) -> str:
        return address_of(self._address, self._listening)

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._listening])
        finally:
            self._started.set()


def _config(context: ConsoleContext, address: ListenAddress) -> uvicorn.Config:
    knows = context.sessions.find
    at = places(lambda token: knows(token) is not None, MAX_CONNECTIONS, context.staff_first)
    app = application(context, address.hosts)
    return edge(app, at, address.cert, address.key, ws_per_message_deflate=False)

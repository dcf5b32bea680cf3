"""`sabot floor demo`: a complete floor to try out: broker, database, a dozen tables with robots.

The servers come from wheels and the devices are emulated, each a separate program. Nothing is kept:
all files are in one temporary folder.
"""

import json
import logging
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import psycopg
import typer

from controller.cli import demo as one_table
from controller.cli.floor import demo_words
from controller.cli.floor.demo_words import DemoWords
from controller.cli.floor.running import FloorError
from controller.config.file import Floor
from controller.console.auth.accounts import DEMO_HASHER, SHORT_SECRET, Accounts
from controller.console.http.server import ListenAddress
from controller.floor.embedded import child_process
from controller.floor.embedded.child_process import EmbeddedError
from controller.floor.embedded.nats import NatsServer, nats
from controller.floor.embedded.postgres import OWNER, Postgres, postgres
from controller.floor.service.keys import public_beside, signer_of
from controller.floor.store import migration, partitions
from controller.service import logs

SITE: Final = "demo"
TABLES: Final = 12
PITS: Final = ("north", "south", "salon")
PORT: Final = 8480
PORTS: Final = 30
READY_S: Final = 90.0
LEFT_S: Final = 45
"""Seconds until the robot decides by itself, as in its manner `floor`."""
ERRS: Final = 3
"""Every third robot makes errors, beginning with the first table. Its first round stops, so that
within a minute there is a request to approve."""
PEOPLE: Final = tuple(each for each in one_table.PEOPLE if each.who not in ("robot", "anna", "lin"))
"""Dealers have no tasks at a floor."""


@dataclass(frozen=True)
class FloorFiles:
    """The paths of the demo's files."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "floor.toml"

    @property
    def signing(self) -> Path:
        return self.folder / "floor.signing"

    @property
    def staff(self) -> Path:
        return self.folder / "staff.json"

    @property
    def log(self) -> Path:
        return self.folder / "floor.log"


def register(app: typer.Typer) -> None:
    app.command("demo")(command)


def command(
    tables: Annotated[int, typer.Option(help="how many", min=1, max=100)] = TABLES,
    port: Annotated[
        int, typer.Option(help="port of the pages; the next free one if it is in use")
    ] = PORT,
) -> None:
    """Try a floor: NATS, PostgreSQL, a dozen tables played by robots, the floor's pages."""
    ended = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda *_: ended.set())
    logs.configure(level=logging.ERROR)
    with floor_demo(tables, port, ended) as words:
        typer.echo(f"{demo_words.TELL}\n\n  Press Ctrl-C to stop.")
        words.obey(ended)
        typer.echo("Stopping everything.")


@contextmanager
def floor_demo(tables: int, port: int, ended: threading.Event) -> Iterator[DemoWords]:
    """Run everything for the block; yields the commands that can be typed."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sabot-floor-")))
        files = FloorFiles(folder)
        typer.echo("Starting PostgreSQL and NATS.")
        server = stack.enter_context(postgres(folder / "postgres"))
        broker = stack.enter_context(nats(folder / "nats"))
        _make_tables(server)
        _prepare(files)
        url = _configured(files, server, broker, _free(port))
        service = stack.enter_context(_service(files, url))
        typer.echo(_told(url, tables))
        journals: dict[str, Path] = {}
        for number in range(1, tables + 1):
            if ended.is_set():
                break
            journals.update([_table(stack, number, tables, broker, files)])
        servers = (("PostgreSQL", server), ("NATS", broker), ("The floor's service", service))
        yield DemoWords(server, lambda: _make_tables(server), SITE, journals, servers)


def _make_tables(server: Postgres) -> None:
    migration.migrate(server.conninfo())
    with psycopg.connect(server.conninfo()) as connection:
        partitions.make(connection, datetime.now(UTC))


def _prepare(files: FloorFiles) -> None:
    signer_of(files.signing)
    accounts = Accounts(files.staff, DEMO_HASHER, SHORT_SECRET)
    for person in PEOPLE:
        accounts.add(person.who, person.role, person.pin, person.name, person.language)
    pins = {person.who: person.pin for person in PEOPLE}
    (files.folder / "pins.json").write_text(json.dumps(pins), "utf-8")


def _configured(files: FloorFiles, server: Postgres, broker: NatsServer, port: int) -> str:
    roles = ("sink", "derive", "web", "proof", "retention", "hooks")
    users = {role: f"floor_{role}" for role in roles} | {"owner": OWNER}
    reached = [f"{role} = {json.dumps(server.conninfo(user=user))}" for role, user in users.items()]
    lines = [
        "[site]", f'name = "{SITE}"', 'title = "Demo floor"', 'mode = "demo"',
        "[database]", *reached,
        "[nats]", f'servers = ["{broker.url}"]',
        "[keys]", f"signing = {json.dumps(str(files.signing))}",
        "[tables]", 'enrol = "themselves"',
        "[web]", f"port = {port}", f"staff = {json.dumps(str(files.staff))}",
        "[logs]", 'level = "warning"',
    ]  # fmt: skip
    files.config.write_text("\n".join(lines) + "\n", "utf-8")
    return f"http://127.0.0.1:{port}"


def _free(port: int) -> int:
    """Find a free port from this one on; 0 is any."""
    for each in range(port, port + PORTS) if port else (0,):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", each))
            except OSError:
                continue
            free: int = probe.getsockname()[1]
            return free
    raise FloorError(f"no port from {port} on is free")


@dataclass
class Service:
    """The floor service in a process of its own, as at a site."""

    files: FloorFiles
    url: str
    _program: "subprocess.Popen[bytes] | None" = None

    @property
    def has_ended(self) -> bool:
        return self._program is not None and self._program.poll() is not None

    def start(self) -> None:
        """Start it; returns when it answers."""
        config = str(self.files.config)
        command = [sys.executable, "-m", "controller", "floor", "run", "--config", config]
        self._program = child_process.start(command, self.files.log, signal.SIGTERM)
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            if self.has_ended:
                raise EmbeddedError(
                    f"the floor has stopped: {child_process.last_lines(self.files.log)}"
                )
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise EmbeddedError(f"the floor does not start: {child_process.last_lines(self.files.log)}")

    def stop(self) -> None:
        if self._program is not None:
            child_process.end(self._program, signal.SIGTERM)


@contextmanager
def _service(files: FloorFiles, url: str) -> Iterator[Service]:
    found = Service(files, url)
    try:
        found.start()
        yield found
    finally:
        found.stop()


def _table(
    stack: ExitStack, number: int, tables: int, broker: NatsServer, files: FloorFiles
) -> tuple[str, Path]:
    """Run one table with its devices and its robot in this process; yields its journal."""
    at = Floor(
        url=broker.url,
        site=SITE,
        table=f"bac-{number:02}",
        floor_key=str(public_beside(files.signing)),
        pit=PITS[(number - 1) * len(PITS) // max(tables, len(PITS))],
    )
    found = stack.enter_context(
        one_table.demo("shoe_angel_eye", "shuffler_batch", ListenAddress(port=0), number, at)
    )
    manner = "floor" if number % ERRS == 1 else "normal"
    asked = urllib.request.Request(
        f"{found.benches['shoe']}/robot/{manner}", b"{}", {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=30):
        typer.echo(f"    {at.table}  {at.pit:<6} {found.url}")
    return at.table, found.journal


def _told(url: str, tables: int) -> str:
    people = "\n".join(
        f"    {p.name:<8} {p.role.replace('_', ' '):<22} PIN {p.pin}" for p in PEOPLE
    )
    return (
        f"\nDemonstration: {tables} tables, no real money, nothing is stored.\n"
        f"\n  Open {url} and sign in as:\n{people}\n"
        f"\n  Every third table has an irregularity. The first stop soon tops the list: Approve"
        f"\n  shows what will happen and asks for the PIN again. The robot's own pit decides what"
        f"\n  nobody decides within {LEFT_S} s. Starting {tables} tables; their own pages:"
    )

"""`sabot demo`: a table on an emulated shoe and shuffler, with its console, to try things out.

The emulators are separate programs (`python -m simulators`): none of their code is imported here,
and cards come from them by wire as from a real shoe. Nothing is kept: the journal, the accounts and
their PINs are in a temporary folder, and every view is marked "demo".
"""

import logging
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from controller.config import file as config
from controller.config.file import Config, Floor, Money
from controller.console.auth.accounts import DEMO_HASHER, SHORT_SECRET, Accounts
from controller.console.data.round_history import OnDisk
from controller.console.http.server import (
    NEXT_PORTS,
    PORT,
    ConsoleError,
    ConsoleServer,
    ListenAddress,
    Setup,
    address_of,
    bound,
    context_of,
)
from controller.runtime import open_table
from controller.runtime.build import Plug, running_table
from controller.runtime.client import TableClient
from controller.runtime.loop import Clock
from controller.service import floor, logs
from controller.service.boot import boot_id, since_boot
from controller.service.floor import AtFloor
from controller.table.commands.message import staff_message
from controller.table.rules import HouseRules
from controller.upkeep import demo_journal
from drivers import registry

READY_S: Final = 60.0
"""Time-out for an emulator's ready line."""
END_S: Final = 10.0
WAKE_S: Final = 0.5

CONFIG: Final = Config(
    HouseRules(
        "mbs-baccarat-8",
        layout="Appendix B",  # nine positions: seats and spots are large enough to tap
        burn="none",
        hlga=True,
        betting_s=30.0,
        open_after_paying=True,
        minimum=1_000,
        maximum=1_000_000,
        differential=2_000_000,
    ),
    Money(chip_unit=100),
)

SET: Final = {
    "shoe_angel_eye": ("--set", "burn=false", "--set", "result_s=0", "--set", "spacing_s=0")
}
"""Settings of the emulators that match the table above: a demo burns no cards before its first
round. The shoe is ready for the next round at once, because a real one reports a card drawn while
it shows the result as one too many. It sends the copies of an event together: if the machine
stalled for a second between two of them, the table would ask for a count."""


@dataclass(frozen=True)
class Person:
    who: str
    name: str
    role: str
    pin: str
    language: str = "en"


PEOPLE: Final = (
    Person("anna", "Anna", "dealer", "1111"),
    Person("lin", "林", "dealer", "1212", "zh-Hans"),
    Person("ben", "Ben", "pit_supervisor", "2222"),
    Person("carla", "Carla", "pit_manager", "3333"),
    Person("dora", "Dora", "gaming_shift_manager", "4444"),
    Person("eve", "Eve", "surveillance", "5555"),
    Person("robot", "Robot", "dealer", "9999"),
)
"""The last is for the emulators' robot, which signs in like a person."""


class _Ready(msgspec.Struct):
    """The line an emulator prints once it can be reached."""

    ready: str
    port: str
    panel: str | None = None


@dataclass(frozen=True)
class Demo:
    """A running demo: the addresses of its pages."""

    url: str
    benches: dict[str, str]
    emulators: tuple[subprocess.Popen[bytes], ...]
    journal: Path

    def instructions(self) -> str:
        """The next steps, for the terminal."""
        people = "\n".join(
            f"    {p.name:<8} {p.role.replace('_', ' '):<22} PIN {p.pin}" for p in PEOPLE
        )
        benches = "\n".join(f"    {name:<8} {url}" for name, url in self.benches.items())
        return (
            f"Demonstration: no live table, nothing is stored.\n\n"
            f"  Open {self.url}/demo : table, shoe and display in one window.\n\n"
            f"  For single pages open {self.url} and sign in as:\n{people}\n\n"
            f"  Draw cards, jam the shoe or pull its cable on the emulator pages:\n{benches}\n\n"
            f"  The public display is {self.url}/display. Press Ctrl-C to stop."
        )


@contextmanager
def demo(
    shoe: str, shuffler: str, address: ListenAddress, seed: int, at: Floor | None = None
) -> Iterator[Demo]:
    """Run everything from emulators to pages for the block; `at` is an optional floor."""
    _must_be("shoe", shoe)
    _must_be("shuffler", shuffler)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=demo_journal.PREFIX)))
        listening = bound(address, tries=1 if address.port == 0 else NEXT_PORTS)
        stack.callback(listening.close)
        # The address is reserved here: the robot at the shoe needs it before the pages are served.
        table = address_of(address, listening)
        by_hand = registry.find(shoe).sheet.link == "none"
        wanted: list[tuple[str, str, tuple[str, ...]]] = [("shuffler", shuffler, ())]
        if not by_hand:
            wanted.insert(0, ("shoe", shoe, ("--table", table)))
        emulators = [
            (name, *stack.enter_context(_emulator(driver, name, folder, seed, *more)))
            for name, driver, more in wanted
        ]
        plugs = [Plug(name, ready.ready, ready.port) for name, _, ready in emulators]
        if by_hand:
            plugs.append(Plug("shoe", shoe, ""))
        benches = {name: ready.panel for name, _, ready in emulators if ready.panel}
        session = stack.enter_context(
            open_table.open_table(
                CONFIG.rules(),
                folder / demo_journal.JOURNAL,
                pseudonyms=at is not None and at.pseudonyms,
            )
        )
        clock = Clock(time.monotonic, time.time)
        loop = stack.enter_context(running_table(session, plugs, clock)).loop
        setup = _setup(folder, benches)
        if at is not None:
            place = open_table.JournalPlaces.next_to(folder / demo_journal.JOURNAL)
            table_at = AtFloor(at, place, CONFIG.rules(), f"Demo table {at.table}", setup.mode)
            up = floor.uplink(table_at, loop, loop.devices, clock)
            setup = replace(setup, floor=stack.enter_context(up))
        server = ConsoleServer(context_of(loop, setup), address, listening)
        server.start()
        stack.callback(server.stop)
        _make_ready(loop)
        programs = tuple(program for _, program, _ in emulators)
        yield Demo(table, benches, programs, folder / demo_journal.JOURNAL)


def _must_be(kind: str, driver: str) -> None:
    """Validate an option here: an emulator's own error would name options that the user did not
    give."""
    sheet = registry.find(driver).sheet
    if sheet.kind != kind:
        raise ConsoleError(f"{driver} is a {sheet.kind}; choose a {kind}")
    if driver in registry.EMULATORS_WORDS:
        raise ConsoleError(
            f"{driver} is a word of `python -m simulators`: no emulator of that name can be started"
        )


def _setup(folder: Path, benches: dict[str, str]) -> Setup:
    accounts, journal = (
        Accounts(folder / "staff.json", DEMO_HASHER, SHORT_SECRET),
        folder / demo_journal.JOURNAL,
    )
    for person in PEOPLE:
        accounts.add(person.who, person.role, person.pin, person.name, person.language)
    return Setup(
        rules=CONFIG.rules(),
        accounts=accounts,
        wall=time.time,
        steady=since_boot,
        boot=boot_id(),
        entropy=os.urandom,
        records=OnDisk(journal),
        sealer=open_table.JournalPlaces.next_to(journal).sealer(),
        sessions_file=folder / "sessions.json",
        table="Demo table",
        mode="demo",
        chip_unit=CONFIG.money.chip_unit,
        pins={person.who: person.pin for person in PEOPLE},
        benches=benches,
    )


def _make_ready(table: TableClient) -> None:
    """Open the table and load a shoe, so that the first action is to deal."""
    shoe = {"deck_set": "demo", "verified_by": "ben", "cut": True}
    for message in (
        staff_message("open_table", "ben", "pit_supervisor"),
        staff_message("load_shoe", "anna", "dealer", **shoe),
        staff_message("approve", "ben", "pit_supervisor"),
    ):
        reply = table.ask(message).result(READY_S)
        assert reply.accepted, reply.reason


# --- emulators --------------------------------------------------------------------------------


@contextmanager
def _emulator(
    driver: str, name: str, folder: Path, seed: int, *more: str
) -> Iterator[tuple["subprocess.Popen[bytes]", _Ready]]:
    """Start one emulator as a separate program; it is ready on return and ends with the block."""
    if registry.find(driver).sheet.link == "usb":
        where = ["--usbip", "127.0.0.1:0"]
    else:
        where = ["--pty", str(folder / name)]
    command = [sys.executable, "-m", "simulators", driver, *where, "--panel", "0", "--tied"]
    program = subprocess.Popen(
        [*command, "--seed", str(seed), *SET.get(driver, ()), *more],
        stdin=subprocess.PIPE,  # the kernel closes it if we are killed: the device then ends
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C ends the table first, and the table ends its devices
    )
    try:
        yield program, _ready(program, driver)
    finally:
        program.terminate()
        try:
            program.wait(END_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        for stream in (program.stdin, program.stdout):
            if stream is not None:
                stream.close()


def _ready(program: "subprocess.Popen[bytes]", driver: str) -> _Ready:
    """Read its first line; raises `ConsoleError` if the emulator ends or prints nothing."""
    out = program.stdout
    assert out is not None
    until = time.monotonic() + READY_S
    line = b""
    while not line.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or not select.select([out], [], [], left)[0]:
            raise ConsoleError(f"emulator {driver} does not start")
        piece = os.read(out.fileno(), 4096)
        if not piece:
            raise ConsoleError(f"emulator {driver} has stopped: see the messages above")
        line += piece
    return msgspec.json.decode(line, type=_Ready)


# --- the command ------------------------------------------------------------------------------


def register(app: typer.Typer) -> None:
    app.command("demo")(command)


def command(
    port: Annotated[
        int, typer.Option(help="port of the pages; the next free one if it is in use")
    ] = PORT,
    shoe: Annotated[str, typer.Option(help="the shoe to emulate")] = "shoe_angel_eye",
    shuffler: Annotated[str, typer.Option(help="the shuffler to emulate")] = "shuffler_batch",
    seed: Annotated[int, typer.Option(help="seed of the emulated cards")] = 1,
    floor_file: Annotated[
        Path | None,
        typer.Option("--floor", help="a TOML file with the keys of `floor`: connect to that floor"),
    ] = None,
) -> None:
    """Try a table: emulated shoe and shuffler, console, ready-made accounts."""
    at = None if floor_file is None else config.load_floor(floor_file)
    ended = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda *_: ended.set())
    logs.configure(level=logging.WARNING)  # the robot's commands would bury the addresses
    with demo(shoe, shuffler, ListenAddress(port=port), seed, at) as found:
        typer.echo(found.instructions())
        while not ended.wait(WAKE_S):
            gone = [each for each in found.emulators if each.poll() is not None]
            if gone:
                raise ConsoleError("an emulator has stopped: see the messages above")

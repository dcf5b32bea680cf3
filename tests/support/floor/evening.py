"""A whole floor on a bad evening, by seed: real tables, the real service, its pages and its pit.

Floor, broker, database and tables are killed at random while tables write, the pit gives orders and
screens look on; somebody repeats every order that he hears, and one screen never reads. What must
hold: every record is at the floor once and in order, an order is carried out once at most and never
after another answer, no screen goes backwards, and no byte on the wire tells a sealed card.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import msgspec
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

from controller.floor.embedded.nats import NatsServer
from controller.journal import audit
from controller.protocol.names import TableName
from controller.protocol.orders import OrderAnswer, OrderOutcome
from support.feeds import open_feed
from support.floor.canaries import blobs_of, told
from support.floor.oracle import journal_rows, rows_of
from support.floor.program import SITE, FloorProgram
from support.floor.servers import FloorDatabase
from support.floor.visitor import Visitor
from support.floor.wire import client
from support.limits import MAX_WAIT_S

TESTS = Path(__file__).parents[2]
LIMIT_S = MAX_WAIT_S
WHO = "max"


def until(there: Callable[[], bool], what: Callable[[], str]) -> None:
    end = time.monotonic() + LIMIT_S
    while not there():
        assert time.monotonic() < end, what()
        time.sleep(0.02)


class TableProgram:
    """A real table in a process of its own."""

    def __init__(self, folder: Path, name: TableName, nats: NatsServer, floor_key: bytes) -> None:
        self.name, self.journal = name, folder / "journal.db"
        folder.mkdir()
        self._words = [str(folder), nats.url, *name, floor_key.hex()]
        self._program: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-m", "support.floor.table_process", *self._words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )
        assert self._line() == "ready"

    def write(self, records: int) -> None:
        assert self._program is not None
        assert self._program.stdin is not None
        self._program.stdin.write(f"{records}\n")
        self._program.stdin.flush()
        assert self._line() == "written"

    def kill(self) -> None:
        assert self._program is not None
        self._program.kill()
        self._program.communicate()
        self._program = None

    def _line(self) -> str:
        assert self._program is not None
        assert self._program.stdout is not None
        return self._program.stdout.readline().strip()


class Screen:
    """Somebody looks at the floor's page, and comes back whenever it was cut off."""

    def __init__(self, program: FloorProgram) -> None:
        self._program = program
        self.seen: dict[str, int] = {}
        self.back: list[str] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="screen")
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._thread.join(LIMIT_S)

    def _look(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(OSError, httpx.HTTPError, WebSocketException):
                self._look_until_cut_off()
            self._ended.wait(0.1)

    def _look_until_cut_off(self) -> None:
        with feed(self._program) as socket:
            while not self._ended.is_set():
                with contextlib.suppress(TimeoutError):
                    self._take(socket.recv(timeout=0.2))

    def _take(self, message: str | bytes) -> None:
        for tile in msgspec.json.decode(message)["tiles"]:
            table, seq = tile["table"], tile["seq"]
            if seq < self.seen.get(table, 0) and not (seq == 0 and tile["away"]):
                self.back.append(f"{table}: {self.seen[table]}, then {seq}")
            self.seen[table] = max(seq, self.seen.get(table, 0))


@contextlib.contextmanager
def feed(program: FloorProgram) -> Iterator[ClientConnection]:
    with closing(Visitor(program.url)) as visitor:
        visitor.sign_in(WHO)
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.http.cookies.items())
    where = program.url.replace("http", "ws") + "/feed/floor"
    with open_feed(where, additional_headers={"Cookie": cookie}, max_queue=1) as socket:
        yield socket


class Parrot:
    """Hears everything on the broker, and says every order once more, and later once again."""

    def __init__(self, nats: NatsServer, random: Random) -> None:
        self.heard: list[bytes] = []
        self.answers: list[OrderAnswer] = []
        self._random = random
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="parrot")
        self._thread.start()
        self._wire = asyncio.run_coroutine_threadsafe(client(nats.url), self._loop).result(LIMIT_S)
        self._saying: set[asyncio.Task[None]] = set()
        self._do(self._listen())

    def close(self) -> None:
        self._do(self._silence())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)
        self._loop.close()

    @property
    def repeating(self) -> bool:
        return bool(self._saying)

    def _do(self, doing: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(doing, self._loop).result(LIMIT_S)

    async def _listen(self) -> None:
        await self._wire.subscribe(">", cb=self._hear)
        await self._wire.flush()

    async def _silence(self) -> None:
        for each in self._saying:
            each.cancel()
        await asyncio.gather(*self._saying, return_exceptions=True)
        await self._wire.close()

    async def _hear(self, message: Msg) -> None:
        self.heard.append(message.data)
        if message.subject.startswith("cmd.") and "parrot" not in message.reply:
            saying = asyncio.create_task(self._repeat(message.subject, message.data))
            self._saying.add(saying)
            saying.add_done_callback(self._saying.discard)

    async def _repeat(self, subject: str, data: bytes) -> None:
        for wait in (0.0, self._random.random() * 2):
            await asyncio.sleep(wait)
            with contextlib.suppress(NatsError, TimeoutError, OSError):
                inbox = f"_INBOX.parrot.{self._random.getrandbits(64):x}"
                heard = await self._wire.subscribe(inbox, max_msgs=1)
                await self._wire.publish(subject, data, reply=inbox)
                answer = await heard.next_msg(2.0)
                if answer.data:
                    self.answers.append(msgspec.msgpack.decode(answer.data, type=OrderAnswer))


@dataclass
class Evening:
    """What all seeds of one run share; each plays some faults with it."""

    folder: Path
    database: FloorDatabase
    nats: NatsServer
    program: FloorProgram
    tables: list[TableProgram] = field(default_factory=list)
    ordered: list[OrderAnswer] = field(default_factory=list)
    """What the floor's page was answered."""

    def open(self, tables: int = 2) -> None:
        self.program.start()
        for number in range(1, tables + 1):
            name = TableName(SITE, f"evening-{number}")
            table = TableProgram(self.folder / name.table, name, self.nats, self.program.public)
            self.tables.append(table)
            table.start()

    def close(self) -> None:
        for table in self.tables:
            table.kill()
        self.program.stop()

    # --- one seed --------------------------------------------------------------------------------

    def play(self, seed: int) -> list[str]:
        """Each of them is killed once, in some order; says in which."""
        random = Random(f"evening {seed}")
        kinds = [self.kill_floor, self.kill_broker, self.kill_database, self.kill_table]
        chosen = random.sample(kinds, len(kinds))
        with (
            closing(Screen(self.program)) as screen,
            closing(Parrot(self.nats, random)) as parrot,
            feed(self.program),  # which nobody reads
        ):
            self._until_heard(screen)
            for fault in chosen:
                self._go_on(random, screen)
                fault(random)
                self._go_on(random, screen)
            self._check(screen, parrot)
        return [each.__name__ for each in chosen]

    def kill_floor(self, random: Random) -> None:
        self.program.kill()
        self._write(random)
        self.program.start()

    def kill_broker(self, random: Random) -> None:
        self.nats.kill()
        self._write(random)
        self.nats.start()

    def kill_database(self, random: Random) -> None:
        self.database.server.kill()
        self._write(random)
        self.database.server.start()

    def kill_table(self, random: Random) -> None:
        table = random.choice(self.tables)
        table.kill()
        table.start()

    def _write(self, random: Random) -> None:
        for table in self.tables:
            table.write(random.randint(1, 20))

    def _go_on(self, random: Random, screen: Screen) -> None:
        """Tables write, and the pit says a word to each: whether it comes through is open."""
        self._write(random)
        with contextlib.suppress(httpx.HTTPError), closing(Visitor(self.program.url)) as visitor:
            if visitor.sign_in(WHO).status_code != httpx.codes.OK:
                return
            for table in self.tables:
                word = random.choice(("close_table", "stay_open"))
                seen = screen.seen.get(table.name.table, 0)
                said = visitor.order(table.name.table, word, seen, WHO)
                if said.status_code == httpx.codes.OK:
                    self.ordered.append(msgspec.convert(said.json(), OrderAnswer))

    def _until_heard(self, screen: Screen) -> None:
        def all_seen() -> bool:
            return all(screen.seen.get(each.name.table) == self._head(each) for each in self.tables)

        until(all_seen, lambda: f"the screen shows {screen.seen}")

    def _head(self, table: TableProgram) -> int:
        return audit.head(table.journal).seq

    # --- what must hold --------------------------------------------------------------------------

    def _check(self, screen: Screen, parrot: Parrot) -> None:
        until(lambda: not parrot.repeating, lambda: "orders are still repeated")
        self._until_heard(screen)
        assert screen.back == []
        for table in self.tables:
            self._check_table(table, b"\n".join(parrot.heard))
        assert told(parrot.heard) == set()
        self._check_orders(parrot)
        with closing(Visitor(self.program.url)) as late:
            assert late.sign_in(WHO).status_code == httpx.codes.OK

    def _check_table(self, table: TableProgram, heard: bytes) -> None:
        def is_whole() -> bool:
            return rows_of(self.database, table.name) == journal_rows(table.journal)

        until(is_whole, lambda: f"{table.name} is not at the floor")
        blobs = blobs_of(table.journal)
        assert blobs
        assert not [each for each in blobs if each in heard]

    def _check_orders(self, parrot: Parrot) -> None:
        carried = Counter(
            key
            for table in self.tables
            for record in audit.read(table.journal)
            if b'"via":"floor"' in record.body
            and (key := msgspec.json.decode(record.body)["in"]["key"])
        )
        assert max(carried.values(), default=0) <= 1, carried
        accepted = Counter(
            each.id
            for each in (*self.ordered, *parrot.answers)
            if each.outcome is OrderOutcome.ACCEPTED
        )
        assert max(accepted.values(), default=0) <= 1, accepted
        assert set(accepted) <= set(carried), "what was said to be accepted is in a journal"
        outcomes = {each.outcome for each in parrot.answers}
        assert OrderOutcome.REPLAYED in outcomes, f"orders were repeated: {outcomes}"

"""A floor that is broken at random while tables send: one episode a seed, and what must hold.

Every table's records are on the floor once and in order when it is over, whatever was killed, cut,
doubled, delayed or restored; what a table was told never goes back but by a restore; a table with
an old disk is found, and nothing of its is put in the place of what the floor has.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psycopg

from controller.floor.embedded.nats import NatsServer
from controller.journal.records import EMPTY
from controller.protocol.names import TableName
from controller.protocol.records import BatchVerdict
from support.floor.oracle import check_rows
from support.floor.servers import FloorDatabase
from support.floor.tables import MadeJournal, Sender
from support.floor.wire import Link, client, send_until

TESTS = Path(__file__).parents[2]
SETTLES_S = 90.0


@dataclass
class SinkProgram:
    """The sink in a process of its own."""

    database: FloorDatabase
    nats: NatsServer
    _program: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        words = ["-m", "support.floor.sink_process", self.database.as_("floor_sink"), self.nats.url]
        self._program = subprocess.Popen(
            [sys.executable, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )

    @property
    def pid(self) -> int:
        assert self._program is not None
        return self._program.pid

    def wait(self) -> None:
        assert self._program is not None
        assert self._program.stdout is not None
        assert self._program.stdout.readline() == b"ready\n"

    def kill(self) -> None:
        assert self._program is not None
        assert self._program.stdout is not None
        self._program.kill()
        self._program.wait()
        self._program.stdout.close()
        self._program = None


@dataclass
class Episode:
    """One seed's tables and faults."""

    seed: int
    sink: SinkProgram
    random: Random
    senders: list[Sender] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    restored: bool = False
    old: tuple[Sender, MadeJournal] | None = None
    """The table with an old disk, and the history that it had before."""
    faults: list[str] = field(default_factory=list)

    @property
    def database(self) -> FloorDatabase:
        return self.sink.database

    def make(self, tables: int) -> None:
        for number in range(tables):
            name = TableName("site", f"s{self.seed}-{number}")
            journal = MadeJournal(str(name))
            journal.grow(self.random.randint(5, 60))
            self.senders.append(Sender(name, journal, most=self.random.choice((1, 7, 64, 256))))
            bad = self.random.random() < 0.7
            lost, doubled, delayed, stale = (self.random.random() * 0.15 * bad for _ in range(4))
            random = Random(f"{self.seed} {number}")
            self.links.append(Link(random, lost, doubled, delayed, stale, timeout_s=0.4))

    # --- what goes wrong -----------------------------------------------------------------------

    async def kill_sink(self) -> None:
        self.sink.kill()
        await asyncio.sleep(self.random.random() * 0.1)
        self.sink.start()

    async def kill_broker(self) -> None:
        self.sink.nats.kill()
        await asyncio.sleep(self.random.random() * 0.1)
        self.sink.nats.start()

    async def kill_database(self) -> None:
        self.database.server.kill()
        self.database.server.start()

    async def cut_database(self) -> None:
        with self.database.connect() as owner:
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE usename = 'floor_sink'"
            )

    async def restore(self) -> None:
        """As a restored dump leaves it: all of the site's tables as they were some time ago."""
        self.restored = True
        with self.database.connect() as owner:
            owner.execute("LOCK TABLE floor.head IN EXCLUSIVE MODE")
            for sender in self.senders:
                back = self.random.randint(0, 30)
                at = [*sender.name]
                row = owner.execute(
                    "SELECT seq FROM floor.head WHERE (site, table_id) = (%s, %s)", at
                ).fetchone()
                seq = max(0, int(str(row[0])) - back) if row else 0
                key = sender.journal.signer.public if seq else None
                digest = sender.journal.records[seq - 1].digest if seq else EMPTY.digest
                owner.execute(
                    "DELETE FROM floor.record WHERE (site, table_id) = (%s, %s) AND seq > %s",
                    [*at, seq],
                )
                owner.execute(
                    "UPDATE floor.head SET seq = %s, digest = %s, journal_key = %s"
                    " WHERE (site, table_id) = (%s, %s)",
                    [seq, digest, key, *at],
                )

    async def old_disk(self) -> None:
        """One table goes on from an earlier state of its disk."""
        if self.restored or self.old is not None:
            return
        sender = self.random.choice(self.senders)
        end = time.monotonic() + SETTLES_S
        while (sender.acknowledged or EMPTY).seq < 4 and time.monotonic() < end:
            await asyncio.sleep(0.02)
        before = sender.journal
        seq = (sender.acknowledged or EMPTY).seq
        self.old = (sender, before)
        sender.journal = before.cut(self.random.randint(1, max(1, seq - 1)))
        sender.journal.grow(self.random.randint(1, 5), "otherwise")
        sender.instance = "another start"
        sender.lost()

    async def jump_clocks(self) -> None:
        for sender in self.senders:
            sender.journal.at += self.random.choice((-1e6, -3600.0, 3600.0, 1e8))

    def choose(self) -> list[Callable[[], Awaitable[None]]]:
        kinds = [
            self.kill_sink, self.kill_broker, self.kill_database, self.cut_database,
            self.jump_clocks, self.old_disk, self.restore,
        ]  # fmt: skip
        # Each of them comes often enough in twenty seeds; the rest is chance.
        first = kinds[self.seed % len(kinds)]
        others = [each for each in kinds if each not in (self.old_disk, self.restore)]
        return [first, *self.random.sample(others, 2)]

    # --- the episode ---------------------------------------------------------------------------

    async def play(self, tables: int = 8) -> None:
        self.make(tables)
        wires = [await client(self.sink.nats.url) for _ in range(2)]
        stop = asyncio.Event()
        sending = [
            asyncio.create_task(send_until(each, wires[n % 2], self.links[n], stop.is_set))
            for n, each in enumerate(self.senders)
        ]
        for fault in self.choose():
            self.faults.append(fault.__name__)
            await asyncio.sleep(self.random.random() * 0.15)
            self._grow()
            await fault()
            self._grow()
        await self._settled()
        stop.set()
        await asyncio.gather(*sending)
        for wire in wires:
            await wire.close()
        self.check()

    def _grow(self) -> None:
        for sender in self.senders:
            if self.old is None or sender is not self.old[0]:
                sender.journal.grow(self.random.randint(0, 20))

    async def _settled(self) -> None:
        for link in self.links:
            link.lost = link.stale = 0.0
        end = time.monotonic() + SETTLES_S
        while not all(each.is_done or each.held for each in self.senders):
            assert time.monotonic() < end, f"seed {self.seed} {self.faults}: {self._behind()}"
            await asyncio.sleep(0.02)

    def _behind(self) -> str:
        return ", ".join(
            f"{each.name.table} {each.acknowledged and each.acknowledged.seq} of "
            f"{each.journal.head.seq}"
            for each in self.senders
            if not each.is_done
        )

    def check(self) -> None:
        good = [each for each in self.senders if self.old is None or each is not self.old[0]]
        check_rows(self.database, good)
        assert not any(each.held for each in good), f"seed {self.seed}: nobody lost anything"
        if not self.restored:
            for each in self.senders:
                told = [m.seq for m in each.verdicts if m.verdict is BatchVerdict.COMMITTED]
                assert told == sorted(told), f"seed {self.seed}: a watermark went back"
        if self.old is not None:
            self._check_old(*self.old)

    def _check_old(self, sender: Sender, before: MadeJournal) -> None:
        assert sender.held, f"seed {self.seed}: an old disk was not found"
        with self.database.connect() as owner:
            rows = owner.execute(
                "SELECT seq, digest FROM floor.record WHERE (site, table_id) = (%s, %s)"
                " ORDER BY seq",
                [*sender.name],
            ).fetchall()
            wanted = [(each.seq, each.digest) for each in before.records]
            assert rows == wanted[: len(rows)], "what the floor had is as it was"
            assert _kinds(owner, sender.name) == ["diverged"]


def _kinds(owner: "psycopg.Connection[tuple[object, ...]]", name: TableName) -> list[str]:
    rows = owner.execute(
        "SELECT kind FROM floor.exception WHERE (site, table_id) = (%s, %s)", [*name]
    )
    return [str(kind) for (kind,) in rows]


def played(seed: int, sink: SinkProgram, tables: int = 8) -> Episode:
    episode = Episode(seed, sink, Random(f"floor {seed}"))
    asyncio.run(episode.play(tables))
    return episode

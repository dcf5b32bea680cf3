"""The floor's sink: catching up against bare COPY, processor time a record, a thousand tables.

The ground for catching up is COPY of the same rows into the same table with its index, in the same
database and run, with as many rows a commit: what PostgreSQL takes from one connection when nobody
decodes, checks or answers anything.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import msgspec
import psycopg

from bench.targets import at_least, at_most
from controller.floor.embedded.nats import NatsServer, nats
from controller.floor.embedded.postgres import Postgres, postgres
from controller.floor.sink.writer import Writer
from controller.floor.store.rows import COLUMNS, TYPES, row_of
from controller.journal.audit import read
from controller.journal.keys.signing import read_public
from controller.protocol.names import TableName
from controller.protocol.records import MAX_RECORDS, Batch, SentRecord, Watermark, sent
from support.floor import journals
from support.floor.faults import SinkProgram
from support.floor.servers import FloorDatabase, made_database, made_template
from support.floor.tables import FLOOR_SIGNER

TABLES = 64
ROUNDS = 60
REPEATS = 5
A_COMMIT = 64
"""Batches, as the sink gathers them while a thousand tables catch up."""
SHARE = 0.5
P99_MS = 1000.0
MANY = 1000
MANY_S = 30
OUTAGE = 1000 * 8 * 3600 * 0.2
"""Records of a thousand tables in eight hours, a fifth of one a second each."""
_COPY = f"COPY floor.record ({COLUMNS}) FROM STDIN (FORMAT BINARY)"


def _journals(folder: Path) -> list[tuple[bytes, list[SentRecord]]]:
    """By the real table and its robot: public key and records."""
    made = journals.made(folder / "journals", 4, ROUNDS)
    return [
        (read_public(each.with_name(each.name + ".pub")), [sent(record) for record in read(each)])
        for each in made
    ]


def _batches(
    histories: list[tuple[bytes, list[SentRecord]]], prefix: str
) -> list[list[tuple[TableName, Batch]]]:
    """Of all tables the first batch, then of all the second, and so on."""
    turns: list[list[tuple[TableName, Batch]]] = []
    for number in range(TABLES):
        key, records = histories[number % len(histories)]
        name = TableName("site", f"{prefix}{number}")
        prev = bytes(32)
        for turn, after in enumerate(range(0, len(records), MAX_RECORDS)):
            part = records[after : after + MAX_RECORDS]
            batch = Batch(*name, 1, "one", key, after, prev, part, replayed=True)
            prev = part[-1].digest
            if turn == len(turns):
                turns.append([])
            turns[turn].append((name, batch))
    return turns


def _copied(connection: psycopg.Connection[tuple[object, ...]], groups: list[list[Batch]]) -> None:
    rows = [
        [row_of(batch.name, 1, record) for batch in group for record in batch.records]
        for group in groups
    ]
    began = time.perf_counter()
    for each in rows:
        with connection.cursor().copy(_COPY) as copy:
            copy.set_types(TYPES)
            for row in each:
                copy.write_row(row)
        connection.commit()
    _seconds["copy"] = time.perf_counter() - began


def _sunk(writer: Writer, groups: list[list[Batch]]) -> None:
    """From the bytes on the wire to the bytes of the answers."""
    wire = [[msgspec.msgpack.encode(batch) for batch in group] for group in groups]
    decode, encode = msgspec.msgpack.Decoder(Batch).decode, msgspec.msgpack.Encoder().encode
    began = time.perf_counter()
    marks: list[Watermark] = []
    for each in wire:
        marks = writer.write([decode(said) for said in each])
        for mark in marks:
            encode(mark)
    _seconds["sink"] = time.perf_counter() - began
    assert {mark.verdict.value for mark in marks} == {"committed"}


_seconds: dict[str, float] = {}


def catching_up(folder: Path) -> None:
    histories = _journals(folder)
    with postgres(folder / "postgres") as server:
        made_template(server)
        database = made_database(server)
        writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
        shares, rates, records = [], [], 0
        with database.connect() as owner:
            for repeat in range(REPEATS):
                groups = [_group(histories, f"{way}{repeat}-") for way in ("c", "s")]
                records = sum(len(batch.records) for group in groups[0] for batch in group)
                _copied(owner, groups[0])
                _sunk(writer, groups[1])
                shares.append(_seconds["copy"] / _seconds["sink"])
                rates.append(records / _seconds["sink"])
        writer.close()
    share, rate = sorted(shares)[REPEATS // 2], sorted(rates)[REPEATS // 2]
    _say(
        f"floor, catching up: {rate:,.0f} records a second, decoded, checked, committed and"
        f" answered; {share:.2f} of COPY ({at_least(share, SHARE)}); eight hours of 1,000 tables"
        f" ({OUTAGE:,.0f} records) in {OUTAGE / rate / 60:.1f} min"
    )


def _group(histories: list[tuple[bytes, list[SentRecord]]], prefix: str) -> list[list[Batch]]:
    groups = []
    for turn in _batches(histories, prefix):
        batches = iter(batch for _, batch in turn)
        while part := list(islice(batches, A_COMMIT)):
            groups.append(part)
    return groups


# --- by the wire ----------------------------------------------------------------------------------


def _cpu(pid: int) -> float:
    """Seconds of a process and of its children, also those that are gone."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0.0
    for each in _family(pid):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15])) / ticks
    return total


def _family(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from _family(int(child))


@contextmanager
def _floor(folder: Path) -> Iterator[tuple[Postgres, NatsServer, SinkProgram]]:
    with postgres(folder / "postgres") as server, nats(folder / "nats") as broker:
        made_template(server)
        database: FloorDatabase = made_database(server)
        sink = SinkProgram(database, broker)
        sink.start()
        sink.wait()
        try:
            yield server, broker, sink
        finally:
            sink.kill()


def _simulated(broker: NatsServer, folder: Path, *more: str) -> dict[str, float]:
    done = subprocess.run(
        [
            sys.executable, "-m", "simulators.floor", "--url", broker.url, "--site", "site",
            "--journals", str(folder / "journals"), *more,
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    told: dict[str, float] = json.loads(done.stdout)
    return told


def by_the_wire(folder: Path) -> None:
    """Processor time a record at full speed, and how long a record takes at the real rate."""
    journals.made(folder / "journals", 4, ROUNDS)
    with _floor(folder) as (server, broker, sink):
        parts: dict[str, Callable[[], float]] = {
            "sink": lambda: _cpu(sink.pid),
            "PostgreSQL": lambda: _cpu(server.pid),
            "NATS": lambda: _cpu(broker.pid),
        }
        before = {name: each() for name, each in parts.items()}
        full = _simulated(broker, folder, "--tables", "200", "--rate", "0", "--prefix", "full")
        spent = {
            name: 1e6 * (each() - before[name]) / full["records"] for name, each in parts.items()
        }
        told = ", ".join(f"{name} {each:.0f}" for name, each in spent.items())
        _say(
            f"floor, full speed by NATS: {full['per_second']:,.0f} records a second;"
            f" {sum(spent.values()):.0f} us of processor time a record ({told})"
        )
        real = _simulated(
            broker, folder, "--tables", str(MANY), "--rate", "1", "--seconds", str(MANY_S),
            "--warm-up", "25",
        )  # fmt: skip
        _say(
            f"floor, {MANY} tables at their real rate: {real['records'] / MANY_S:.0f} records a"
            f" second, there to committed p50 {real['p50_ms']:.0f} ms, p99 {real['p99_ms']:.0f} ms"
            f" ({at_most(real['p99_ms'], P99_MS)})"
        )


def main(folder: Path) -> None:
    catching_up(folder / "copy")
    by_the_wire(folder / "wire")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

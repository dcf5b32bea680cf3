"""Sink, broker and database killed, links that lose and double, old dumps and old disks: by seed.

`make test-all ONLY=floor-faults HOURS=n` goes on from where these end."""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from controller.floor.embedded.nats import NatsServer
from controller.floor.embedded.postgres import Postgres
from controller.floor.sink.writer import Writer
from controller.protocol.names import TableName
from support.floor.faults import SinkProgram, played
from support.floor.oracle import check_rows
from support.floor.servers import FloorDatabase, dropped, made_database
from support.floor.tables import FLOOR_SIGNER, MadeJournal, Sender
from support.floor.wire import Link, client, request

FIRST_TIER_SEEDS = range(2)
SECOND_TIER_SEEDS = range(2, 20)


@pytest.fixture(scope="module")
def sink(postgres_server: Postgres, nats_server: NatsServer) -> Iterator[SinkProgram]:
    found = SinkProgram(made_database(postgres_server), nats_server)
    found.start()
    found.wait()
    yield found
    found.kill()
    dropped(found.database)


@pytest.mark.parametrize(
    "seed",
    [
        *FIRST_TIER_SEEDS,
        *(pytest.param(seed, marks=pytest.mark.second_tier) for seed in SECOND_TIER_SEEDS),
    ],
)
def test_every_record_is_there_once_whatever_happened(seed: int, sink: SinkProgram) -> None:
    played(seed, sink)


@pytest.mark.parametrize(
    "spoils",
    [
        "DELETE FROM floor.record WHERE table_id = %s AND seq = 4",
        "UPDATE floor.record SET body = '' WHERE table_id = %s AND seq = 4",
        "INSERT INTO floor.record SELECT site, table_id, epoch, seq, at + interval '1 s', at_s,"
        " shoe, round, kind, version, body, sealed, digest FROM floor.record"
        " WHERE table_id = %s AND seq = 4",
        "UPDATE floor.head SET seq = 3 WHERE table_id = %s",
    ],
    ids=["too few", "another", "twice", "head"],
)
def test_the_oracle_sees(spoils: str, database: FloorDatabase) -> None:
    one = Sender(TableName("site", "seen"), MadeJournal("seen"))
    one.journal.grow(10)
    writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
    one.send_all(writer.write)
    writer.close()
    check_rows(database, [one])
    with database.connect() as owner:
        owner.execute(spoils, [one.name.table])
    with pytest.raises(AssertionError):
        check_rows(database, [one])


@pytest.mark.second_tier
def test_a_thousand_connects_at_once(sink: SinkProgram) -> None:
    """In a short form: so many tables come back after an outage and ask in the same moment."""
    senders = []
    for number in range(100):
        sender = Sender(TableName("site", f"many{number}"), MadeJournal(f"many{number}"))
        sender.journal.grow(3)
        senders.append(sender)

    async def storm() -> None:
        async def one(sender: Sender) -> None:
            for _ in range(10):
                wire = await client(sink.nats.url)
                link = Link(Random(sender.name.table), timeout_s=20.0)
                batch = sender.next_batch() or sender.batch(sender.journal.head.seq, 0)
                mark = await request(wire, batch, link)
                if mark is not None:
                    sender.heard(mark)
                await wire.close()

        await asyncio.gather(*map(one, senders))

    asyncio.run(storm())
    check_rows(sink.database, senders)

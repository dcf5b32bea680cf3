"""`sabot floor run` as a program: records by NATS and by HTTPS, through kills of everything."""

import asyncio
import contextlib
import hashlib
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import LiteralString

import msgspec
import pytest
from nats.aio.msg import Msg

from controller.floor.embedded.nats import NatsServer
from controller.floor.embedded.postgres import Postgres
from controller.floor.service.keys import signer_of
from controller.journal.keys.signing import Signer
from controller.protocol.alerts import Alert
from controller.protocol.documents import DocumentRequest
from controller.protocol.live import Beat, DeviceBeat
from controller.protocol.names import PATHS, TableName, alerts_of
from controller.protocol.orders import Order, OrderAnswer, SignedOrder, signed
from controller.protocol.records import Batch, BatchVerdict, Refusal, Watermark
from support.floor.broker_client import BrokerClient
from support.floor.oracle import check_rows
from support.floor.program import SITE, FloorProgram
from support.floor.servers import FloorDatabase, dropped, made_database
from support.floor.table_at_floor import table_at_floor
from support.floor.tables import MadeJournal, Sender
from support.floor.wire import Link, ask, client, request, send_until


@pytest.fixture(scope="module")
def floor_database(postgres_server: Postgres) -> Iterator[FloorDatabase]:
    found = made_database(postgres_server)
    yield found
    dropped(found)


@pytest.fixture(scope="module")
def program(
    tmp_path_factory: pytest.TempPathFactory, floor_database: FloorDatabase, nats_server: NatsServer
) -> Iterator[FloorProgram]:
    """One for all: each test has tables of its own."""
    found = FloorProgram(tmp_path_factory.mktemp("floor"), floor_database, nats_server)
    found.start()
    yield found
    assert found.stop() == 0


def tables(count: int, records: int, signer: bytes, prefix: str) -> list[Sender]:
    made = []
    for number in range(count):
        name = TableName(SITE, f"{prefix}{number}")
        journal = MadeJournal(str(name))
        journal.grow(records)
        made.append(Sender(name, journal, floor=signer))
    return made


@pytest.mark.second_tier
def test_records_come_through_kills_of_sink_broker_and_database(
    program: FloorProgram, floor_database: FloorDatabase, nats_server: NatsServer
) -> None:
    senders = tables(8, 60, program.public, "killed")

    async def play() -> None:
        wire = await client(nats_server.url)
        stop = asyncio.Event()
        links = [Link(Random(n), timeout_s=0.5) for n in range(len(senders))]
        sending = [
            asyncio.create_task(send_until(each, wire, link, stop.is_set))
            for each, link in zip(senders, links, strict=True)
        ]
        await until(lambda: all(each.verdicts for each in senders))
        for break_it in (program.kill, nats_server.kill, floor_database.server.kill):
            for each in senders:
                each.journal.grow(40)
            break_it()
            for each in senders:
                each.journal.grow(20)
            again = {
                program.kill: program.start,
                nats_server.kill: nats_server.start,
                floor_database.server.kill: floor_database.server.start,
            }[break_it]
            again()  # in this thread: what it starts does not outlive it
            await until(lambda: all(each.is_done for each in senders))
        stop.set()
        await asyncio.gather(*sending)
        await wire.close()

    asyncio.run(play())
    check_rows(floor_database, senders)


async def until(good: object, seconds: float = 60.0) -> None:
    assert callable(good)
    end = time.monotonic() + seconds
    while not good():
        assert time.monotonic() < end, "it did not come to that"
        await asyncio.sleep(0.02)


@pytest.mark.usefixtures("program")
def test_beats_are_heard_missed_and_heard_again(
    floor_database: FloorDatabase, nats_server: NatsServer
) -> None:
    alerts: list[Alert] = []

    def beat(at: float) -> bytes:
        device = DeviceBeat("shoe", "shoe_angel_eye", "up", "SHOE-7", "2.1")
        return msgspec.msgpack.encode(
            Beat(SITE, "t1", "one", "boot", "0.2.0", "book", 9, 0, at, 500, [device], every=0.3)
        )

    def query(sql: str) -> list[tuple[object, ...]]:
        with floor_database.connect() as owner:
            return owner.execute(sql).fetchall()

    open_ = (
        "SELECT kind FROM floor.exception WHERE closed IS NULL AND table_id = 't1' ORDER BY kind"
    )

    async def play() -> None:
        wire = await client(nats_server.url)

        async def told(message: object) -> None:
            alerts.append(msgspec.msgpack.decode(message.data, type=Alert))  # type: ignore[attr-defined]

        def first() -> tuple[str, float | None] | None:
            """Of the table: that the broker was away is told on the same subject."""
            own = [(each.kind, each.closed) for each in alerts if each.table == "t1"]
            return own[0] if own else None

        await wire.subscribe(alerts_of(SITE), cb=told)
        subject = TableName(SITE, "t1").beat

        async def beats_until(good: Callable[[], bool], off: float = 0.0) -> None:
            """However slow the machine is: nothing is missed while it beats."""
            end = time.monotonic() + 60
            while not good():
                assert time.monotonic() < end, "it did not come to that"
                await wire.publish(subject, beat(time.time() + off))
                await asyncio.sleep(0.1)

        await beats_until(lambda: bool(query("SELECT FROM floor.beat WHERE table_id = 't1'")))
        await wire.publish(subject, b"no beat at all")
        await until(lambda: query(open_) == [("away",)])
        await until(lambda: first() == ("away", None))
        await beats_until(lambda: query(open_) == [("clock",)], off=-600)
        await until(lambda: any(each.kind == "away" and each.closed for each in alerts))
        await wire.close()

    asyncio.run(play())
    assert query("SELECT device, unit, firmware FROM floor.device_unit") == [
        ("shoe", "SHOE-7", "2.1")
    ]


@pytest.mark.usefixtures("program")
def test_alert_with_a_number_that_no_wire_takes_is_told_without_it(
    floor_database: FloorDatabase, nats_server: NatsServer
) -> None:
    alerts: list[Alert] = []

    async def play() -> None:
        wire = await client(nats_server.url)

        async def told(message: object) -> None:
            alerts.append(msgspec.msgpack.decode(message.data, type=Alert))  # type: ignore[attr-defined]

        await wire.subscribe(alerts_of(SITE), cb=told)
        await wire.flush()
        with floor_database.connect() as owner:
            for table, number in (("far", 10**300), ("near", 5)):
                owner.execute(
                    "INSERT INTO floor.exception (site, table_id, epoch, kind, gaps, severity,"
                    " since) VALUES (%s, %s, 1, 'clock', %s, 1, now())",
                    [SITE, table, json.dumps({"seconds": number})],
                )
        await until(lambda: {"far", "near"} <= {each.table for each in alerts})
        await wire.close()

    asyncio.run(play())
    gaps = {each.table: each.params for each in alerts}
    assert (gaps["far"], gaps["near"]) == ({}, {"seconds": 5})


def test_two_tables_under_one_name_are_refused_and_seen(
    program: FloorProgram, floor_database: FloorDatabase, nats_server: NatsServer
) -> None:
    (one,) = tables(1, 30, program.public, "clone")
    other = Sender(one.name, one.journal, "two", floor=program.public)

    async def play() -> None:
        wire, link = await client(nats_server.url), Link(Random(1))
        refused = 0
        while refused < 2:
            for each in (one, other):
                mark = await request(wire, each.batch(0, 0), link)
                assert mark is not None
                refused += mark.why is Refusal.CLONED
        await wire.close()

    asyncio.run(play())
    deadline = time.monotonic() + 90
    kinds: list[tuple[object, ...]] = []
    while kinds != [("cloned",)] and time.monotonic() < deadline:
        with floor_database.connect() as owner:
            kinds = owner.execute(
                "SELECT kind FROM floor.exception WHERE table_id = 'clone0'"
            ).fetchall()
    assert kinds == [("cloned",)]


def test_no_table_speaks_for_another(program: FloorProgram, nats_server: NatsServer) -> None:
    (one,) = tables(1, 3, program.public, "own")

    async def play() -> list[Watermark]:
        wire = await client(nats_server.url)
        said = msgspec.msgpack.encode(one.batch(0, 3))
        marks = []
        for name, data in ((TableName(SITE, "other"), said), (one.name, b"\xc1 no batch")):
            answer = await ask(wire, name, data, 5)
            marks.append(msgspec.msgpack.decode(answer.data, type=Watermark))
        await wire.close()
        return marks

    marks = asyncio.run(play())
    assert [mark.why for mark in marks] == [Refusal.NOT_YOUR_NAME, Refusal.NOT_A_BATCH]
    assert all(mark.is_by(program.public) for mark in marks)


def test_no_table_lets_the_floor_speak_where_it_may_not_itself(
    program: FloorProgram, nats_server: NatsServer
) -> None:
    """A floor may send orders and alerts: a table asks to be answered there."""
    (one,) = tables(1, 3, program.public, "deputy")
    victims = (TableName(SITE, "victim").orders, alerts_of(SITE))

    async def play() -> list[str]:
        wire = await client(nats_server.url)
        heard: list[str] = []

        async def hear(message: Msg) -> None:
            heard.append(message.subject)

        for each in victims:
            await wire.subscribe(each, cb=hear)
        asked = DocumentRequest(*one.name)
        for each in victims:
            said = msgspec.msgpack.encode(one.batch(0, 3))
            await wire.publish(one.name.records, said, reply=each)
            await wire.publish(one.name.documents, msgspec.msgpack.encode(asked), reply=each)
        answer = await ask(wire, one.name, msgspec.msgpack.encode(one.batch(0, 3)), 30)
        assert msgspec.msgpack.decode(answer.data, type=Watermark).seq == 0, "nothing was taken"
        await wire.flush()
        await wire.close()
        return heard

    assert asyncio.run(play()) == []


# --- without a broker -----------------------------------------------------------------------------


def test_orders_that_a_table_did_not_take_are_seen_at_its_floor(
    program: FloorProgram, nats_server: NatsServer, floor_database: FloorDatabase, tmp_path: Path
) -> None:
    """Whoever can reach a table with an order that this floor never sent is seen by the pit."""
    name, floor_signs = TableName(SITE, "attacked"), signer_of(program.folder / "floor.signing")
    now = time.time()

    def order(id_: str, table: str = "attacked", made: float = now) -> Order:
        return Order(
            *(id_, SITE, table, "limits", "carla", "pit_manager", 0, made, made + 60),
            given={"minimum": 5000, "maximum": 900_000},
        )

    with (
        table_at_floor(tmp_path, nats_server.url, name, program.public) as table,
        BrokerClient(nats_server.url) as anybody,
    ):
        table.say("open_table")

        def send(carried: SignedOrder) -> str:
            said = anybody.asks(name.orders, msgspec.msgpack.encode(carried))
            return msgspec.msgpack.decode(said, type=OrderAnswer).outcome.value

        taken = signed(msgspec.structs.replace(order("once"), seen=table.seq), floor_signs)
        assert send(taken) == "accepted"
        sent = [
            send(signed(order("forged"), Signer(bytes(32)))),
            send(taken),
            send(signed(order("late", made=now - 90), floor_signs)),
            send(signed(order("elsewhere", "other-table"), floor_signs)),
        ]
        assert sent == ["forged", "replayed", "expired", "wrong_table"]
        query = (
            "SELECT n.who, n.outcome, e.code, e.closed IS NULL FROM floor.order_not_taken n"
            " JOIN floor.exception e USING (site, table_id, epoch, seq)"
            " WHERE n.table_id = 'attacked' AND e.kind = 'order' ORDER BY n.seq"
        )
        asyncio.run(until(lambda: len(rows_of(floor_database, query)) == len(sent)))
    assert rows_of(floor_database, query) == [
        ("floor", "forged", "floor_order_forged", True),
        ("carla", "replayed", "floor_order_replayed", True),
        ("carla", "expired", "floor_order_expired", True),
        ("carla", "wrong_table", "floor_order_wrong_table", True),
    ]


def rows_of(database: FloorDatabase, query: LiteralString) -> list[tuple[object, ...]]:
    with database.connect() as connection:
        return connection.execute(query).fetchall()


def post(url: str, body: bytes, token: str, path: str = PATHS["rec"]) -> tuple[int, bytes]:
    asked = urllib.request.Request(
        url + path,
        body,
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def test_same_sink_by_https(program: FloorProgram, floor_database: FloorDatabase) -> None:
    (one,) = tables(1, 300, program.public, "https")
    with floor_database.connect() as owner:
        owner.execute(
            "INSERT INTO floor.table_register (site, table_id, bearer) VALUES (%s, %s, %s)",
            [*one.name, hashlib.sha256(b"secret").digest()],
        )

    def write(batches: list[Batch]) -> list[Watermark]:
        status, said = post(program.url, msgspec.json.encode(batches[0]), "secret")
        assert status == 200, said
        return [msgspec.json.decode(said, type=Watermark)]

    one.send_all(write)
    one.journal.grow(20, says="x" * 6000)
    assert len(msgspec.json.encode(one.next_batch())) > 128 * 1024
    one.send_all(write)  # longer than any page's request may be
    check_rows(floor_database, [one])
    body = msgspec.json.encode(one.batch(0, 3))
    status, said = post(program.url, body, "another")
    mark = msgspec.json.decode(said, type=Watermark)
    assert (status, mark.verdict, mark.why) == (403, BatchVerdict.REFUSED, Refusal.NOT_YOUR_NAME)
    deep = b'{"records":[[1,"step",4,0.0,0,0,"",null,"",' + b"[" * 5000 + b"]" * 5000 + b"]]}"
    for unreadable in (b"{", b'{"site":"\xff"}', deep):
        assert post(program.url, unreadable, "secret")[0] == 400
    for path in PATHS.values():
        assert post(program.url, b'{"id":"\xff","site":"\xff"}', "secret", path)[0] == 400, path
    assert post(program.url, body.replace(b'"https0"', b'"https.0"'), "secret")[0] == 400
    with contextlib.suppress(urllib.error.URLError):  # the answer may come before all is sent
        assert post(program.url, b" " * (8 * 1024 * 1024 + 1), "secret")[0] == 413


def test_pages_are_served(program: FloorProgram) -> None:
    with urllib.request.urlopen(f"{program.url}/healthz", timeout=60) as answer:
        assert json.load(answer) == {"lives": True}


# --- a broker that is away ------------------------------------------------------------------------


def open_exceptions(database: FloorDatabase) -> list[str]:
    with database.connect() as owner:
        found = owner.execute(
            "SELECT code FROM floor.exception WHERE closed IS NULL AND kind = 'no_broker'"
        )
        return [code for (code,) in found.fetchall()]


@pytest.mark.second_tier
def test_a_floor_begins_without_its_broker_and_listens_when_it_comes(
    tmp_path: Path, postgres_server: Postgres
) -> None:
    """Its pages are there, the broker is an exception of its own, and both are so once more when a
    broker that was there goes."""
    database, server = made_database(postgres_server), NatsServer(tmp_path)
    server.start()
    server.kill()  # its port is known, and nobody is there
    floor = FloorProgram(tmp_path, database, server)

    async def comes_and_goes() -> None:
        server.start()
        await until(lambda: open_exceptions(database) == [])
        wire = await client(server.url)
        await send_until(one, wire, Link(Random(1)), lambda: one.is_done)
        await wire.close()
        check_rows(database, [one])
        server.kill()
        await until(lambda: open_exceptions(database) == ["floor_no_broker"])
        server.start()
        await until(lambda: open_exceptions(database) == [])

    try:
        floor.start()
        with urllib.request.urlopen(f"{floor.url}/healthz", timeout=60) as answer:
            assert json.load(answer) == {"lives": True}
        assert open_exceptions(database) == ["floor_no_broker"]
        (one,) = tables(1, 50, floor.public, "late")
        asyncio.run(comes_and_goes())
        assert floor.stop() == 0
        assert open_exceptions(database) == [], "its own end is not the broker's"
    finally:
        floor.stop()
        server.stop()
        dropped(database)

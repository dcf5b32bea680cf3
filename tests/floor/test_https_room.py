"""A room without a broker: the table's own link by HTTPS at the floor's real doors."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
import uvicorn

from controller.console.http.server import ListenAddress, bound
from controller.floor.documents import ALL
from controller.floor.service import https_listener
from controller.floor.service.https_listener import HttpsListening, HttpsRooms
from controller.floor.service.nats_connection import NatsCarrier
from controller.floor.service.nats_listener import Hearing
from controller.floor.service.website import Bearers
from controller.floor.sink.collector import Collector
from controller.floor.sink.https_front import HttpsFront
from controller.floor.sink.instances import Instances
from controller.floor.sink.presence import Presence
from controller.floor.sink.writer import Writer
from controller.floor.web.app import application
from controller.floor.web.context import FloorContext
from controller.protocol.documents import DocumentRequest, Documents, People
from controller.protocol.names import TableName
from controller.protocol.orders import Order, OrderAnswer, OrderOutcome, SignedOrder, signed
from controller.uplink.links.https_link import HttpsLink
from controller.uplink.links.link import Access, LinkDown
from support.floor.servers import FloorDatabase
from support.floor.web import FLOOR, SITE, Tables, beat, context_of, live

TABLE, OTHER = TableName(SITE, "b-07"), TableName(SITE, "b-08")


@dataclass
class Room:
    """The floor's end, and the link of a table that came with a token."""

    context: FloorContext
    rooms: HttpsRooms
    url: str
    folder: Path

    @asynccontextmanager
    async def link(self, token: str = "secret") -> AsyncIterator[tuple[HttpsLink, list[str]]]:
        """With the ids of the orders that came to it; it takes every one."""
        file, came = self.folder / f"{token}.token", list[str]()
        file.write_text(token)

        async def takes(data: bytes) -> bytes:
            order = msgspec.json.decode(data, type=SignedOrder)
            came.append(msgspec.json.decode(order.order, type=Order).id)
            return msgspec.json.encode(OrderAnswer(came[-1], OrderOutcome.ACCEPTED, 42))

        link = HttpsLink(Access(self.url, token=file))
        await link.connect(takes)
        try:
            yield link, came
        finally:
            await link.close()

    async def beats(self, link: HttpsLink, table: str = TABLE.table) -> None:
        await link.tell("beat", msgspec.json.encode(beat(table, "B")))


Play = Callable[[Room], Awaitable[None]]


def in_a_room(folder: Path, database: FloorDatabase, play: Play) -> None:
    with database.connect() as owner:
        for name, token in ((TABLE, b"secret"), (OTHER, b"other")):
            owner.execute(
                "INSERT INTO floor.table_register (site, table_id, bearer) VALUES (%s, %s, %s)",
                [*name, hashlib.sha256(token).digest()],
            )
    asyncio.run(_played(folder, database, play))


async def _played(folder: Path, database: FloorDatabase, play: Play) -> None:
    context = context_of(folder, database.as_("floor_web"), Tables(), [])
    writer, instances = Writer(database.as_("floor_sink"), FLOOR), Instances()
    collector = Collector(writer, FLOOR, time.time, instances)
    bearers = Bearers(database.as_("floor_sink"))
    door, rooms = HttpsFront(SITE, collector, FLOOR, bearers.of), HttpsRooms(NatsCarrier())
    hearing = Hearing(Presence(5.0), instances, context.board, context.shelf, time.time)
    app = application(context, more=(*door.routes, *HttpsListening(door, hearing, rooms).routes))
    listening = bound(ListenAddress(port=0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    serving = asyncio.create_task(server.serve([listening]))
    try:
        while not server.started:
            await asyncio.sleep(0.01)
        port = listening.getsockname()[1]
        await play(Room(context, rooms, f"http://127.0.0.1:{port}", folder))
    finally:
        server.should_exit = True
        await serving
        await bearers.close()
        writer.close()


def order(id_: str = "o-1") -> SignedOrder:
    now = time.time()
    said = Order(id_, SITE, TABLE.table, "approve", "gus", "pit_manager", 7, now, now + 60)
    return signed(said, FLOOR)


def test_a_table_without_a_broker_stands_on_the_map(
    tmp_path: Path, database: FloorDatabase
) -> None:
    async def play(room: Room) -> None:
        async with room.link() as (link, _):
            await room.beats(link)
            big = live(TABLE.table, 5, notes=["x" * 200_000])  # a round with many wagers
            await link.tell("live", msgspec.json.encode(big))
        tile = room.context.board.tile(TABLE.table)
        assert tile is not None
        assert (tile.pit, tile.phase, tile.seq) == ("B", "betting", 5)

    in_a_room(tmp_path, database, play)


def test_an_order_goes_with_the_answer_to_a_beat_and_comes_back_once(
    tmp_path: Path, database: FloorDatabase
) -> None:
    async def play(room: Room) -> None:
        async with room.link() as (link, came):
            await room.beats(link)
            carried = asyncio.create_task(room.rooms.carry(TABLE, order()))
            await asyncio.sleep(0)
            await room.beats(link)
            await room.beats(link)
            assert await carried == OrderAnswer("o-1", OrderOutcome.ACCEPTED, 42)
            assert came == ["o-1"]

    in_a_room(tmp_path, database, play)


def test_an_order_is_not_kept_for_a_table_that_does_not_come(
    tmp_path: Path, database: FloorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(https_listener, "WAITS_S", 0.05)

    async def play(room: Room) -> None:
        async with room.link() as (link, came):
            assert await room.rooms.carry(TABLE, order()) is None  # never heard at all
            await room.beats(link)
            assert await room.rooms.carry(TABLE, order()) is None
            await room.beats(link)
            assert came == []

    in_a_room(tmp_path, database, play)


def test_a_table_speaks_for_itself_alone(tmp_path: Path, database: FloorDatabase) -> None:
    async def play(room: Room) -> None:
        async with room.link() as (mine, _), room.link("other") as (others, _):
            await room.beats(mine)
            with pytest.raises(LinkDown, match="403"):
                await room.beats(others)
            said = msgspec.json.encode(live(TABLE.table, 99))
            with pytest.raises(LinkDown, match="403"):
                await others.tell("live", said)
            carried = asyncio.create_task(room.rooms.carry(TABLE, order()))
            await asyncio.sleep(0)
            room.rooms.pending_orders(TABLE)
            forged = msgspec.json.encode(OrderAnswer("o-1", OrderOutcome.REFUSED))
            with pytest.raises(LinkDown, match="403"):
                await others.tell("answer", forged)
            assert not carried.done()
            carried.cancel()
        tile = room.context.board.tile(TABLE.table)
        assert tile is not None
        assert tile.seq == 0

    in_a_room(tmp_path, database, play)


def test_documents_come_by_https_too(tmp_path: Path, database: FloorDatabase) -> None:
    async def play(room: Room) -> None:
        await room.context.shelf.publish(ALL, People(()), "gus")
        async with room.link() as (link, _):
            asked = msgspec.json.encode(DocumentRequest(*TABLE))
            found = msgspec.json.decode(await link.ask("doc", asked, 10), type=Documents)
        (document,) = found.documents
        assert document.is_by(FLOOR.public)

    in_a_room(tmp_path, database, play)

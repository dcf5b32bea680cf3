"""Both wires, for real: certificates on both sides, a token, silence, and orders the other way."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.floor.embedded import child_process
from controller.floor.embedded.nats import port_in, program
from controller.floor.enrolment import site as enrolment
from controller.floor.enrolment.site import SiteFolder
from controller.journal import audit
from controller.protocol.names import TableName
from controller.protocol.orders import Order, OrderOutcome, signed
from controller.uplink.links.https_link import HttpsLink
from controller.uplink.links.link import Access, Link, LinkDown, NoAnswer
from controller.uplink.links.nats_link import NatsLink
from support.floor.https_floor import HttpsFloor
from support.floor.model_floor import FLOOR, NAME
from support.floor.table_at_floor import table_at_floor
from support.limits import MAX_WAIT_S

ONE = TableName("bay", "t1")
LIMIT_S = MAX_WAIT_S


class SecureBroker:
    """nats-server as enrolment sets it up, with two tables."""

    def __init__(self, folder: Path) -> None:
        self.site = SiteFolder(folder / "site")
        self.site.init("bay", ["127.0.0.1"], "127.0.0.1:-1", time.time())
        self.bundles: dict[str, Path] = {}
        for table in ("t1", "t2"):
            self.bundles[table] = folder / table
            given = self.site.enrol(table, FLOOR.public, time.time())
            enrolment.write_bundle(self.bundles[table], given)
        self.log = folder / "nats.log"
        command = [program(), "-c", str(self.site.broker_file)]
        self.process = child_process.start(command, self.log, signal.SIGTERM)

    @property
    def url(self) -> str:
        return f"tls://127.0.0.1:{port_in(self.log.read_text())}"

    def access(self, table: str | None) -> Access:
        ca = self.site.folder / "ca.crt"
        if table is None:
            return Access(self.url, ca)
        own = self.bundles[table]
        return Access(self.url, own / "floor-ca.crt", own / "floor.crt", own / "floor.key")

    def files(self) -> tuple[Path, Path, Path]:
        folder = self.site.folder
        return folder / "broker.crt", folder / "broker.key", folder / "ca.crt"


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureBroker]:
    found = SecureBroker(tmp_path_factory.mktemp("broker"))
    try:
        while "Server is ready" not in found.log.read_text():
            assert found.process.poll() is None, found.log.read_text()
            time.sleep(0.01)
        yield found
    finally:
        child_process.end(found.process, signal.SIGTERM)


async def no_orders(data: bytes) -> bytes:
    return data


async def asked_by(link: Link) -> bytes:
    await link.connect(no_orders)
    return await link.ask("rec", b"{}", 1.0)


async def answering_floor(broker: SecureBroker) -> Client:
    folder = broker.site.folder
    access = Access(broker.url, folder / "ca.crt", folder / "floor.crt", folder / "floor.key")
    client = Client()
    await client.connect(broker.url, tls=access.tls(), inbox_prefix="_INBOX.floor")

    async def answer(message: Msg) -> None:
        await message.respond(b"heard " + message.data)

    await client.subscribe("tbl.bay.*.rec", cb=answer)
    await client.flush()
    return client


def test_table_with_its_certificate_asks_tells_and_answers_orders(secure: SecureBroker) -> None:
    async def play() -> None:
        floor = await answering_floor(secure)
        link = NatsLink(secure.access("t1"), ONE)
        await link.connect(no_orders)
        was_up = link.up
        assert was_up
        assert await link.ask("rec", b"a batch", LIMIT_S) == b"heard a batch"
        await link.tell("beat", b"a beat")
        asked = await floor.request(ONE.orders, b"an order", LIMIT_S)
        assert asked.data == b"an order"
        await link.close()
        assert not link.up
        with pytest.raises(LinkDown):
            await link.tell("beat", b"a beat")
        await floor.close()

    asyncio.run(play())


@pytest.mark.parametrize("table", [None, "t2"])
def test_table_without_its_own_certificate_is_not_heard(
    secure: SecureBroker, table: str | None
) -> None:
    """One that is another's is refused by the broker: nobody answers in the name of this table."""

    async def play() -> None:
        link = NatsLink(secure.access(table), ONE)
        with pytest.raises((LinkDown, NoAnswer)):
            await asked_by(link)
        await link.close()

    asyncio.run(play())


def test_broker_that_is_not_there_is_told_as_such() -> None:
    async def play() -> None:
        link = NatsLink(Access("nats://127.0.0.1:1"), ONE)
        with pytest.raises(LinkDown):
            await link.connect(no_orders)
        await link.close()

    asyncio.run(play())


def test_certificate_that_is_none_is_told_as_such(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.crt"
    wrong.write_text("nothing")
    with pytest.raises(LinkDown, match="certificate cannot be used"):
        Access("tls://127.0.0.1:1", certificate=wrong, key=wrong).tls()


def test_https_asks_for_certificates_on_both_sides(secure: SecureBroker) -> None:
    async def play(floor: HttpsFloor) -> None:
        own = secure.bundles["t1"]
        files = (own / "floor-ca.crt", own / "floor.crt", own / "floor.key")
        link = HttpsLink(Access(floor.url, *files))
        await link.connect(no_orders)
        assert await link.ask("doc", b"{}", LIMIT_S) == b""
        await link.close()
        without = HttpsLink(Access(floor.url, own / "floor-ca.crt"))
        with pytest.raises(LinkDown):
            await asked_by(without)
        await without.close()

    with HttpsFloor(secure.files()) as floor:
        asyncio.run(play(floor))


def test_https_token_stands_in_a_certificates_place(tmp_path: Path) -> None:
    async def asked(floor: HttpsFloor, token: str) -> None:
        file = tmp_path / "token"
        file.write_text(f"{token}\n")
        link = HttpsLink(Access(floor.url, token=file))
        await link.connect(no_orders)
        try:
            await link.tell("answer", b'{"id":"x","outcome":"busy"}')
        finally:
            await link.close()

    with HttpsFloor(token="right") as floor:
        asyncio.run(asked(floor, "right"))
        with pytest.raises(LinkDown, match="403"):
            asyncio.run(asked(floor, "wrong"))
    assert len(floor.answers) == 1


def test_https_floor_that_stalls_has_not_answered() -> None:
    async def play(floor: HttpsFloor) -> None:
        link = HttpsLink(Access(floor.url))
        await link.connect(no_orders)
        floor.stalls.clear()
        with pytest.raises(NoAnswer):
            await link.ask("rec", b"{}", 0.1)
        floor.stalls.set()
        await link.close()

    with HttpsFloor() as floor:
        asyncio.run(play(floor))


def test_https_link_that_was_closed_is_made_anew() -> None:
    async def play(floor: HttpsFloor) -> None:
        link = HttpsLink(Access(floor.url))
        for _ in range(3):
            await link.connect(no_orders)
            assert await link.ask("doc", b"{}", LIMIT_S) == b""
            await link.close()
            assert not link.up

    with HttpsFloor() as floor:
        asyncio.run(play(floor))


def test_whole_table_speaks_to_a_floor_without_a_broker(tmp_path: Path) -> None:
    with HttpsFloor() as floor, table_at_floor(tmp_path, floor.url) as table:
        table.say("open_table")
        until(lambda: floor.floor.head() == audit.head(table.places.journal))
        now = time.time()
        who = ("limits", "paul", "pit_supervisor", table.seq, now, now + 30)
        order = Order("o-1", NAME.site, NAME.table, *who, given={"minimum": 700})
        floor.orders.append(signed(order, FLOOR))
        until(lambda: bool(floor.answers))
        assert floor.answers[0].outcome is OrderOutcome.ACCEPTED
        until(lambda: floor.floor.head() == audit.head(table.places.journal))


def until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not there():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)

"""Who may say what to a real broker: certificates, permissions, revocation, all by trying it."""

import asyncio
import signal
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import nats.errors
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError
from pytest_mock import MockerFixture

from controller.floor.config import NatsSettings
from controller.floor.embedded import child_process
from controller.floor.embedded.nats import port_in, program
from controller.floor.enrolment import site as enrolment
from controller.floor.enrolment.site import SiteFolder
from controller.floor.service import nats_connection
from controller.floor.service.live_views import LiveViews
from controller.protocol.names import TableName
from controller.uplink.links.link import Access, NoAnswer
from controller.uplink.links.nats_link import NatsLink

SIGNING = b"s" * 32
DAY = 86400.0
FILES = ("ca.crt", "floor.crt", "floor.key")
ONE, TWO = TableName("sands", "bac-01"), TableName("sands", "bac-02")


class Broker:
    """nats-server with the file that enrolment writes."""

    def __init__(self, folder: Path) -> None:
        self.site = SiteFolder(folder / "site")
        self.folder = folder
        self.site.init("sands", ["127.0.0.1"], "127.0.0.1:-1", time.time())
        self.log = folder / "nats.log"
        command = [program(), "-c", str(self.site.broker_file)]
        self.process = child_process.start(command, self.log, signal.SIGTERM)

    @property
    def url(self) -> str:
        return f"tls://127.0.0.1:{port_in(self.log.read_text())}"

    def enrol(self, table: str, out: str, now: float | None = None, **more: bool) -> Path:
        given = self.site.enrol(table, SIGNING, now or time.time(), **more)
        bundle = self.folder / out
        enrolment.write_bundle(bundle, given)
        self.reloaded()
        return bundle

    def reloaded(self) -> None:
        while "Server is ready" not in self.log.read_text():  # a signal before that ends it
            time.sleep(0.01)
        before = self.log.read_text().count("Reloaded server configuration")
        assert enrolment.reload(self.site.broker.pid)
        while self.log.read_text().count("Reloaded server configuration") == before:
            time.sleep(0.01)

    def tls(self, certificate: Path | None, key: Path | None) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.site.folder / "ca.crt"))
        if certificate is not None:
            context.load_cert_chain(certificate, key)
        return context

    async def attempt(
        self, tls: ssl.SSLContext, inbox: str, error_cb: Callable[[Exception], Awaitable[None]]
    ) -> Client:
        """One connection; one that is not let in is closed."""
        client = Client()
        try:
            await client.connect(
                self.url,
                tls=tls,
                inbox_prefix=inbox.encode(),
                allow_reconnect=False,
                error_cb=error_cb,
                connect_timeout=60,
            )
        except BaseException:
            await nats_connection.close(client)
            raise
        return client

    @asynccontextmanager
    async def connected(
        self, tls: ssl.SSLContext, inbox: str, errors: list[Exception] | None = None
    ) -> AsyncIterator[Client]:
        """Tries again, as a table does: the broker gives a handshake five seconds, which a busy
        machine may take."""
        found: list[Exception] = [] if errors is None else errors

        async def noted(error: Exception) -> None:
            found.append(error)

        until = time.monotonic() + 60
        while True:
            try:
                client = await self.attempt(tls, inbox, noted)
                break
            except (OSError, nats.errors.Error):
                if time.monotonic() > until:
                    raise
        found.clear()
        try:
            yield client
        finally:
            await nats_connection.close(client)

    def as_table(self, bundle: Path) -> ssl.SSLContext:
        return self.tls(bundle / "floor.crt", bundle / "floor.key")

    def as_floor(self) -> ssl.SSLContext:
        return self.tls(self.site.folder / "floor.crt", self.site.folder / "floor.key")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    found = Broker(tmp_path_factory.mktemp("broker"))
    try:
        while "Server is ready" not in found.log.read_text():
            assert found.process.poll() is None, found.log.read_text()
            time.sleep(0.01)
        yield found
    finally:
        child_process.end(found.process, signal.SIGTERM)


async def violated(client: Client, errors: list[Exception], turns: int = 6000) -> bool:
    """Whether the broker refuses what was just said; a ping may get there before it."""
    for _ in range(turns):
        await client.flush(60)
        await asyncio.sleep(0.01)
        if any("permissions violation" in str(error).lower() for error in errors):
            return True
    return False


async def asked(client: Client, subject: str) -> bytes:
    """The answer, as soon as somebody is there to give one."""
    for _ in range(6000):
        with suppress(nats.errors.NoRespondersError):
            return (await client.request(subject, b"x", timeout=60)).data
        await asyncio.sleep(0.01)
    raise AssertionError(f"nobody answers {subject}")


def test_a_table_speaks_for_itself_and_is_answered(broker: Broker) -> None:
    bundle = broker.enrol("bac-01", "own")

    async def play() -> None:
        async with (
            broker.connected(broker.as_floor(), "_INBOX.floor") as floor,
            broker.connected(broker.as_table(bundle), ONE.inbox) as table,
        ):

            async def answer(message: Msg) -> None:
                await message.respond(b"heard " + message.subject.encode())

            await floor.subscribe("tbl.sands.*.rec", cb=answer)
            assert await asked(table, ONE.records) == b"heard " + ONE.records.encode()
            # The other way round: an order, answered by the table.
            await table.subscribe(ONE.orders, cb=answer)
            assert await asked(floor, ONE.orders) == b"heard " + ONE.orders.encode()

    asyncio.run(play())


def test_a_table_speaks_for_no_other_and_hears_no_other(broker: Broker) -> None:
    bundle = broker.enrol("bac-03", "other")

    async def refused(name: str, *, hears: bool, turns: int = 6000) -> bool:
        errors: list[Exception] = []
        inbox = TableName("sands", "bac-03").inbox
        async with broker.connected(broker.as_table(bundle), inbox, errors) as table:
            if hears:
                await table.subscribe(name)
            else:
                await table.publish(name, b"x")
            return await violated(table, errors, turns)

    async def all_of_them() -> None:
        own = TableName("sands", "bac-03")
        assert not await refused(own.live, hears=False, turns=20)
        assert not await refused(own.orders, hears=True, turns=20)
        for subject in (
            TWO.records,
            TWO.live,
            TWO.beat,
            TWO.documents,
            own.orders,
            TWO.orders,
            "floor.sands.alert",
            "tbl.other.bac-03.rec",
            f"{TWO.inbox}.x",
            "_INBOX.floor.x",
            "$JS.API.STREAM.LIST",
            "$SYS.REQ.SERVER.PING",
        ):
            assert await refused(subject, hears=False), subject
        for subject in (
            TWO.orders,
            TWO.records,
            TWO.live,
            own.records,
            f"{TWO.inbox}.>",
            "floor.sands.alert",
        ):
            assert await refused(subject, hears=True), subject

    asyncio.run(all_of_them())


@pytest.mark.parametrize("wide", [">", "cmd.>", "cmd.sands.>", "cmd.sands.*.order", "_INBOX.>"])
def test_a_table_that_listens_to_all_hears_its_own(broker: Broker, wide: str) -> None:
    """nats-server takes a wide subscription and hands on what the table may hear, or refuses it."""
    own = TableName("sands", "bac-04")
    bundle = broker.enrol("bac-04", f"wide{len(wide)}", again=True)
    heard: list[str] = []
    errors: list[Exception] = []

    async def listen(message: Msg) -> None:
        heard.append(message.subject)

    async def play() -> None:
        async with (
            broker.connected(broker.as_floor(), "_INBOX.floor") as floor,
            broker.connected(broker.as_table(bundle), own.inbox, errors) as table,
        ):
            await table.subscribe(wide, cb=listen)
            for _ in range(6000):
                for subject in (TWO.orders, f"{TWO.inbox}.x", own.orders, f"{own.inbox}.x"):
                    await floor.publish(subject, b"x")
                await asyncio.sleep(0.01)
                if heard or errors:
                    return

    asyncio.run(play())
    assert heard or errors
    assert set(heard) <= {own.orders, f"{own.inbox}.x"}


def test_the_floor_speaks_for_no_table(broker: Broker) -> None:
    async def play() -> None:
        errors: list[Exception] = []
        async with broker.connected(broker.as_floor(), "_INBOX.floor", errors) as floor:
            await floor.publish(ONE.records, b"x")
            assert await violated(floor, errors)

    asyncio.run(play())


def is_refused(broker: Broker, tls: ssl.SSLContext) -> bool:
    """Whether the broker itself refuses, which its log tells from a handshake that was too slow."""
    while True:
        seen = broker.log.stat().st_size
        if is_let_in_once(broker, tls):
            return False
        if b"timeout" not in broker.log.read_bytes()[seen:]:
            return True


def is_let_in_once(broker: Broker, tls: ssl.SSLContext) -> bool:
    async def attempt() -> None:
        client = await broker.attempt(tls, ONE.inbox, said)
        try:
            await client.flush(60)
        finally:
            await nats_connection.close(client)

    async def said(_: Exception) -> None:
        """It is raised as well."""

    try:
        asyncio.run(attempt())
    except (nats.errors.Error, ssl.SSLError, OSError, TimeoutError):
        return False
    return True


def is_let_in(broker: Broker, tls: ssl.SSLContext) -> bool:
    async def attempt() -> None:
        async with broker.connected(tls, ONE.inbox) as client:
            await client.flush(60)

    try:
        asyncio.run(attempt())
    except (nats.errors.Error, ssl.SSLError, OSError, TimeoutError):
        return False
    return True


def test_no_certificate_a_foreign_one_or_one_past_its_time_gets_nowhere(
    broker: Broker, tmp_path: Path
) -> None:
    good = broker.enrol("bac-05", "good")
    assert is_let_in(broker, broker.as_table(good))
    assert is_refused(broker, broker.tls(None, None))
    foreign = SiteFolder(tmp_path / "foreign")
    foreign.init("sands", ["127.0.0.1"], "127.0.0.1:1", time.time())
    enrolment.write_bundle(tmp_path / "f", foreign.enrol("bac-05", SIGNING, time.time()))
    assert is_refused(broker, broker.tls(tmp_path / "f/floor.crt", tmp_path / "f/floor.key"))
    expired = broker.enrol("bac-06", "expired", time.time() - 3 * 365 * DAY)
    assert is_refused(broker, broker.as_table(expired))


def test_a_revoked_table_is_thrown_out_and_a_new_certificate_does_not_bring_it_back(
    broker: Broker,
) -> None:
    first = broker.enrol("bac-07", "first")

    async def thrown_out() -> bool:
        async with broker.connected(broker.as_table(first), ONE.inbox) as table:
            await table.flush(60)
            broker.site.revoke("bac-07", time.time())
            broker.reloaded()
            for _ in range(6000):
                if table.is_closed:
                    return True
                await asyncio.sleep(0.02)
            return False

    assert asyncio.run(thrown_out()), "a connection that stands is ended"
    assert is_refused(broker, broker.as_table(first))
    second = broker.enrol("bac-07", "second")
    assert is_let_in(broker, broker.as_table(second))
    assert is_refused(broker, broker.as_table(first)), "its name is back, it is not"
    third = broker.enrol("bac-07", "third", again=True)
    assert is_refused(broker, broker.as_table(second))
    assert is_let_in(broker, broker.as_table(third))


async def heard_within(streams: JetStreamContext, subject: str, wanted: bytes) -> None:
    for _ in range(6000):
        with suppress(NotFoundError):
            if (await streams.get_last_msg("LIVE", subject)).data == wanted:
                return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{wanted!r} is not there")


def test_live_views_are_kept_in_memory_and_records_are_not(broker: Broker) -> None:
    """The floor makes the stream; a table only publishes, and nobody answers for the sink."""
    bundle = broker.enrol("bac-08", "live")
    own = TableName("sands", "bac-08")

    async def play() -> None:
        async with (
            broker.connected(broker.as_floor(), "_INBOX.floor") as floor,
            broker.connected(broker.as_table(bundle), own.inbox) as table,
        ):
            streams = floor.jetstream()
            await streams.add_stream(
                name="LIVE", subjects=["tbl.*.*.live"], storage="memory", max_msgs_per_subject=1
            )
            for n in range(3):
                await table.publish(own.live, b"%d" % n)
            await heard_within(streams, own.live, b"2")
            with pytest.raises(nats.errors.NoRespondersError):
                await table.request(own.records, b"x", timeout=60)

    asyncio.run(play())


def test_a_floor_and_a_table_of_the_product_have_the_rights_they_need(broker: Broker) -> None:
    """The floor's own connection and the table's own link, as they run."""
    bundle, folder = broker.enrol("bac-09", "product"), broker.site.folder
    own = TableName("sands", "bac-09")
    files = [str(folder / name) for name in FILES]
    access = Access(broker.url, bundle / "floor-ca.crt", bundle / "floor.crt", bundle / "floor.key")

    async def said() -> None:
        """That it is lost or back concerns nobody here."""

    async def play() -> None:
        floor = await nats_connection.connected(
            NatsSettings([broker.url], *files), "floor of sands", said, said
        )
        link = NatsLink(access, own)
        try:

            async def seen(message: Msg) -> None:
                """What is kept is looked for below."""

            assert await LiveViews(floor, "sands", seen).catch_up()

            async def sink(message: Msg) -> None:
                await message.respond(b"committed")

            async def order(said: bytes) -> bytes:
                return b"answer to " + said

            await floor.subscribe("tbl.sands.*.rec", queue="sink", cb=sink)
            await link.connect(order)
            assert await asked_by(link) == b"committed"
            assert await asked(floor, own.orders) == b"answer to x"
            await link.tell("live", b"view")
            await heard_within(floor.jetstream(), own.live, b"view")
        finally:
            await link.close()
            await floor.close()

    asyncio.run(play())


async def asked_by(link: NatsLink) -> bytes:
    for _ in range(6000):
        with suppress(NoAnswer):
            return await link.ask("rec", b"x", 10.0)
        await asyncio.sleep(0.01)
    raise AssertionError("nobody answers")


def test_a_handshake_that_fails_is_an_error_and_not_a_wait_for_ever(
    broker: Broker, mocker: MockerFixture
) -> None:
    """A broker that hangs up in the middle of it, as one does that lost its patience."""
    mocker.patch.object(nats_connection, "CLOSE_S", 0.05)

    async def said() -> None:
        """That it is lost or back concerns nobody here."""

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        info = b'{"server_id":"x","version":"2.10.0","proto":1,"max_payload":1024,"tls_required":1}'
        writer.write(b"INFO " + info + b"\r\n")
        await reader.read(1)
        writer.close()
        await writer.wait_closed()

    async def play() -> None:
        async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
            url = f"tls://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            config = NatsSettings([url], *(str(broker.site.folder / name) for name in FILES))
            connecting = asyncio.create_task(nats_connection.connected(config, "floor", said, said))
            await asyncio.wait([connecting], timeout=60)
            assert connecting.done()
            assert isinstance(connecting.exception(), (OSError, nats.errors.Error))

    asyncio.run(play())


def test_a_link_whose_end_is_interrupted_is_closed_by_the_next_call(broker: Broker) -> None:
    """The uplink cancels again what takes long, and closes the link after it."""
    bundle = broker.enrol("bac-10", "interrupted")
    files = [bundle / name for name in ("floor-ca.crt", "floor.crt", "floor.key")]
    link = NatsLink(Access(broker.url, *files), TableName("sands", "bac-10"))

    async def order(said: bytes) -> bytes:
        return said

    async def play() -> None:
        await link.connect(order)
        client = link._client
        assert client is not None
        broker.process.send_signal(signal.SIGSTOP)  # it does not answer TLS's goodbye
        try:
            first = asyncio.create_task(link.close())
            while not client.is_closed:
                await asyncio.sleep(0)
            first.cancel()
            await asyncio.wait([first])
            second = asyncio.create_task(link.close())
            for _ in range(100):
                await asyncio.sleep(0)
            assert link._closing is not None
            assert second.done() == link._closing.done(), "the second call waits for the first"
        finally:
            broker.process.send_signal(signal.SIGCONT)
        await second

    asyncio.run(play())

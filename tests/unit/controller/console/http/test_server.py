"""The console on a real port: where it may listen, TLS, readers that do not read, many of them."""

import asyncio
import datetime
import ipaddress
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from controller.console.data.feeds import MAX_WAITING
from controller.console.http.server import ConsoleError, ConsoleServer, ListenAddress, bound
from controller.table.commands.message import new_message
from support.console.consoles import Console
from support.console.plain_screens import LIMIT_S, Screen, first_message_over_tls
from support.feeds import open_feed
from support.rows import each_row

ANYWHERE = "0.0.0.0"


@contextmanager
def served(console: Console, address: ListenAddress | None = None) -> Iterator[str]:
    address = address or ListenAddress(port=0)
    server = ConsoleServer(console.context, address, bound(address))
    server.start()
    try:
        yield server.url
    finally:
        server.stop()
        console.table.close()


# --- where it may listen ----------------------------------------------------------------------


def test_other_addresses_need_tls_and_say_so() -> None:
    with pytest.raises(ConsoleError, match=r"needs TLS\. Set tls_cert and tls_key"):
        bound(ListenAddress(ANYWHERE, 0))


def test_certificate_and_key_come_together(tmp_path: Path) -> None:
    with pytest.raises(ConsoleError, match="both"):
        bound(ListenAddress(ANYWHERE, 0, cert=tmp_path / "cert.pem"))


@each_row(
    "host, loopback",
    [("127.0.0.1", True), ("::1", True), ("localhost", True), (ANYWHERE, False), ("pit", False)],
)
def test_loopback_is_known(host: str, loopback: bool) -> None:
    assert ListenAddress(host).loopback is loopback


def test_port_that_is_taken_says_so_or_the_next_is_taken() -> None:
    with bound(ListenAddress(port=0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConsoleError, match="choose another port"):
            bound(ListenAddress(port=port))
        with bound(ListenAddress(port=port), tries=20) as found:
            assert port < found.getsockname()[1] < port + 20


def test_console_answers_to_its_names_only() -> None:
    assert "127.0.0.1" in ListenAddress().hosts
    assert ListenAddress(names=("pit.example",)).hosts[-1] == "pit.example"
    assert ListenAddress(ANYWHERE, cert=Path("c"), key=Path("k")).hosts == ()


def certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "console")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


def test_under_tls_the_cookie_is_for_tls_alone(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    console = Console(tmp_path)
    console.context.secure = True
    trusts = ssl.create_default_context(cafile=str(cert))
    with served(console, ListenAddress(port=0, cert=cert, key=key)) as url:
        assert url.startswith("https://")
        screen = Screen(url, trusts)
        screen.sign_in("anna", "1111")
        cookie = screen.headers["set-cookie"]
        assert cookie.startswith("__Host-sabot=")
        assert "Secure" in cookie
        assert screen.ask("/api/me")["who"] == "anna"
        assert first_message_over_tls(url, trusts, screen.cookie)["type"] == "snapshot"


# --- readers ----------------------------------------------------------------------------------


def listening(url: str) -> ClientConnection:
    return open_feed(url.replace("http", "ws") + "/feed/public")


def notes(console: Console, count: int) -> None:
    """So many steps, posted by the table's own thread."""
    for n in range(count):
        given = {"what": f"step {n}", "says": "x" * 400}
        asked = console.table.loop.ask(new_message("system", "noted", **given))
        asked.result(LIMIT_S)


def stuck_reader(url: str) -> socket.socket:
    """A reader that shakes hands and never reads."""
    host, port = url.removeprefix("http://").split(":")
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    found.connect((host, int(port)))
    found.sendall(
        f"GET /feed/public HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return found


def test_reader_that_never_reads_is_dropped_and_hurts_nobody(tmp_path: Path) -> None:
    console = Console(tmp_path)
    feeds = console.context.feeds
    with served(console) as url, listening(url) as reader:
        seen = json.loads(reader.recv(LIMIT_S))["seq"]
        with stuck_reader(url):
            while feeds.readers < 2:
                reader.recv(LIMIT_S)
            while feeds.readers > 1:
                notes(console, MAX_WAITING // 8)
                last = console.context.latest().seq
                while seen < last:
                    message = json.loads(reader.recv(LIMIT_S))
                    if message["type"] == "step":
                        assert message["seq"] == seen + 1, "the other reader misses nothing"
                    seen = message["seq"]
            assert Screen(url).ask("/healthz") == {"lives": True}


async def listen(url: str, after: int | None, upto: int) -> list[int]:
    """The numbers one reader gets until it has `upto`."""
    query = "" if after is None else f"?after={after}"
    got: list[int] = []
    async with connect_async(url + query, open_timeout=LIMIT_S, proxy=None) as feed:
        while not got or got[-1] < upto:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(feed.recv(), LIMIT_S))
            if message["type"] != "beat":
                got.append(message["seq"])
    return got


def storm(folder: Path, clients: int, steps: int) -> None:
    """All of them read, all lose the connection at once, all come back where they were."""
    console = Console(folder)

    async def run(url: str) -> None:
        first = console.context.latest().seq
        listening = [asyncio.create_task(listen(url, None, first + steps)) for _ in range(clients)]
        while console.context.feeds.readers < clients:
            await asyncio.sleep(0)
        await asyncio.to_thread(notes, console, steps)
        for got in await asyncio.gather(*listening):
            assert got == list(range(first, first + steps + 1))
        await asyncio.to_thread(notes, console, steps)
        middle = first + steps // 2
        back = [asyncio.create_task(listen(url, middle, first + 2 * steps)) for _ in range(clients)]
        for got in await asyncio.gather(*back):
            assert got == list(range(middle + 1, first + 2 * steps + 1))

    with served(console) as url:
        asyncio.run(run(url.replace("http", "ws") + "/feed/public"))


def test_clients_come_back_where_they_were(tmp_path: Path) -> None:
    storm(tmp_path, clients=12, steps=20)


@pytest.mark.second_tier
def test_five_hundred_clients_and_a_reconnect_storm(tmp_path: Path) -> None:
    storm(tmp_path, clients=500, steps=40)


def test_server_that_stops_says_goodbye(tmp_path: Path) -> None:
    console = Console(tmp_path)
    with ExitStack() as stack:
        with served(console) as url:
            reader = stack.enter_context(listening(url))
            reader.recv(LIMIT_S)
        with pytest.raises(ConnectionClosed) as closed:
            _read_on(reader)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012


def _read_on(reader: ClientConnection) -> None:
    while True:
        reader.recv(LIMIT_S)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_nothing_waits_for_the_other_sides_acknowledgement(host: str) -> None:
    """Nagle's algorithm is off on every connection: a word that came soon after another took 40 ms
    longer, and so did a step that followed another on a feed."""

    async def run() -> int:
        seen: list[int] = []

        async def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            seen.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = bound(ListenAddress(host=host, port=0))
        async with await asyncio.start_server(met, sock=listening):
            reader, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            await reader.read()
            writer.close()
        return seen[0]

    assert asyncio.run(run()) == 1

"""Where an event may be sent: HTTPS, the public network, what the house allows, no more."""

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from pytest_mock import MockerFixture

from controller.floor.webhooks.delivery import Delivering
from controller.floor.webhooks.events import Event, EventKind, History, event_of
from controller.floor.webhooks.http_sender import (
    BadAddress,
    DeliveryOutcome,
    EgressPolicy,
    Interruption,
    addresses_of,
    checked_url,
    send,
)
from controller.journal.records import EMPTY, RECORD_FORMAT, Entry, chain_entry
from controller.protocol.records import sent
from support.console import certificates
from support.floor.receiver import receiving
from support.limits import MAX_WAIT_S

SECRET = "whsec_" + "QUJD" * 8
EVENT = Event("msg_sands.bac-01.1.3", EventKind.RESULT, b'{"type":"round.result"}')
OPEN, LOOP = EgressPolicy(), EgressPolicy(allowed=("127.0.0.0/8",))


@pytest.mark.parametrize(
    "url",
    [
        "http://studio.example/",
        "http://127.0.0.1/",
        "ftp://studio.example/",
        "file:///etc/passwd",
        "https://",
        "https://user:word@studio.example/",
        "https://studio.example:0/",
        "https://studio.example:99999/",
        "studio.example",
        "https://[::1",
    ],
)
def test_what_is_no_https_address_is_refused(url: str) -> None:
    with pytest.raises(BadAddress):
        checked_url(url, OPEN)


def test_plain_http_is_for_this_machine_where_the_house_says_so() -> None:
    assert checked_url("http://127.0.0.1:9/x", LOOP).port == 9
    for url in ("http://localhost/", "http://10.0.0.1/", "http://studio.example/"):
        with pytest.raises(BadAddress, match="is not https"):
            checked_url(url, LOOP)


NOT_PUBLIC = (
    # Version 4, each range at its ends.
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.1.2.3", "10.255.255.255", "100.64.0.0",
    "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254",
    "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.9", "192.0.0.10", "192.0.0.170",
    "192.0.0.255", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0",
    "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.0",
    "255.255.255.254", "255.255.255.255",
    # Of version 6 what belongs to a house, a link, many or nobody.
    "::", "::1", "::2", "100::", "100::1", "100:0:0:1::1", "fc00::1", "fdff::1", "fe80::1",
    "febf::1", "fec0::1", "feff::1", "ff02::1", "ff0e::1", "5f00::", "5f00::1", "5fff::1",
    "4000::1", "1fff::1", "2001:2::1", "2001:2:0:ffff::1", "2001:10::1", "2001:20::1",
    "2001:1ff::1", "2001:db8::1", "3fff::1", "3fff:fff::1",
    # Of version 6 what leads to version 4, or seems to.
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:192.0.0.9", "::ffff:0:127.0.0.1",
    "::ffff:0:8.8.8.8", "::10.0.0.1", "::127.0.0.1", "::8.8.8.8", "64:ff9b::10.0.0.1",
    "64:ff9b::127.0.0.1", "64:ff9b::224.0.0.1", "64:ff9b:0:1::8.8.8.8", "64:ff9b:1::8.8.8.8",
    "64:ff9b:1:ffff::1", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1",
    "2001::1", "2001:0:a00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
)  # fmt: skip
PUBLIC = (
    "8.8.8.8", "93.184.215.14", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1",
    "3ffe::1", "3fff:1000::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
)  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_nothing_goes_into_the_houses_own_network(address: str) -> None:
    with pytest.raises(BadAddress, match="not on the public network"):
        asyncio.run(addresses_of(address, 443, OPEN))


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_beside_those_networks_may_be_sent_to(address: str) -> None:
    (found,) = asyncio.run(addresses_of(address, 443, OPEN))
    assert ip_address(found) == ip_address(address)


def test_what_only_seems_to_be_an_allowed_network_is_not() -> None:
    house = EgressPolicy(allowed=("10.0.0.0/8",))
    for address in ("::10.0.0.1", "::ffff:0:10.0.0.1", "2002:a00:1::1", "64:ff9b:1::10.0.0.1"):
        with pytest.raises(BadAddress):
            asyncio.run(addresses_of(address, 443, house))
    assert asyncio.run(addresses_of("5f00::1", 443, EgressPolicy(allowed=("5f00::/16",)))) == [
        "5f00::1"
    ]


def test_what_the_house_allows_may_be_sent_to() -> None:
    assert asyncio.run(addresses_of("10.1.2.3", 443, EgressPolicy(allowed=("10.1.0.0/16",)))) == [
        "10.1.2.3"
    ]
    with pytest.raises(BadAddress):
        asyncio.run(addresses_of("10.2.2.3", 443, EgressPolicy(allowed=("10.1.0.0/16",))))
    assert asyncio.run(addresses_of("93.184.215.14", 443, OPEN)) == ["93.184.215.14"]
    assert asyncio.run(addresses_of("64:ff9b::5db8:d70e", 443, OPEN)) == ["64:ff9b::5db8:d70e"]
    assert asyncio.run(addresses_of("::1", 443, EgressPolicy(allowed=("::1/128",)))) == ["::1"]


def test_one_bad_address_among_good_ones_is_enough(mocker: MockerFixture) -> None:
    """A name that leads to a public address and to ours would find its way in by chance."""
    family = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    found = [(*family, ("93.184.215.14", 443)), (*family, ("10.0.0.1", 443))]
    mocker.patch("socket.getaddrinfo", return_value=found)
    with pytest.raises(BadAddress, match=r"leads to 10\.0\.0\.1"):
        asyncio.run(addresses_of("studio.example", 443, OPEN))


def test_a_name_is_looked_up_once_and_the_connection_goes_where_it_led(
    mocker: MockerFixture,
) -> None:
    """Else it could lead elsewhere the second time: here to where nobody listens."""
    real = socket.getaddrinfo
    leads = iter(["127.0.0.1"])

    def looked_up(host: str, *given: Any, **more: Any) -> Any:
        to = next(leads, "127.0.0.2") if host == "studio.example" else host
        return real(to, *given, **more)

    mocker.patch("socket.getaddrinfo", looked_up)
    mocker.patch("controller.floor.webhooks.http_sender._loops_back", return_value=True)
    with receiving() as receiver:
        url = receiver.url.replace("127.0.0.1", "studio.example")
        assert send(url, SECRET, EVENT, LOOP, time.time()) == DeliveryOutcome(204)
        assert receiver.headers[0]["host"] == url.split("/")[2]


def test_tls_names_and_checks_the_host_though_the_connection_goes_to_an_address(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    """The name of the address of a subscriber is what stands in its certificate and in its SNI."""
    root, site = certificates.site()
    (tmp_path / "ca.pem").write_bytes(root.certificate.public_bytes(Encoding.PEM))
    names: list[str | None] = []
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(*site.issue(tmp_path, "studio.example"))
    tls.sni_callback = lambda _socket, name, _context: names.append(name)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]
    mocker.patch("socket.getaddrinfo", return_value=found)
    policy = EgressPolicy(allowed=("127.0.0.0/8",), ca=str(tmp_path / "ca.pem"))
    with receiving(tls=tls) as receiver:
        outcomes = [
            send(receiver.url.replace("127.0.0.1", host), SECRET, EVENT, policy, time.time())
            for host in ("studio.example", "other.example")
        ]
    assert outcomes[0] == DeliveryOutcome(204)
    assert "SSLCertVerificationError" in str(outcomes[1].error)
    assert names == ["studio.example", "other.example"]
    assert len(receiver.got) == 1


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "studio..example"])
def test_a_name_that_cannot_be_one_is_not_found(host: str) -> None:
    """The look-up fails with no error of the network's, in a thread of its own; it is not waited
    for until the time is over."""
    with pytest.raises(BadAddress, match="cannot be found"):
        asyncio.run(addresses_of(host, 443, OPEN))


def test_a_redirect_is_not_followed() -> None:
    with receiving() as inner:
        with receiving(lambda _: (302, {"location": inner.url})) as outer:
            outcome = send(outer.url, SECRET, EVENT, LOOP, time.time())
        assert (outcome.status, outcome.error) == (302, "it answered 302")
        assert inner.got == []


def test_every_way_to_fail_is_an_outcome() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        refused = send(url, SECRET, EVENT, LOOP, time.time())
    assert not refused.delivered
    assert "ConnectionRefusedError" in str(refused.error)
    assert "is not https" in str(send("http://x.example/", SECRET, EVENT, LOOP, 0.0).error)


@contextmanager
def dripping(begins: bytes) -> Iterator[tuple[int, threading.Event]]:
    """A server that sends `begins` and then a byte at a time, to whoever connects, for as long as
    the block runs; its port, and whether it has begun."""
    has_begun, is_over = threading.Event(), threading.Event()

    def drip(to: socket.socket) -> None:
        with to, suppress(OSError):
            to.sendall(begins)
            while not is_over.wait(0.02):
                to.sendall(b"H")
                has_begun.set()

    def accept() -> None:
        with suppress(OSError):
            while True:
                drip(server.accept()[0])

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1], has_begun
        finally:
            is_over.set()
            server.shutdown(socket.SHUT_RDWR)  # ends an accept that nobody came to
            thread.join()


DRIPS = pytest.mark.parametrize(
    ("scheme", "begins"),
    [("http", b""), ("https", b"\x16\x03\x03\x40\x00")],  # a handshake of 16 KiB
)


@DRIPS
def test_one_that_drips_is_cut_off_as_a_whole(scheme: str, begins: bytes) -> None:
    """Each of its bytes comes in time, and the answer never would. The limit counts from before
    the connection: on a busy machine it may be over by then, and a longer one is tried."""
    whole_s = 0.2
    with dripping(begins) as (port, has_begun):
        while not has_begun.is_set():
            house = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=whole_s)
            url = f"{scheme}://127.0.0.1:{port}/"
            assert not send(url, SECRET, EVENT, house, time.time()).delivered
            whole_s *= 2


@DRIPS
def test_an_interruption_ends_what_is_under_way(scheme: str, begins: bytes) -> None:
    interruption, house = Interruption(), EgressPolicy(allowed=("127.0.0.0/8",), whole_s=1000.0)
    with dripping(begins) as (port, has_begun), ThreadPoolExecutor(1) as executor:
        url = f"{scheme}://127.0.0.1:{port}/"
        sent = executor.submit(send, url, SECRET, EVENT, house, time.time(), interruption)
        has_begun.wait()
        interruption.set()
        assert not sent.result().delivered
        assert not send(url, SECRET, EVENT, house, time.time(), interruption).delivered


def test_an_interruption_ends_a_look_up_that_hangs(mocker: MockerFixture) -> None:
    asked, answers = threading.Event(), threading.Event()

    def hang(*_: Any, **__: Any) -> list[Any]:
        asked.set()
        answers.wait()
        return []

    mocker.patch("socket.getaddrinfo", hang)
    interruption, house = Interruption(), EgressPolicy(whole_s=1000.0)
    url = "https://studio.example/hook"
    try:
        with ThreadPoolExecutor(1) as executor:
            sent = executor.submit(send, url, SECRET, EVENT, house, time.time(), interruption)
            assert asked.wait(MAX_WAIT_S)
            interruption.set()
            assert not sent.result(MAX_WAIT_S).delivered
    finally:
        answers.set()


def test_an_interruption_ends_a_connect_that_hangs() -> None:
    """A firewall that drops what comes: here a server that accepts nobody, its queue full."""
    interruption, house = Interruption(), EgressPolicy(allowed=("127.0.0.0/8",), whole_s=1000.0)
    with ExitStack() as sockets, ThreadPoolExecutor(1) as executor:
        server = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        port = server.getsockname()[1]
        for _ in range(4):
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", port))
        url = f"http://127.0.0.1:{port}/"
        sent = executor.submit(send, url, SECRET, EVENT, house, time.time(), interruption)
        while not is_connecting(port):
            time.sleep(0.01)
        interruption.set()
        assert not sent.result().delivered


def is_connecting(port: int) -> bool:
    """Whether somebody besides the four of the test asks for a connection to `port` in vain."""
    rows = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    to, syn_sent = f"0100007F:{port:04X}", "02"
    return sum(row[2] == to for row in rows) > 4 and any(
        row[2] == to and row[3] == syn_sent for row in rows
    )


def test_what_is_interrupted_before_it_is_connected_sends_nothing() -> None:
    interruption = Interruption()
    interruption.set()
    with receiving() as receiver:
        assert not send(receiver.url, SECRET, EVENT, LOOP, time.time(), interruption).delivered
        assert receiver.got == []


def test_a_name_that_is_looked_up_for_ever_is_cut_off_too(mocker: MockerFixture) -> None:
    waits = threading.Event()

    def looked_up(*_: object, **__: object) -> list[object]:
        waits.wait(20)
        raise socket.gaierror("temporary failure")

    mocker.patch("socket.getaddrinfo", looked_up)
    house = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=0.2)
    outcome = send("https://studio.example/", SECRET, EVENT, house, time.time())
    waits.set()
    assert outcome.error == "studio.example was not found in 0.2 s"


def test_what_the_look_up_took_is_not_there_for_the_rest(mocker: MockerFixture) -> None:
    """By a clock that the look-up moves, and the test, when an answer that never ends has begun."""
    clock = mocker.patch("asyncio.base_events.time.monotonic", return_value=0.0)
    real = socket.getaddrinfo

    def looked_up(*given: Any, **more: Any) -> Any:
        clock.return_value = 0.9
        return real(*given, **more)

    mocker.patch("socket.getaddrinfo", looked_up)
    policy = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=1.0)
    with dripping(b"") as (port, has_begun), ThreadPoolExecutor(1) as executor:
        url = f"http://127.0.0.1:{port}/"
        sent = executor.submit(send, url, SECRET, EVENT, policy, time.time())
        has_begun.wait()
        clock.return_value = 1.0
        assert sent.result().error == "no answer within 1 s"


@pytest.mark.parametrize(
    ("asked", "waits"),
    [("7", 7.0), ("99999999", 3600.0), ("", None), ("tomorrow", None), ("-1", None)],
)
def test_retry_after_is_heeded_within_reason(asked: str, waits: float | None) -> None:
    with receiving(lambda _: (503, {"retry-after": asked})) as receiver:
        assert send(receiver.url, SECRET, EVENT, LOOP, time.time()).wait == waits


def test_the_wait_doubles_up_to_a_quarter_of_an_hour() -> None:
    low = Delivering(LOOP, time.time, lambda: 0.0)
    high = Delivering(LOOP, time.time, lambda: 1.0)
    assert [low.wait_after(n) for n in (1, 2, 3, 4)] == [0.75, 1.5, 3.0, 6.0]
    assert high.wait_after(10_000) == 1125.0


def test_a_record_that_cannot_be_read_says_nothing() -> None:
    history = History("sands", "bac-01", 1)
    for kind, body in (("summary", b"{}"), ("summary", b"x"), ("step", b"[]"), ("keys", b"{}")):
        record = sent(chain_entry(EMPTY, Entry(kind, RECORD_FORMAT, 1.0, 1, 1, body)))
        assert event_of(history, record) is None

"""Requests that no browser sends: each is answered by a refusal or dropped, none by a 5xx, and the
next one is served."""

import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.console.http.server import ConsoleServer, ListenAddress, bound
from support.console.consoles import Console
from support.console.plain_screens import LIMIT_S, Screen

HOST = b"Host: 127.0.0.1\r\n"
CLOSE = b"Connection: close\r\n"
POST = b"POST /api/sign-in HTTP/1.1\r\n" + HOST + CLOSE
GET = b"GET /healthz HTTP/1.1\r\n" + HOST


CHUNKS = b"Transfer-Encoding: chunked\r\n"


def get(path: bytes, headers: bytes = b"") -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + headers + CLOSE + b"\r\n"


def sign_in(body: bytes) -> bytes:
    return POST + b"Content-Length: %d\r\n\r\n" % len(body) + body


REQUESTS = {
    "giant cookie": get(b"/healthz", b"Cookie: x=" + b"a" * 200_000 + b"\r\n"),
    "twenty thousand headers": get(b"/", b"".join(b"X-%d: y\r\n" % n for n in range(20_000))),
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}{}",
    "length and chunks": POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "less than nothing": POST + b"Content-Length: -5\r\n\r\n{}",
    "a length without end": POST + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n",
    "a chunk without end": POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 30 + b"\r\naaaa",
    "chunks over the most": POST
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + (b"10000\r\n" + b"a" * 65536 + b"\r\n") * 2,
    "packed chunks": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a handshake": bytes.fromhex("16030100c8010000c40303") + bytes(100),
    "any bytes": bytes(range(256)) * 10,
    "a long verb": b"X" * 5000 + b" / HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
    "up": get(b"/static/../../../etc/passwd"),
    "up, written": get(b"/static/%2e%2e/%2e%2e/etc/passwd"),
    "up, backwards": get(b"/static/js/..%5c..%5cx"),
    "nothing in a path": get(b"/static/%00"),
    "no UTF-8": get(b"/static/js/%ff%fe"),
    "deep": get(b"/static/" + b"a/" * 3000),
    "a long name": get(b"/static/js/" + b"a" * 300),
    "a number without end": get(b"/api/rounds/" + b"9" * 40 + b"/1"),
    "deep JSON": sign_in(b"[" * 60_000),
    "half a character": sign_in(b'{"who":"\\ud800","secret":"1"}'),
    "no JSON": sign_in(b"\xff\xfe"),
    "a whole address": get(b"http://127.0.0.1/healthz"),
    "somebody else's address": get(b"http://evil/healthz"),
    "an old protocol without a host": b"GET /healthz HTTP/1.0\r\n\r\n",
    "a name that is no text": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\xff\r\n\r\n",
    "chunks twice": POST + CHUNKS + CHUNKS + b"\r\n0\r\n\r\n",
    "chunks behind a space": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a length with a sign": POST + b"Content-Length: +2\r\n\r\n{}",
    "lengths in a row": POST + b"Content-Length: 2, 3\r\n\r\n{}}",
    "a chunk below nothing": POST + CHUNKS + b"\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a chunk that does not end": POST + CHUNKS + b"\r\n2\r\n{}XX0\r\n\r\n",
    "nothing but the last chunk": POST + CHUNKS + b"\r\n0\r\n\r\n",
    "headers behind the body": POST + CHUNKS + b"\r\n0\r\n" + b"X: y\r\n" * 50_000 + b"\r\n",
    "the smallest chunks": POST + CHUNKS + b"\r\n" + b"1\r\n \r\n" * 70_000 + b"0\r\n\r\n",
    "nothing in a header": get(b"/", b"X: a\x00b\r\n"),
    "a cookie that is no text": get(b"/api/me", b"Cookie: sabot=\xe9\xff\r\n"),
    "half a percent": get(b"/api/rounds/%zz/1"),
    "to somewhere else": b"CONNECT evil:443 HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
    "the way back": b"TRACE /healthz HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
    "a feed without a key": get(b"/feed/public", b"Upgrade: websocket\r\nConnection: Upgrade\r\n"),
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, int]]:
    console, address = Console(tmp_path), ListenAddress(port=0)
    listening = bound(address)
    server = ConsoleServer(console.context, address, listening)
    server.start()
    try:
        yield server.url, listening.getsockname()[1]
    finally:
        server.stop()
        console.table.close()


def answer(port: int, sent: bytes) -> bytes:
    """All that comes until the console hangs up."""
    said = b""
    with socket.create_connection(("127.0.0.1", port), LIMIT_S) as line:
        try:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            while piece := line.recv(65536):
                said += piece
        except OSError:
            return said
    return said


def test_what_no_browser_sends_is_refused_or_dropped(served: tuple[str, int]) -> None:
    url, port = served
    told = {name: answer(port, sent)[:12] for name, sent in REQUESTS.items()}
    wrong = {name: said for name, said in told.items() if said and said[9:10] != b"4"}
    assert wrong == {}
    assert Screen(url).ask("/healthz") == {"lives": True}


def test_requests_in_one_piece_are_answered_in_order(served: tuple[str, int]) -> None:
    _, port = served
    said = answer(port, (GET + b"\r\n") * 20 + get(b"/nowhere"))
    assert said.count(b"HTTP/1.1 200 ") == 20
    assert said.rindex(b"HTTP/1.1 200 ") < said.index(b"HTTP/1.1 404 ")


@pytest.mark.parametrize("first", ["Content-Length", "Transfer-Encoding"])
def test_a_request_that_hides_in_a_body_is_not_heard(served: tuple[str, int], first: str) -> None:
    """By its length the second request is a part of the first one's body, by its chunks it is not:
    a program between would see one, the console two."""
    _, port = served
    both = [b"Content-Length: 99\r\n", CHUNKS]
    if first == "Transfer-Encoding":
        both.reverse()
    sent = b"POST /api/sign-in HTTP/1.1\r\n" + HOST + b"".join(both) + b"\r\n0\r\n\r\n"
    said = answer(port, sent + GET + b"\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1 ") == 1


UPGRADE = (
    b"GET /feed/public HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = bytes(4)
FRAMES = {
    "not masked": b"\x81\x02hi",
    "without end": b"\x81\xff" + struct.pack("!Q", 1 << 62) + MASK,
    "over the most": b"\x81\xfe" + struct.pack("!H", 8000) + MASK + b"x" * 8000,
    "in parts over the most": b"\x01\xe4" + MASK + b"x" * 100
    + (b"\x00\xe4" + MASK + b"y" * 100) * 99,
    "no UTF-8": b"\x81\x82" + MASK + b"\xff\xff",
    "bits that nobody asked for": b"\xf1\x80" + MASK,
    "a goodbye of no kind": b"\x88\x82" + MASK + b"\x00\x01",
    "a ping in parts": b"\x09\x80" + MASK,
}  # fmt: skip


def test_frames_that_are_none_end_their_reader_alone(served: tuple[str, int]) -> None:
    url, port = served
    for name, sent in FRAMES.items():
        with socket.create_connection(("127.0.0.1", port), LIMIT_S) as line:
            line.sendall(UPGRADE)
            assert line.recv(65536).startswith(b"HTTP/1.1 101 "), name
            line.sendall(sent)
            try:
                while line.recv(65536):
                    pass
            except ConnectionResetError:
                pass
    assert Screen(url).ask("/healthz") == {"lives": True}

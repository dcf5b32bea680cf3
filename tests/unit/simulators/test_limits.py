"""Where ports and the program's loop stop keeping things, reached for real."""

import os
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from simulators.registry import make
from simulators.wire.ports import MAX_CONVERSATIONS, MAX_UNSENT, Port, PtyPort, TcpPort
from simulators.wire.serve import MAX_CALLS, Busy, Server
from simulators.wire.unit import Unit
from support.devices.emulated import LIMIT_S


@pytest.fixture
def unit() -> Unit:
    return Unit(make("shoe_bee_tek", {}))


def flood(port: Port) -> int:
    """How many bytes a port keeps and passes on when its host reads nothing."""
    sent = 0
    for _ in range(200):
        port.send(b"x" * 65_536)
        sent += 65_536
    return sent


def test_terminal_nobody_reads_keeps_a_bounded_rest(unit: Unit, tmp_path: Path) -> None:
    port = PtyPort(unit, tmp_path / "shoe")
    port.open()
    host = os.open(port.where, os.O_RDWR | os.O_NOCTTY)
    try:
        sent = flood(port)
        got = 0
        os.set_blocking(host, False)
        # Taken by the host and given by the port in turn until both have nothing left.
        while not port.drained():
            with suppress(BlockingIOError):
                got += len(os.read(host, 65_536))
            port.send(b"")
        assert 0 < got <= MAX_UNSENT + 65_536 < sent
    finally:
        os.close(host)
        port.close()


def test_connection_nobody_reads_keeps_a_bounded_rest(unit: Unit) -> None:
    port = TcpPort(unit, "127.0.0.1", 0)
    port.open()
    try:
        with socket.create_connection(port.address, LIMIT_S):
            while len(port.watched()) < 2:
                port.receive()
            flood(port)
            assert port.unsent == MAX_UNSENT
    finally:
        port.close()


def test_one_conversation_too_many_is_turned_away() -> None:
    port = TcpPort(Unit(make("shoe_barcode_usb", {})), "127.0.0.1", 0)
    port.open()
    try:
        with ExitStack() as stack:
            for _ in range(MAX_CONVERSATIONS):
                stack.enter_context(socket.create_connection(port.address, LIMIT_S))
            while len(port.watched()) < MAX_CONVERSATIONS + 1:
                port.receive()
            extra = stack.enter_context(socket.create_connection(port.address, LIMIT_S))
            for _ in range(1000):
                port.receive()
            assert extra.recv(1) == b""
            assert len(port.watched()) == MAX_CONVERSATIONS + 1
    finally:
        port.close()


@pytest.fixture
def server(unit: Unit, tmp_path: Path) -> Iterator[Server]:
    made = Server(unit, PtyPort(unit, tmp_path / "shoe"))
    yield made
    made.close()


def test_more_words_than_the_loop_takes_are_refused(server: Server) -> None:
    with ThreadPoolExecutor(MAX_CALLS) as callers:
        waiting = [callers.submit(server.call, lambda: "done") for _ in range(MAX_CALLS)]
        while not server.is_full:
            threading.Event().wait(0.001)
        with pytest.raises(Busy, match="too many"):
            server.call(lambda: "one too many")
        server.open()
        loop = threading.Thread(target=server.run)
        loop.start()
        assert [each.result(LIMIT_S) for each in waiting] == ["done"] * MAX_CALLS
        server.stop()
        loop.join(LIMIT_S)
    with pytest.raises(Busy, match="stopping"):
        server.call(lambda: "too late")

"""A TCP connection to a device server (MOXA NPort and the like, in TCP server mode) as a port.

The server sends only its serial line's bytes; the line's speed is set there. Silence is normal, so
only the kernel's keep-alive can distinguish a pulled network cable from a quiet shoe.
"""

import select
import socket
import time
from typing import Final

from drivers.errors import LinkError, LinkTimeout
from drivers.io.identity import Address, Identity

CONNECT_S: Final = 2.0
"""A device server on the table's own network answers in milliseconds."""
WRITE_S: Final = 1.0
MAX_READ_BYTES: Final = 4096

KEEP_ALIVE: Final = {
    socket.TCP_KEEPIDLE: 1,
    socket.TCP_KEEPINTVL: 1,
    socket.TCP_KEEPCNT: 2,
    socket.TCP_USER_TIMEOUT: 3000,
}
"""A probe after one second of silence, then every second; two unanswered end the connection.
Unacknowledged bytes of ours end it after three seconds."""


class TcpPort:
    """`socket://HOST:PORT`."""

    def __init__(self, address: Address) -> None:
        self._where = f"{address.host}:{address.port}"
        self._socket = connected(address.host, address.port)
        try:
            self._hold = PortLock(f"tcp {self._socket.getpeername()[:2]}", self._where)
        except LinkError:
            self._socket.close()
            raise
        self._socket.setblocking(False)
        self._readable = select.poll()
        self._readable.register(self._socket, select.POLLIN)
        self.identity = Identity("tcp", self._where)

    def read(self, timeout_s: float) -> bytes:
        if not self._readable.poll(timeout_s * 1000):
            return b""
        try:
            data = self._socket.recv(MAX_READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise LinkError(f"{self._where}: {error.strerror or error}") from error
        if not data:
            raise LinkError(f"{self._where} closed the connection")
        return data

    def write(self, data: bytes) -> None:
        send_all(self._socket, data, self._where)

    def close(self) -> None:
        self._hold.release()
        self._socket.close()


def connected(host: str, port: int) -> socket.socket:
    """Return a connection with keep-alive and without delay; raises `LinkError` or
    `LinkTimeout`."""
    try:
        opened = socket.create_connection((host, port), timeout=CONNECT_S)
    except TimeoutError as error:
        raise LinkTimeout(
            f"{host}:{port} does not answer: is the device server on, and its address right?"
        ) from error
    except OSError as error:
        raise LinkError(f"{host}:{port}: {error.strerror or error}") from error
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEP_ALIVE.items():
        opened.setsockopt(socket.IPPROTO_TCP, option, value)
    return opened


def send_all(to: socket.socket, data: bytes, where: str) -> None:
    """Send everything within `WRITE_S`, on a non-blocking socket."""
    until = time.monotonic() + WRITE_S
    writable = select.poll()
    writable.register(to, select.POLLOUT)
    rest = memoryview(data)
    while rest:
        left = until - time.monotonic()
        if left <= 0 or not writable.poll(left * 1000):
            raise LinkTimeout(f"{where} takes no more bytes: {len(rest)} of {len(data)} not sent")
        try:
            rest = rest[to.send(rest) :]
        except BlockingIOError:
            continue
        except OSError as error:
            raise LinkError(f"{where}: {error.strerror or error}") from error


class PortLock:
    """One program at a time on this machine, where the system has no lock of its own.

    A device server takes several clients, and so a monitor could read along at a live table. The
    name lives in Linux's abstract socket namespace: it goes away with the process that holds it.
    """

    def __init__(self, name: str, where: str) -> None:
        self._held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._held.bind(f"\0sabot port {name}"[:107])
        except OSError as error:
            self._held.close()
            raise LinkError(
                f"{where} is in use by another program on this machine: a table in play?"
            ) from error

    def release(self) -> None:
        self._held.close()

"""A USB/IP server that says exactly what a test wants, for answers no real one gives."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from support.devices.emulated import LIMIT_S

DEVICE = (
    b"/sys/devices/usb1/1-1".ljust(256, b"\0")
    + b"1-1".ljust(32, b"\0")
    + struct.pack(">IIIHHHBBBBBB", 1, 2, 2, 0x1209, 1, 0x0100, 0, 0, 0, 1, 1, 1)
)
LISTED = struct.pack(">HHII", 0x0111, 0x0005, 0, 1) + DEVICE + b"\3\1\1\0"
IMPORTED = struct.pack(">HHI", 0x0111, 0x0003, 0) + DEVICE

DEVICE_DESCRIPTOR = bytes.fromhex("12 01 1001 00 00 00 08 0912 0100 0001 00 00 00 01")
CONFIGURATION = bytes.fromhex(
    "09 02 2200 01 01 00 80 3209 04 00 00 01 03 01 01 0009 21 1101 00 01 22 400007 05 81 03 0800 0a"
)


def submitted(number: int, data: bytes, status: int = 0, tail: tuple[int, int] = (0, -1)) -> bytes:
    """An answer to a transfer; `tail` is start_frame and number_of_packets, which sources write
    either way round."""
    head = struct.pack(">5IiIii12x", 3, number, 0, 0, 0, status, len(data), *tail)
    return head + data


def unlinked(number: int, status: int) -> bytes:
    return struct.pack(">5Ii24x", 4, number, 0, 0, 0, status)


class Host:
    """One connection, request by request."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def take(self, count: int) -> bytes:
        out = b""
        while len(out) < count:
            came = self._connection.recv(count - len(out))
            if not came:
                raise ConnectionError("the client hung up")
            out += came
        return out

    def request(self) -> int:
        code: int = struct.unpack(">HHI", self.take(8))[1]
        if code == 0x8003:
            self.take(32)
        return code

    def transfer(self) -> tuple[int, int, int, bytes]:
        """Command, number, endpoint and setup bytes; of an UNLINK the number it takes back."""
        raw = self.take(48)
        command, number, _, inward, endpoint = struct.unpack_from(">5I", raw)
        length = struct.unpack_from(">I", raw, 24)[0]
        if command == 1 and not inward:
            self.take(length)
        return command, number, endpoint, raw[40:48] if command == 1 else raw[20:24]

    def say(self, data: bytes) -> None:
        self._connection.sendall(data)

    def imported(self, tail: tuple[int, int] = (0, -1)) -> tuple[int, int, int, bytes]:
        """Answer list, import and control transfers as a keyboard would; gives the first transfer
        on another endpoint, unanswered."""
        assert self.request() == 0x8003
        self.say(IMPORTED)
        while True:
            command, number, endpoint, setup = self.transfer()
            if endpoint or command != 1:
                return command, number, endpoint, setup
            asked, length = setup[1:4], int.from_bytes(setup[6:8], "little")
            known = {b"\6\0\1": DEVICE_DESCRIPTOR, b"\6\0\2": CONFIGURATION, b"\x08\0\0": b"\1"}
            self.say(submitted(number, known.get(asked, b"")[:length], tail=tail))


@contextmanager
def serving(*scripts: Callable[[Host], None]) -> Iterator[tuple[str, int]]:
    """Each connection is played by the next script; the first may be `lists`."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(LIMIT_S)
        errors: list[BaseException] = []

        def play() -> None:
            try:
                for script in scripts:
                    connection, _ = listening.accept()
                    connection.settimeout(LIMIT_S)
                    with connection:
                        script(Host(connection))
            except BaseException as error:  # noqa: BLE001  told below, in the test's own thread
                errors.append(error)

        thread = threading.Thread(target=play)
        thread.start()
        try:
            yield listening.getsockname()
        finally:
            thread.join(LIMIT_S)
        assert not errors, errors


def lists(host: Host) -> None:
    assert host.request() == 0x8005
    host.say(LISTED)

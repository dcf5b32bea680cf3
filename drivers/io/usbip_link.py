"""USB over TCP: a client of USB/IP 1.1.1 without a kernel module or a USB library.

The exporting machine listens on TCP. A first connection may request the list of exports (DEVLIST).
To use a device, a connection imports it by bus id (IMPORT) and then carries its transfers: SUBMIT
and its answer, matched by number, and UNLINK to cancel one. All numbers are big-endian; the eight
setup bytes of a control transfer are as USB has them. The fields for isochronous transfers are
unused here: the specification has 0 and -1 and its own example has them the other way round, so
they are sent by the specification and ignored in answers.

A read that times out leaves its transfer with the device, and the next read continues it:
cancelling could lose a packet that is in transit, and a packet may be a card.
"""

import errno
import select
import struct
import time
from array import array
from dataclasses import dataclass
from threading import RLock
from typing import Final

from drivers.errors import DeviceError, LinkError, LinkTimeout
from drivers.io.tcp import connected, send_all

VERSION: Final = 0x0111
REQUEST_DEVLIST, REPLY_DEVLIST = 0x8005, 0x0005
REQUEST_IMPORT, REPLY_IMPORT = 0x8003, 0x0003
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4

REPLY_S: Final = 5.0
"""How long a server may take for a list, an import or cancelling a transfer."""
MAX_DEVICES: Final = 256

_OP: Final = struct.Struct(">HHI")
_DEVICE: Final = struct.Struct(">256s32sIIIHHHBBBBBB")
_INTERFACE: Final = struct.Struct(">BBBx")
_SUBMIT: Final = struct.Struct(">5I II i i I 8s")
_UNLINK: Final = struct.Struct(">5I I 24x")
_ANSWER: Final = struct.Struct(">5I i I 20x")
_BUSY: Final = (1, 2)
_IN: Final = 0x80


class TransferFailed(DeviceError):
    """An error of the device or its server; `number` is its errno."""

    def __init__(self, number: int) -> None:
        super().__init__(errno.errorcode.get(number, f"USB/IP status {number}"))
        self.number = number


@dataclass(frozen=True, slots=True)
class Exported:
    """One device that a server offers."""

    busid: str
    busnum: int
    devnum: int
    speed: int
    vid: int
    pid: int
    interfaces: tuple[tuple[int, int, int], ...] = ()
    """Class, subclass and protocol of each."""

    @property
    def usb_id(self) -> str:
        return f"{self.vid:04x}:{self.pid:04x}"

    @staticmethod
    def from_bytes(data: bytes, interfaces: tuple[tuple[int, int, int], ...] = ()) -> "Exported":
        _path, busid, busnum, devnum, speed, vid, pid, *_ = _DEVICE.unpack(data)
        name = busid.split(b"\0", 1)[0].decode("ascii", "replace")
        return Exported(name, busnum, devnum, speed, vid, pid, interfaces)


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    length: int
    data: bytes


class _Stream:
    """The bytes of one connection, in pieces of known size."""

    def __init__(self, host: str, port: int) -> None:
        self.where = f"{host}:{port}"
        self._socket = connected(host, port)
        self._socket.setblocking(False)
        self._readable = select.poll()
        self._readable.register(self._socket, select.POLLIN)
        self._kept = bytearray()

    def send(self, data: bytes) -> None:
        send_all(self._socket, data, self.where)

    def has(self, count: int, until: float) -> bool:
        """Return whether this number of bytes is there by `until`; raises `LinkError` if they
        cannot come."""
        while len(self._kept) < count:
            left = max(0.0, until - time.monotonic())
            if not self._readable.poll(left * 1000):
                return False
            try:
                arrived = self._socket.recv(65536)
            except BlockingIOError:
                continue
            except OSError as error:
                raise LinkError(f"{self.where}: {error.strerror or error}") from error
            if not arrived:
                raise LinkError(f"{self.where} closed the USB/IP connection")
            self._kept += arrived
        return True

    def peek(self, count: int) -> bytes:
        return bytes(self._kept[:count])

    def take(self, count: int, until: float) -> bytes:
        if not self.has(count, until):
            raise LinkError(f"{self.where} does not answer: is it a USB/IP server?")
        taken = bytes(self._kept[:count])
        del self._kept[:count]
        return taken

    def close(self) -> None:
        self._socket.close()


def _asked(stream: _Stream, request: int, reply: int, body: bytes = b"") -> int:
    """Send a request and return the status of its answer; raises `LinkError` for anything else."""
    stream.send(_OP.pack(VERSION, request, 0) + body)
    version, code, status = _OP.unpack(stream.take(_OP.size, time.monotonic() + REPLY_S))
    if code != reply or version >> 8 != VERSION >> 8:
        raise LinkError(
            f"{stream.where} answers {code:#06x} in version {version:#06x}: no USB/IP server "
            f"we know (1.1.1, {VERSION:#06x})"
        )
    return int(status)


def exported(host: str, port: int) -> list[Exported]:
    """Return what the server offers; raises `LinkError`."""
    stream = _Stream(host, port)
    try:
        if status := _asked(stream, REQUEST_DEVLIST, REPLY_DEVLIST):
            raise LinkError(f"{stream.where} gives no list of devices (status {status})")
        until = time.monotonic() + REPLY_S
        (count,) = struct.unpack(">I", stream.take(4, until))
        if count > MAX_DEVICES:
            raise LinkError(f"{stream.where} lists {count} devices; more than {MAX_DEVICES} is odd")
        return [_listed(stream, until) for _ in range(count)]
    finally:
        stream.close()


def _listed(stream: _Stream, until: float) -> Exported:
    raw = stream.take(_DEVICE.size, until)
    ends = [_INTERFACE.unpack(stream.take(_INTERFACE.size, until)) for _ in range(raw[-1])]
    return Exported.from_bytes(raw, tuple(ends))


class Imported:
    """One imported device: its connection and the transfers in progress."""

    def __init__(self, host: str, port: int, busid: str) -> None:
        self._stream = _Stream(host, port)
        self._lock = RLock()
        self._number = 0
        self._reads: dict[int, int] = {}
        """Transfers in progress with the maximum of bytes each may bring: 0 for outgoing ones."""
        self._left: dict[int, int] = {}
        """Reads that timed out, by endpoint."""
        self._answers: dict[int, _Answer] = {}
        self._unlinked: dict[int, int] = {}
        try:
            name = busid.encode().ljust(32, b"\0")
            if status := _asked(self._stream, REQUEST_IMPORT, REPLY_IMPORT, name):
                raise TransferFailed(errno.EBUSY if status in _BUSY else errno.ENODEV)
            raw = self._stream.take(_DEVICE.size, time.monotonic() + REPLY_S)
        except DeviceError:
            self._stream.close()
            raise
        device = Exported.from_bytes(raw)
        self._devid = device.busnum << 16 | device.devnum

    def read(self, endpoint: int, buffer: "array[int]", timeout_ms: int) -> int:
        with self._lock:
            number = self._left.pop(endpoint, 0) or self._submit(endpoint, _size(buffer))
            answer = self._answer(number, timeout_ms)
            if answer is None:
                self._left[endpoint] = number
                raise LinkTimeout("nothing to read")
            return _filled(buffer, answer)

    def write(self, endpoint: int, data: bytes, timeout_ms: int) -> int:
        with self._lock:
            return self._done(self._submit(endpoint, 0, data), timeout_ms).length

    def control(self, setup: bytes, data: "array[int]", timeout_ms: int) -> int:
        with self._lock:
            if setup[0] & _IN:
                number = self._submit(_IN, _size(data), setup=setup)
                return _filled(data, self._done(number, timeout_ms))
            number = self._submit(0, 0, data.tobytes(), setup)
            return self._done(number, timeout_ms).length

    def close(self) -> None:
        """Cancel what is in progress, then close the connection."""
        with self._lock:
            try:
                for number in tuple(self._left.values()):
                    self._unlink(number)
            except DeviceError:
                pass  # it is gone already
            self._stream.close()

    def _submit(self, endpoint: int, most: int, data: bytes = b"", setup: bytes = bytes(8)) -> int:
        self._number = number = self._number % 0xFFFF_FFFF + 1
        inward = bool(endpoint & _IN)
        head = (SUBMIT, number, self._devid, int(inward), endpoint & 0x0F)
        length = most if inward else len(data)
        self._stream.send(_SUBMIT.pack(*head, 0, length, 0, -1, 0, setup) + data)
        self._reads[number] = most if inward else 0
        return number

    def _done(self, number: int, timeout_ms: int) -> _Answer:
        """Return the answer, or cancel the transfer and raise `LinkTimeout`."""
        answer = self._answer(number, timeout_ms)
        if answer is None:
            self._unlink(number)
            answer = self._answers.pop(number, None)  # it was done before it could be cancelled
        if answer is None:
            raise LinkTimeout("no answer from the device")
        if answer.status:
            raise TransferFailed(-answer.status)
        return answer

    def _answer(self, number: int, timeout_ms: int) -> _Answer | None:
        until = time.monotonic() + timeout_ms / 1000
        while number not in self._answers:
            if not self._receive(until):
                return None
        return self._answers.pop(number)

    def _unlink(self, number: int) -> None:
        self._number = own = self._number % 0xFFFF_FFFF + 1
        self._stream.send(_UNLINK.pack(UNLINK, own, self._devid, 0, 0, number))
        until = time.monotonic() + REPLY_S
        while own not in self._unlinked:
            if not self._receive(until):
                raise LinkError(f"{self._stream.where} does not take a transfer back")
        del self._unlinked[own]
        self._reads.pop(number, None)

    def _receive(self, until: float) -> bool:
        """Receive one answer; False when none comes by then."""
        if not self._stream.has(_ANSWER.size, until):
            return False
        head = self._stream.peek(_ANSWER.size)
        command, number, _, _, _, status, length = _ANSWER.unpack(head)
        if command == UNLINKED:
            self._stream.take(_ANSWER.size, until)
            self._unlinked[number] = status
            return True
        most = self._reads.get(number)
        if command != SUBMITTED or most is None or (most and length > most):
            raise LinkError(f"{self._stream.where} broke the USB/IP protocol")
        size = _ANSWER.size + (length if most else 0)
        if not self._stream.has(size, until):
            return False
        data = self._stream.take(size, until)[_ANSWER.size :]
        del self._reads[number]
        self._answers[number] = _Answer(status, length, data)
        return True


def _size(buffer: "array[int]") -> int:
    return len(buffer) * buffer.itemsize


def _filled(buffer: "array[int]", answer: _Answer) -> int:
    if answer.status:
        raise TransferFailed(-answer.status)
    if len(answer.data) > len(buffer):
        raise TransferFailed(errno.EOVERFLOW)
    buffer[: len(answer.data)] = array("B", answer.data)
    return len(answer.data)

"""A USB/IP 1.1.1 server for one emulated device, as a conversation in bytes.

Debian's `usbip list -r` lists it, `usbip attach` makes it a real device of a kernel that has
`vhci-hcd`, and any user-space client can use it. It follows the kernel's public description of the
protocol; all numbers are big-endian. As a real server does, it omits an imported device from its
list, and disconnects when the device is unplugged.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

VERSION: Final = 0x0111
MAX_HEARD: Final = 65_536
"""Maximum input: no transfer to a keyboard is nearly as long, so more is not USB/IP."""
MAX_PENDING: Final = 64
FULL_SPEED: Final = 2

OK, BUSY, NO_DEVICE = 0, 2, 4
STALLED, TAKEN_BACK, GONE = -32, -104, -19


class UsbDevice(Protocol):
    """A device with one configuration, one interface and interrupt endpoints to read."""

    vid: int
    pid: int

    def device_descriptor(self) -> bytes: ...

    def configuration_descriptor(self) -> bytes: ...

    def control(self, setup: bytes, data: bytes) -> bytes | None:
        """Return the answer; None is a stall."""


@dataclass(slots=True)
class Socket:
    """The device's USB socket, shared by all conversations."""

    device: UsbDevice
    packet: Callable[[int], bytes | None]
    """Returns the next packet of an endpoint, or None."""
    reset: Callable[[], None]
    """Resets the device at an import, which drops all unread packets."""
    busid: str = "1-1"
    busnum: int = 1
    devnum: int = 2
    plugged: bool = True
    imported_by: "UsbipServer | None" = None


class UsbipServer:
    """One connection."""

    def __init__(self, socket: Socket) -> None:
        self.finished = False
        self._socket = socket
        self._heard = bytearray()
        self._said = bytearray()
        self._pending: dict[int, tuple[int, int]] = {}
        """Reads that wait for a packet: endpoint and length by number, in order."""

    def hear(self, data: bytes) -> None:
        self._heard += data
        while not self.finished and self._understood():
            pass
        if len(self._heard) > MAX_HEARD:
            self.finished = True

    def step(self, dt: float) -> bytes:  # noqa: ARG002
        if self._imported and not self._socket.plugged:
            self.finished = True
        if self._imported:
            self._answer_pending()
        data = bytes(self._said)
        self._said.clear()
        return data

    def ended(self) -> None:
        if self._imported:
            self._socket.imported_by = None

    @property
    def _imported(self) -> bool:
        return self._socket.imported_by is self

    # --- before the import --------------------------------------------------------------------

    def _understood(self) -> bool:
        """Process one complete request from the input; False when it is incomplete."""
        if self._imported:
            return self._transfer_understood()
        if len(self._heard) < 8:
            return False
        version, code, _ = struct.unpack_from(">HHI", self._heard)
        if version != VERSION or code not in (0x8005, 0x8003):
            self.finished = True
            return False
        if code == 0x8005:
            del self._heard[:8]
            self._list()
            return True
        if len(self._heard) < 40:
            return False
        name = bytes(self._heard[8:40]).split(b"\0", 1)[0]
        del self._heard[:40]
        self._import(name)
        return True

    def _list(self) -> None:
        socket = self._socket
        offered = socket.plugged and socket.imported_by is None
        self._said += struct.pack(">HHII", VERSION, 0x0005, OK, int(offered))
        if offered:
            self._said += self._described() + bytes([3, 1, 1, 0])
        self.finished = True

    def _import(self, name: bytes) -> None:
        socket = self._socket
        if not socket.plugged or name != socket.busid.encode():
            status = NO_DEVICE
        else:
            status = OK if socket.imported_by is None else BUSY
        self._said += struct.pack(">HHI", VERSION, 0x0003, status)
        if status != OK:
            self.finished = True
            return
        self._said += self._described()
        socket.imported_by = self
        socket.reset()

    def _described(self) -> bytes:
        socket, raw = self._socket, self._socket.device.device_descriptor()
        path = f"/sys/devices/pci0000:00/0000:00:14.0/usb{socket.busnum}/{socket.busid}"
        names = path.encode().ljust(256, b"\0") + socket.busid.encode().ljust(32, b"\0")
        place = struct.pack(">III", socket.busnum, socket.devnum, FULL_SPEED)
        ids = struct.pack(">HHH", socket.device.vid, socket.device.pid, 0x0100)
        return names + place + ids + raw[4:7] + bytes([1, 1, 1])

    # --- transfers ----------------------------------------------------------------------------

    def _transfer_understood(self) -> bool:
        if len(self._heard) < 48:
            return False
        command, number, _, direction, endpoint = struct.unpack_from(">5I", self._heard)
        if command == 2:
            (which,) = struct.unpack_from(">I", self._heard, 20)
            del self._heard[:48]
            taken = self._pending.pop(which, None) is not None
            self._said += struct.pack(">5Ii24x", 4, number, 0, 0, 0, TAKEN_BACK if taken else 0)
            return True
        (length,) = struct.unpack_from(">I", self._heard, 24)
        size = 48 + (0 if direction else length)
        if command != 1 or length > MAX_HEARD:
            self.finished = True
            return False
        if len(self._heard) < size:
            return False
        setup, data = bytes(self._heard[40:48]), bytes(self._heard[48:size])
        del self._heard[:size]
        self._submit(number, endpoint, bool(direction), length, setup, data)
        return True

    def _submit(
        self, number: int, endpoint: int, inward: bool, length: int, setup: bytes, data: bytes
    ) -> None:
        if endpoint == 0:
            answer = self._socket.device.control(setup, data)
            if answer is None:
                self._answer(number, STALLED, 0)
            else:
                self._answer(number, OK, len(answer) if inward else length, answer)
        elif not inward or len(self._pending) >= MAX_PENDING:
            self._answer(number, STALLED, 0)
        else:
            self._pending[number] = (endpoint, length)

    def _answer_pending(self) -> None:
        for number, (endpoint, length) in tuple(self._pending.items()):
            packet = self._socket.packet(endpoint)
            if packet is None:
                return
            del self._pending[number]
            self._answer(number, OK, min(length, len(packet)), packet[:length])

    def _answer(self, number: int, status: int, length: int, data: bytes = b"") -> None:
        head = (3, number, 0, 0, 0)
        self._said += struct.pack(">5IiIii12x", *head, status, length, 0, -1) + data

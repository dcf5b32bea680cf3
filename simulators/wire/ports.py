"""The host's ports to an emulator: a pseudo-terminal, a TCP port, a real serial port.

A port never blocks. Bytes that the host does not read are stored up to a limit and then lost, as on
a serial line without flow control. `pull` is a pulled cable; `open` plugs it in at the same place.
"""

import contextlib
import errno
import os
import select
import socket
import tty
from pathlib import Path
from typing import Final, Protocol

import serial

from simulators.kit.contract import Conversation, Conversing
from simulators.wire.unit import Unit

READ_BYTES: Final = 4096
MAX_UNSENT: Final = 65_536
MAX_CLIENTS: Final = 4
"""Maximum number of clients; as with a real serial device server, all receive the same bytes."""
MAX_CONVERSATIONS: Final = 16


class PortError(Exception):
    """A port that cannot be opened, with the reason."""


class Port(Protocol):
    """One end of a cable, with an address on this machine."""

    @property
    def where(self) -> str:
        """The address for a host: a path, or `socket://127.0.0.1:4001`."""

    def open(self) -> None:
        """Open the port; raises `PortError`."""

    def pull(self) -> None:
        """Disconnect the host's end, if it is connected."""

    def close(self) -> None:
        """Disconnect for good and free the address."""

    def watched(self) -> list[int]:
        """Return the descriptors to poll."""

    def receive(self) -> bytes:
        """Return bytes from the host; a new host is reported to the unit."""

    def send(self, data: bytes) -> None: ...

    def drained(self) -> bool:
        """Whether the host has read everything; only then does a cut cable lose no byte before the
        cut."""

    @property
    def at_rest(self) -> bool:
        """Whether nothing waits to be sent, and every action of a host wakes a watched
        descriptor."""

    def talk(self, dt: float) -> None:
        """Advance time for ports with a conversation for each connection."""


def _write(descriptor: int, unsent: bytearray, data: bytes) -> None:
    """Append to the unsent bytes, and write as many as the descriptor accepts."""
    unsent += data[: MAX_UNSENT - len(unsent)]
    if unsent:
        with contextlib.suppress(BlockingIOError):
            del unsent[: os.write(descriptor, unsent)]


class PtyPort:
    """A pseudo-terminal behind a symbolic link, so that its path outlives the terminal."""

    def __init__(self, unit: Unit, link: Path) -> None:
        self._unit = unit
        self._link = link
        self._master: int | None = None
        self._slave_path = ""
        self._hosted = False
        self._unsent = bytearray()

    @property
    def where(self) -> str:
        return str(self._link)

    def open(self) -> None:
        if self._link.is_symlink() or not self._link.exists():
            self._link.unlink(missing_ok=True)
        else:
            raise PortError(f"{self._link} exists and is no symbolic link; choose another name")
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self._slave_path = os.ttyname(slave)
        # Once the terminal was opened and closed, POLLHUP shows whether a host has it open.
        os.close(slave)
        os.set_blocking(self._master, False)
        try:
            self._link.symlink_to(self._slave_path)
        except OSError as error:
            raise PortError(f"cannot make the link {self._link}: {error.strerror}") from error

    def pull(self) -> None:
        if self._master is None:
            return
        self._link.unlink(missing_ok=True)
        os.close(self._master)
        self._master, self._hosted = None, False
        self._unsent.clear()

    def close(self) -> None:
        self.pull()

    def watched(self) -> list[int]:
        return [self._master] if self._master is not None and self._hosted else []

    def receive(self) -> bytes:
        if self._master is None or not self._notice_host():
            return b""
        try:
            return os.read(self._master, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            if error.errno != errno.EIO:  # EIO: the host closed its end between two calls
                raise
            return b""

    def send(self, data: bytes) -> None:
        """Send bytes; without a host they are lost, because no kernel stores them for the next
        one."""
        if self._master is None or not self._notice_host():
            return
        _write(self._master, self._unsent, data)

    def drained(self) -> bool:
        if self._master is None or not self._notice_host():
            return True
        slave = os.open(self._slave_path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            # Not FIONREAD: it overlooks bytes that the kernel is still carrying across.
            poll = select.poll()
            poll.register(slave, select.POLLIN)
            unread = bool(poll.poll(0))
        finally:
            os.close(slave)
        return not (self._unsent or unread)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is pending. A new host at a terminal wakes no descriptor, so a terminal
        without a host is polled."""
        return self._master is None or (self._hosted and not self._unsent)

    def talk(self, dt: float) -> None:
        """Do nothing: a terminal has one host."""

    def _notice_host(self) -> bool:
        assert self._master is not None
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        hosted = not any(event & select.POLLHUP for _, event in poll.poll(0))
        if hosted and not self._hosted:
            self._unit.plugged()
        if not hosted:
            self._unsent.clear()
        self._hosted = hosted
        return hosted


class SerialPort:
    """A real serial port: the emulator at the other end of a null-modem cable."""

    def __init__(self, device: str, baud: int) -> None:
        self._device = device
        self._baud = baud
        self._serial: serial.Serial | None = None
        self._unsent = bytearray()

    @property
    def where(self) -> str:
        return self._device

    def open(self) -> None:
        try:
            self._serial = serial.Serial(self._device, self._baud, timeout=0, exclusive=True)
        except (serial.SerialException, ValueError) as error:
            raise PortError(f"cannot open {self._device}: {error}") from error

    def pull(self) -> None:
        if self._serial is not None:
            self._serial.close()
            self._serial = None
            self._unsent.clear()

    def close(self) -> None:
        self.pull()

    def watched(self) -> list[int]:
        return [self._serial.fileno()] if self._serial is not None else []

    def receive(self) -> bytes:
        if self._serial is None:
            return b""
        try:
            return bytes(self._serial.read(READ_BYTES))
        except serial.SerialException as error:
            raise PortError(f"{self._device} is gone: {error}") from error

    def send(self, data: bytes) -> None:
        if self._serial is None:
            return
        try:
            _write(self._serial.fileno(), self._unsent, data)
        except OSError as error:
            raise PortError(f"{self._device} is gone: {error.strerror}") from error

    def drained(self) -> bool:
        return self._serial is None or not (self._unsent or self._serial.out_waiting)

    @property
    def at_rest(self) -> bool:
        return not self._unsent

    def talk(self, dt: float) -> None:
        """Do nothing: a line has one host."""


class _Client:
    """One TCP connection, with its own conversation where the device has them."""

    def __init__(self, connection: socket.socket, conversation: Conversation | None) -> None:
        self.connection = connection
        self.conversation = conversation
        self.gone = False
        self._unsent = bytearray()

    def receive(self) -> bytes:
        try:
            data = self.connection.recv(READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        self.gone = not data
        return data

    def send(self, data: bytes) -> None:
        self._unsent += data[: MAX_UNSENT - len(self._unsent)]
        if not self._unsent:
            return
        try:
            del self._unsent[: self.connection.send(self._unsent)]
        except BlockingIOError:
            return
        except OSError:
            self.gone = True

    @property
    def unsent(self) -> int:
        return len(self._unsent)

    def talk(self, dt: float) -> None:
        if self.conversation is None:
            return
        heard = self.receive()
        if heard:
            self.conversation.hear(heard)
        self.send(self.conversation.step(dt))
        self.gone = self.gone or (self.conversation.finished and not self._unsent)

    def close(self) -> None:
        if self.conversation is not None:
            self.conversation.ended()
        self.connection.close()


class TcpPort:
    """A serial device server, or a device that is a server itself."""

    def __init__(self, unit: Unit, host: str, port: int) -> None:
        self._unit = unit
        self._place = self._reserve(host, port)
        self._listener: socket.socket | None = None
        self._clients: list[_Client] = []

    @staticmethod
    def _reserve(host: str, port: int) -> socket.socket:
        """Reserve the port number while the cable is out, so that no other program gets it."""
        place = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            place.bind((host, port))
        except OSError as error:
            place.close()
            raise PortError(f"cannot listen on {host}:{port}: {error.strerror}") from error
        return place

    @property
    def address(self) -> tuple[str, int]:
        host, port = self._place.getsockname()
        return host, port

    @property
    def where(self) -> str:
        host, port = self.address
        emulator = self._unit.emulator
        if isinstance(emulator, Conversing):
            return emulator.url(host, port)
        return f"socket://{host}:{port}"

    def open(self) -> None:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(self.address)
            listener.listen()
        except OSError as error:
            listener.close()
            raise PortError(f"cannot listen on {self.where}: {error.strerror}") from error
        listener.setblocking(False)
        self._listener = listener

    def pull(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        for client in self._clients:
            client.close()
        self._clients.clear()

    def close(self) -> None:
        self.pull()
        self._place.close()

    def watched(self) -> list[int]:
        listening = [] if self._listener is None else [self._listener.fileno()]
        return listening + [client.connection.fileno() for client in self._clients]

    def receive(self) -> bytes:
        self._accept()
        heard = b"".join(
            client.receive() for client in self._clients if client.conversation is None
        )
        self._forget_the_gone()
        return heard

    def send(self, data: bytes) -> None:
        for client in self._clients:
            if client.conversation is None:
                client.send(data)
        self._forget_the_gone()

    @property
    def unsent(self) -> int:
        """Number of bytes that wait for slow clients."""
        return sum(client.unsent for client in self._clients)

    def drained(self) -> bool:
        return not self.unsent

    @property
    def at_rest(self) -> bool:
        return not self.unsent

    def talk(self, dt: float) -> None:
        for client in self._clients:
            client.talk(dt)
        self._forget_the_gone()

    def _accept(self) -> None:
        if self._listener is None:
            return
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        emulator = self._unit.emulator
        own = isinstance(emulator, Conversing)
        if len(self._clients) >= (MAX_CONVERSATIONS if own else MAX_CLIENTS):
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        talk = emulator.conversation() if isinstance(emulator, Conversing) else None
        self._clients.append(_Client(connection, talk))
        self._unit.plugged()

    def _forget_the_gone(self) -> None:
        for client in [each for each in self._clients if each.gone]:
            client.close()
            self._clients.remove(client)

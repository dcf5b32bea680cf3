"""Ports for real: pseudo-terminals, TCP, RFC 2217. What a terminal cannot do is put in its place:
parity, an error of the kernel, libusb's errors."""

import errno
import os
import select
import socket
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial
import serial.rfc2217
import usb.core
from pytest_mock import MockerFixture

from drivers.errors import LinkError, LinkTimeout, WrongDevice
from drivers.io import ports
from drivers.io.identity import Identity, LineSettings, Port
from drivers.io.ports import open_port
from drivers.io.tcp import KEEP_ALIVE
from support.devices.emulated import LIMIT_S
from support.devices.pseudo_terminal import Terminal, terminal
from support.devices.usb_devices import Scanner, plug


@pytest.fixture
def line() -> Iterator[Terminal]:
    with terminal() as made:
        yield made


def read(port: Port, count: int) -> bytes:
    out = b""
    while len(out) < count:
        came = port.read(LIMIT_S)
        assert came, f"only {out!r} came"
        out += came
    return out


# --- serial -----------------------------------------------------------------------------------


def test_serial_port_carries_every_byte_both_ways(line: Terminal) -> None:
    every = bytes(range(256))
    with closing(open_port(line.path)) as port:
        line.say(every)
        assert read(port, 256) == every
        port.write(every)
        assert line.heard(256) == every
        assert port.read(0) == b""


def test_baud_is_set_as_asked(line: Terminal) -> None:
    with closing(open_port(line.path, LineSettings(baud=4800))):
        assert line.attributes()[4:6] == [termios.B4800, termios.B4800]


def test_second_program_is_refused_in_words(line: Terminal) -> None:
    with closing(open_port(line.path)), pytest.raises(LinkError, match="in use by another"):
        open_port(line.path)
    open_port(line.path).close()


def test_pulled_cable_is_a_link_error_for_reader_and_writer(line: Terminal) -> None:
    with closing(open_port(line.path)) as port:
        line.pull()
        with pytest.raises(LinkError, match=line.path):
            port.read(LIMIT_S)
        with pytest.raises(LinkError, match=line.path):
            port.write(b"x")


def test_write_that_nobody_takes_times_out(line: Terminal) -> None:
    with closing(open_port(line.path)) as port, pytest.raises(LinkTimeout, match="no more bytes"):
        port.write(bytes(1 << 22))


def test_write_after_close_is_an_error(line: Terminal) -> None:
    port = open_port(line.path)
    port.close()
    with pytest.raises(LinkError):
        port.write(b"x")


def test_missing_path_lists_what_there_is(tmp_path: Path, mocker: MockerFixture) -> None:
    there = _comport("/dev/ttyUSB7", vid=0x0403, pid=0x6001, serial_number="A5", location="1-2")
    mocker.patch("drivers.io.ports.comports", return_value=[there])
    with pytest.raises(WrongDevice, match=r"found: /dev/ttyUSB7 0403:6001 serial A5 in socket 1-2"):
        open_port(str(tmp_path / "ttyUSB0"))


def test_path_that_is_no_terminal_cannot_be_opened(tmp_path: Path) -> None:
    plain = tmp_path / "file"
    plain.touch()
    with pytest.raises(LinkError, match="cannot be opened"):
        open_port(str(plain))


def test_name_is_looked_up_by_id(tmp_path: Path) -> None:
    for name in ("usb-FTDI_A50-if00", "usb-FTDI_A51-if00", "usb-FTDI_A5"):
        (tmp_path / name).touch()
    assert ports.serial_path("A50", tmp_path) == str(tmp_path / "usb-FTDI_A50-if00")
    assert ports.serial_path("usb-FTDI_A5", tmp_path) == str(tmp_path / "usb-FTDI_A5")
    with pytest.raises(WrongDevice, match=r"3 serial ports are called 'FTDI'.*A50-if00.*A51-if00"):
        ports.serial_path("FTDI", tmp_path)
    with pytest.raises(WrongDevice, match=r"no serial port is called 'moxa'.*usb-FTDI_A5"):
        ports.serial_path("moxa", tmp_path)
    with pytest.raises(WrongDevice, match="found: none"):
        ports.serial_path("any", tmp_path / "missing")


def _comport(device: str, **facts: Any) -> SimpleNamespace:
    empty = dict.fromkeys(("vid", "pid", "serial_number", "location", "product"))
    return SimpleNamespace(device=device, **{**empty, **facts})


def test_adapter_is_described_and_only_the_enrolled_one_is_opened(
    line: Terminal, mocker: MockerFixture
) -> None:
    facts = {"vid": 0x0403, "pid": 0x6001, "serial_number": "A50285BI", "location": "1-1.2"}
    mocker.patch("drivers.io.ports.comports", return_value=[_comport(line.path, **facts)])
    enrolled = "usb 0403:6001:A50285BI"
    with closing(open_port(line.path, enrolled=enrolled)) as port:
        assert port.identity == Identity("serial", line.path, "0403:6001", "A50285BI", "1-1.2")
    with pytest.raises(WrongDevice, match="A50285BI, and enrolled is usb 0403:6001:OTHER"):
        open_port(line.path, enrolled="usb 0403:6001:OTHER")
    open_port(line.path).close()  # the refused one was closed again


def test_line_arguments_reach_the_library(mocker: MockerFixture, line: Terminal) -> None:
    """Linux forces 8N1 on a pseudo-terminal, so only the arguments can be looked at."""
    opened = mocker.patch("drivers.io.ports.serial.Serial")
    opened.return_value.fileno.return_value = os.open(line.path, os.O_RDWR | os.O_NOCTTY)
    try:
        open_port(line.path, LineSettings(9600, 7, "E", 2))
    finally:
        os.close(opened.return_value.fileno.return_value)
    _, given = opened.call_args
    assert (given["baudrate"], given["bytesize"], given["parity"], given["stopbits"]) == (
        *(9600, 7, "E"),
        2,
    )
    assert given["exclusive"] is True


def test_error_of_the_kernel_is_a_link_error(line: Terminal, mocker: MockerFixture) -> None:
    with closing(open_port(line.path)) as port:
        mocker.patch("drivers.io.ports.os.read", side_effect=OSError(errno.EIO, "I/O error"))
        line.say(b"x")
        with pytest.raises(LinkError, match="I/O error"):
            port.read(LIMIT_S)


def test_forbidden_port_says_which_group_helps(line: Terminal, mocker: MockerFixture) -> None:
    refusal = serial.SerialException(errno.EACCES, "Permission denied")
    mocker.patch("drivers.io.ports.serial.Serial", side_effect=refusal)
    with pytest.raises(LinkError, match="dialout"):
        open_port(line.path)


# --- TCP --------------------------------------------------------------------------------------


@contextmanager
def device_server() -> Iterator[tuple[str, socket.socket]]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(LIMIT_S)
        yield f"socket://127.0.0.1:{listening.getsockname()[1]}", listening


@contextmanager
def closed_port() -> Iterator[str]:
    """Where nobody listens, and nobody else can as long as it is needed."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield f"socket://127.0.0.1:{kept.getsockname()[1]}"


def accepted(listening: socket.socket) -> socket.socket:
    far, _ = listening.accept()
    far.settimeout(LIMIT_S)
    return far


def test_device_server_carries_bytes_both_ways() -> None:
    with device_server() as (url, listening), closing(open_port(url)) as port:
        with accepted(listening) as far:
            far.sendall(b"\x05\x31")
            assert read(port, 2) == b"\x05\x31"
            port.write(b"\x06")
            assert far.recv(10) == b"\x06"
            assert port.read(0) == b""
            assert port.identity.enrolment == url.replace("socket://", "tcp ")
        with pytest.raises(LinkError, match="closed the connection"):
            port.read(LIMIT_S)


def test_device_server_is_watched_by_keep_alive_and_sent_to_at_once() -> None:
    with device_server() as (url, _), closing(open_port(url)) as port:
        used: socket.socket = port._socket  # type: ignore[attr-defined]
        assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        for option, value in KEEP_ALIVE.items():
            assert used.getsockopt(socket.IPPROTO_TCP, option) == value


def test_nobody_reads_along_on_the_same_device_server() -> None:
    with device_server() as (url, _):
        with closing(open_port(url)), pytest.raises(LinkError, match="in use by another program"):
            open_port(url)
        open_port(url).close()


def test_server_that_is_not_there_is_a_link_error() -> None:
    with closed_port() as url, pytest.raises(LinkError, match="refused"):
        open_port(url)


def test_server_that_takes_no_more_times_out() -> None:
    full = pytest.raises(LinkTimeout, match="takes no more bytes")
    with device_server() as (url, _), closing(open_port(url)) as port, full:
        port.write(bytes(64 << 20))


def test_reset_connection_is_a_link_error_for_reader_and_writer() -> None:
    with device_server() as (url, listening), closing(open_port(url)) as port:
        far = accepted(listening)
        far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        far.close()
        with pytest.raises(LinkError):
            port.read(LIMIT_S)
        with pytest.raises(LinkError):
            port.write(b"x")


# --- RFC 2217 ---------------------------------------------------------------------------------


class PlainLine(serial.Serial):  # type: ignore[misc]
    """A pseudo-terminal has no modem lines to ask about."""

    cts = dsr = ri = cd = False

    def _update_dtr_state(self) -> None: ...

    def _update_rts_state(self) -> None: ...


class Rfc2217Server:
    """A device server in RFC 2217 mode in front of a serial port: pyserial's own server side."""

    def __init__(self, path: str) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(LIMIT_S)
        self.url = f"rfc2217://127.0.0.1:{self._listening.getsockname()[1]}"
        self.serial = PlainLine(path)
        self._ending, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        far = accepted(self._listening)
        lock = threading.Lock()

        class Sending:
            def write(self, data: bytes) -> None:
                with lock:
                    far.sendall(data)

        with far:
            manager = serial.rfc2217.PortManager(self.serial, Sending())
            while self._ending not in (ready := self._ready(far)):
                if far in ready and not self._carry_out(far, manager):
                    return
                if self.serial in ready:
                    out = self.serial.read(self.serial.in_waiting)
                    far.sendall(b"".join(manager.escape(out)))

    def _ready(self, far: socket.socket) -> list[Any]:
        waited_for: list[Any] = [self._ending, far, self.serial]
        return select.select(waited_for, [], [])[0]

    def _carry_out(self, far: socket.socket, manager: Any) -> bool:
        """Whether the far end is still there."""
        came = far.recv(1024)
        self.serial.write(b"".join(manager.filter(came)))
        return bool(came)

    def end(self) -> None:
        self._end.close()
        self._thread.join(LIMIT_S)
        self._ending.close()
        self._listening.close()
        self.serial.close()


@pytest.mark.filterwarnings("ignore:set:DeprecationWarning")  # pyserial 3.5 names its thread so
def test_rfc2217_sets_the_far_line_and_carries_every_byte(
    line: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "NEGOTIATE_S", LIMIT_S)
    server = Rfc2217Server(line.path)
    try:
        with closing(open_port(server.url, LineSettings(4800))) as port:
            assert server.serial.baudrate == 4800
            every = bytes(range(256))
            line.say(every)
            assert read(port, 256) == every
            port.write(every)
            assert line.heard(256) == every
            assert port.read(0) == b""
            with pytest.raises(LinkError, match="in use"):
                open_port(server.url)
            server.end()
            with pytest.raises(LinkError):
                read(port, 1)
    finally:
        server.end()


def test_rfc2217_server_that_is_not_there_is_a_link_error() -> None:
    with closed_port() as url, pytest.raises(LinkError, match=r"127\.0\.0\.1"):
        open_port(url.replace("socket", "rfc2217"))


# --- USB, with libusb's answers put in its place ------------------------------------------------


@pytest.fixture
def plugged(mocker: MockerFixture) -> Callable[..., None]:
    return partial(plug, mocker)


URL = "usb://0c2e:0b61"
S1 = "usb 0c2e:0b61:S1"


def test_kernel_driver_is_detached_and_the_boot_protocol_asked_for(
    plugged: Callable[..., None],
) -> None:
    scanner = Scanner()
    plugged(scanner)
    with closing(open_port(URL, enrolled=S1)) as port:
        assert scanner.detached == [0]
        assert scanner.asked == [0x0B, 0x0A]
        assert port.read(0) == bytes(8)
        assert port.identity.enrolment == "usb 0c2e:0b61:S1"
        assert port.identity.usb_port == "1-1.2"
        with pytest.raises(LinkError, match="cannot be written to"):
            port.write(b"x")


def test_scanner_that_refuses_the_boot_protocol_is_read_as_it_is(
    plugged: Callable[..., None],
) -> None:
    plugged(Scanner(control=usb.core.USBError("stall", errno=errno.EPIPE)))
    with closing(open_port(URL, enrolled=S1)) as port:
        assert port.read(0) == bytes(8)


def test_two_alike_are_told_apart_by_serial_number(plugged: Callable[..., None]) -> None:
    plugged(Scanner("S1"), Scanner("S2"))
    with pytest.raises(WrongDevice, match=r"2 USB devices.*serial S1.*serial S2.*add the serial"):
        open_port(URL)
    with closing(open_port(URL + ":S2", enrolled="usb 0c2e:0b61:S2")) as port:
        assert port.identity.serial == "S2"


def test_two_without_serial_numbers_are_told_apart_by_socket(plugged: Callable[..., None]) -> None:
    left, right = Scanner(""), Scanner("", socket=(1, 3))
    plugged(left, right)
    named = r"name the socket: usb://0c2e:0b61@1-1\.2 or usb://0c2e:0b61@1-1\.3"
    with pytest.raises(WrongDevice, match=f"2 USB devices are .*{named}"):
        open_port(URL)
    there = "usb 0c2e:0b61 in socket 1-1.3"
    with closing(open_port(f"{URL}@1-1.3", enrolled=there)) as port:
        assert port.identity.enrolment == there
    assert (left.detached, right.detached) == ([], [0])
    with pytest.raises(WrongDevice, match=r"no USB device is usb://0c2e:0b61@2-1; found"):
        open_port(f"{URL}@2-1")


def test_equal_serial_numbers_are_no_help_and_the_socket_is(plugged: Callable[..., None]) -> None:
    plugged(Scanner("0000"), Scanner("0000", socket=(4,)))
    with pytest.raises(WrongDevice, match=r"name the socket: .*@1-1\.2 or .*@1-4"):
        open_port(URL)


def test_keyboard_that_nobody_enrolled_stays_where_it_is(plugged: Callable[..., None]) -> None:
    """Nor is any other taken for the enrolled one."""
    keyboard = Scanner()
    plugged(keyboard)
    with pytest.raises(WrongDevice, match="is a keyboard of this machine and is not taken") as no:
        open_port(URL)
    assert no.value.unit == S1
    with pytest.raises(WrongDevice, match="enrolled is usb 0c2e:0b61:S9"):
        open_port(URL, enrolled="usb 0c2e:0b61:S9")
    assert (keyboard.detached, keyboard.asked) == ([], [])
    scanner = Scanner(kernel=False)
    plugged(scanner)
    open_port(URL).close()  # nobody loses it


def test_looking_takes_nothing_and_trying_gives_it_back(plugged: Callable[..., None]) -> None:
    scanner = Scanner()
    plugged(scanner)
    found = ports.look(URL)
    assert (found.enrolment, found.keyboard) == (S1, True)
    assert (scanner.detached, scanner.asked) == ([], [])
    ports.try_out(URL, S1)
    assert (scanner.detached, scanner.attached) == ([0], [0])
    open_port(URL, enrolled=S1).close()  # and it is free


def test_keyboard_that_cannot_be_claimed_is_given_back(
    plugged: Callable[..., None], mocker: MockerFixture
) -> None:
    scanner = Scanner()
    plugged(scanner)
    busy = usb.core.USBError("", errno=errno.EBUSY)
    mocker.patch("drivers.io.usb_port.usb.util.claim_interface", side_effect=busy)
    with pytest.raises(LinkError, match="in use"):
        open_port(URL, enrolled=S1)
    assert (scanner.detached, scanner.attached) == ([0], [0])


def test_none_that_fits_lists_what_there_is(plugged: Callable[..., None]) -> None:
    plugged(Scanner("S1"))
    with pytest.raises(WrongDevice, match=r"no USB device is .*:S9; found: .*serial S1"):
        open_port(URL + ":S9")


@pytest.mark.parametrize(
    ("fails", "says"),
    [
        ({"detach": usb.core.USBError("", errno=errno.EBUSY)}, "in use by another program"),
        ({"detach": usb.core.USBError("", errno=errno.EACCES)}, "udev rule"),
        ({"control": usb.core.USBError("", errno=errno.ENODEV)}, "unplugged"),
        ({"detach": usb.core.USBError("pipe", errno=errno.EPIPE)}, "pipe"),
    ],
)
def test_libusb_error_while_opening_is_a_link_error(
    plugged: Callable[..., None], fails: dict[str, Exception], says: str
) -> None:
    plugged(Scanner(**fails))  # type: ignore[arg-type]
    with pytest.raises(LinkError, match=says):
        open_port(URL, enrolled=S1)
    plugged(Scanner())
    open_port(URL, enrolled=S1).close()  # nothing is held by the one that failed


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (usb.core.USBError("", errno=errno.ENODEV), "unplugged"),
        (usb.core.USBError("Overflow", errno=errno.EOVERFLOW), "Overflow"),
    ],
)
def test_libusb_error_while_reading_is_a_link_error(
    plugged: Callable[..., None], error: Exception, says: str
) -> None:
    plugged(Scanner(read=error))
    with closing(open_port(URL, enrolled=S1)) as port, pytest.raises(LinkError, match=says):
        port.read(0)


def test_quiet_scanner_gives_nothing(plugged: Callable[..., None]) -> None:
    plugged(Scanner(read=usb.core.USBTimeoutError("", errno=errno.ETIMEDOUT)))
    with closing(open_port(URL, enrolled=S1)) as port:
        assert port.read(0) == b""


def test_machine_without_usb_lists_none_or_some() -> None:
    assert all(each.kind == "usb" for each in ports.usb_devices())
    assert all(each.kind == "serial" for each in ports.serial_ports())

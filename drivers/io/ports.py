"""Ports: the bytes of a device over any transport. No other module here imports pyserial; pyusb is
used by `usb_port.py` and the USB/IP backend.

Errors of the libraries and the kernel become a `LinkError` here, once. A port has one reader;
another thread may call `write` at the same time. `read` returns whatever came, and for a USB device
exactly one packet.
"""

import errno
import glob
import os
import select
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import serial
from serial.tools.list_ports import comports

from drivers.errors import LinkError, LinkTimeout, WrongDevice
from drivers.io import usb_port
from drivers.io.identity import Address, Identity, LineSettings, Port, must_be, parse, there_is
from drivers.io.tcp import MAX_READ_BYTES, WRITE_S, PortLock, TcpPort

BY_ID: Final = Path("/dev/serial/by-id")
NEGOTIATE_S: Final = 10
"""How long an RFC 2217 server may take to agree on each option."""
_SLICE_S: Final = 0.1
"""pyserial's RFC 2217 port renegotiates whenever its time-out is changed, so it keeps this one."""


def open_port(url: str, line: LineSettings | None = None, enrolled: str = "") -> Port:
    """Open the port of the URL; raises `BadSetting` or `LinkError`.

    With `enrolled`, an `Identity.enrolment`, any other unit raises `WrongDevice`. A keyboard of
    this machine is opened only with it: somebody may be typing on it.
    """
    address = parse(url)
    open_kind: dict[str, Callable[[], Port]] = {
        "serial": lambda: SerialPort(address.path, line or LineSettings()),
        "tcp": lambda: TcpPort(address),
        "rfc2217": lambda: Rfc2217Port(address, line or LineSettings()),
        "usb": lambda: usb_port.opened(address, enrolled),
        "usbip": lambda: usb_port.opened_far(address),
    }
    port = open_kind[address.kind]()
    try:
        must_be(url, port.identity, enrolled)
    except WrongDevice:
        port.close()
        raise
    return port


def look(url: str, line: LineSettings | None = None, enrolled: str = "") -> Identity:
    """Return the identity of a port without taking a USB device. Other ports are opened for a
    moment. Raises as `open_port` does, but any keyboard may be looked at."""
    address = parse(url)
    if address.kind != "usb":
        port = open_port(url, line, enrolled)
        port.close()
        return port.identity
    identity = usb_port.looked_at(address)
    must_be(url, identity, enrolled)
    return identity


def try_out(url: str, enrolled: str) -> None:
    """Take a device and give it back unchanged; raises `LinkError`."""
    address = parse(url)
    if address.kind == "usb":
        usb_port.tried_out(address, enrolled)


def usb_devices() -> list[Identity]:
    """Return the USB devices of this machine; empty without USB."""
    return usb_port.devices()


# --- serial -----------------------------------------------------------------------------------


class SerialPort:
    """A serial port of this machine, for this program alone."""

    def __init__(self, name: str, line: LineSettings) -> None:
        path = serial_path(name)
        try:
            self._serial = serial.Serial(
                path,
                baudrate=line.baud,
                bytesize=line.data_bits,
                parity=line.parity,
                stopbits=line.stop_bits,
                write_timeout=WRITE_S,
                exclusive=True,
            )
        except (OSError, ValueError, termios.error) as error:  # SerialException is an OSError
            raise _not_opened(path, error) from error
        self._path = path
        self._fd = self._serial.fileno()
        self._readable = select.poll()
        self._readable.register(self._fd, select.POLLIN)
        self.identity = _adapter(path)

    def read(self, timeout_s: float) -> bytes:
        try:
            if not self._readable.poll(timeout_s * 1000):
                return b""
            data = os.read(self._fd, MAX_READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise LinkError(f"{self._path}: {error.strerror}") from error
        if not data:
            # An adapter that was pulled out is always readable and never has data.
            raise LinkError(f"{self._path}: unplugged")
        return data

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as error:
            raise LinkTimeout(f"{self._path} takes no more bytes") from error
        except (OSError, TypeError) as error:  # TypeError: closed by the reader meanwhile
            raise LinkError(f"{self._path}: {error}") from error

    def close(self) -> None:
        try:
            self._serial.close()
        except OSError:
            return  # an adapter that is gone cannot be closed properly


class Rfc2217Port:
    """A device server with RFC 2217, whose line we can set."""

    def __init__(self, address: Address, line: LineSettings) -> None:
        self._where = f"{address.host}:{address.port}"
        self._hold = PortLock(f"rfc2217 {self._where}", self._where)
        try:
            self._serial = serial.serial_for_url(
                f"rfc2217://{self._where}?timeout={NEGOTIATE_S}",
                baudrate=line.baud,
                bytesize=line.data_bits,
                parity=line.parity,
                stopbits=line.stop_bits,
                timeout=_SLICE_S,
            )
        except (OSError, ValueError) as error:
            self._hold.release()
            raise LinkError(f"{self._where}: {error}") from error
        self.identity = Identity("rfc2217", self._where)

    def read(self, timeout_s: float) -> bytes:
        until = time.monotonic() + timeout_s
        while True:
            try:
                data: bytes = self._serial.read(max(1, self._serial.in_waiting))
            except OSError as error:
                raise LinkError(f"{self._where}: {error}") from error
            if data or time.monotonic() >= until:
                return data

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except (OSError, AttributeError) as error:  # AttributeError: closed meanwhile
            raise LinkError(f"{self._where}: {error}") from error

    def close(self) -> None:
        self._hold.release()
        self._serial.close()


def serial_path(name: str, by_id: Path = BY_ID) -> str:
    """Return the path of a serial port from a path or (part of) its by-id name.

    Raises `WrongDevice` with the available ports when none or several match.
    """
    if "/" in name:
        if os.path.exists(name):
            return name
        raise WrongDevice(f"there is no {name}; {there_is(serial_ports())}")
    names = sorted(glob.glob("*", root_dir=by_id))
    matches = [each for each in names if each == name] or [each for each in names if name in each]
    if len(matches) == 1:
        return str(by_id / matches[0])
    text = "no serial port is" if not matches else f"{len(matches)} serial ports are"
    raise WrongDevice(f"{text} called {name!r}; found: {', '.join(names) or 'none'}")


def serial_ports() -> list[Identity]:
    return [_told(info) for info in sorted(comports(), key=lambda info: str(info.device))]


def _adapter(path: str) -> Identity:
    real = os.path.realpath(path)
    for info in comports():
        if info.device == real:
            return _told(info, path)
    return Identity("serial", path)


def _told(info: Any, path: str = "") -> Identity:
    usb_id = f"{info.vid:04x}:{info.pid:04x}" if info.vid is not None else ""
    return Identity(
        "serial",
        path or info.device,
        usb_id,
        info.serial_number or "",
        (info.location or "") if usb_id else "",
        info.product or "",
    )


def _not_opened(path: str, error: Exception) -> LinkError:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EAGAIN, errno.EBUSY):
        return LinkError(f"{path} is in use by another program: a table in play?")
    if number == errno.EACCES:
        return LinkError(f"{path} may not be opened: add this user to the group dialout")
    return LinkError(f"{path} cannot be opened: {error}")

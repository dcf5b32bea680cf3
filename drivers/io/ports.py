"""Ports: the bytes of a device, whatever they travel on. Nothing else here imports pyserial or
pyusb but the USB/IP backend beside this file.

Whatever the libraries and the kernel raise becomes a `LinkError` here, once. A port has one reader;
`write` may be called by another thread at the same time. `read` gives whatever came, and for a USB
device exactly one packet.
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

import libusb_package
import serial
import usb.core
import usb.util
from serial.tools.list_ports import comports

from drivers.errors import LinkError, LinkTimeout, WrongDevice
from drivers.io import usbip
from drivers.io.identity import Address, Identity, Kind, Line, Port, parse
from drivers.io.tcp import READ_BYTES_MAX, WRITE_S, PortLock, TcpPort

BY_ID: Final = Path("/dev/serial/by-id")
NEGOTIATE_S: Final = 10
"""How long an RFC 2217 server may take to agree on each thing."""
_CONTROL_MS: Final = 5000
_SLICE_S: Final = 0.1
"""pyserial's RFC 2217 port renegotiates whenever its time-out is changed, so it keeps this one."""
_BOOT_KEYBOARD: Final = (3, 1, 1)
_SET_PROTOCOL: Final = 0x0B
_SET_IDLE: Final = 0x0A
_TO_INTERFACE: Final = 0x21


def open_port(url: str, line: Line | None = None, enrolled: str = "") -> Port:
    """Open what the URL names; raises `BadSetting` or `LinkError`.

    With `enrolled`, an `Identity.enrolment`, any other unit raises `WrongDevice`."""
    address = parse(url)
    open_kind: dict[str, Callable[[], Port]] = {
        "serial": lambda: SerialPort(address.path, line or Line()),
        "tcp": lambda: TcpPort(address),
        "rfc2217": lambda: Rfc2217Port(address, line or Line()),
        "usb": lambda: _usb_port(address),
        "usbip": lambda: _usbip_port(address),
    }
    port = open_kind[address.kind]()
    if enrolled and port.identity.enrolment != enrolled:
        found = port.identity.enrolment
        port.close()
        raise WrongDevice(
            f"{url} is {found}, and enrolled is {enrolled}: swap it back or enrol it", found
        )
    return port


# --- serial -----------------------------------------------------------------------------------


class SerialPort:
    """A serial port of this machine, for this program alone."""

    def __init__(self, name: str, line: Line) -> None:
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
            data = os.read(self._fd, READ_BYTES_MAX)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise LinkError(f"{self._path}: {error.strerror}") from error
        if not data:
            # An adapter that was pulled out is always readable and never has anything.
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
    """A device server that speaks RFC 2217 and lets us set its line."""

    def __init__(self, address: Address, line: Line) -> None:
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
    """The path of a serial port given by path or by (part of) its by-id name.

    Raises `WrongDevice` with what there is when none or several match."""
    if "/" in name:
        if os.path.exists(name):
            return name
        raise WrongDevice(f"there is no {name}; {_there_is(serial_ports())}")
    names = sorted(glob.glob("*", root_dir=by_id))
    matches = [each for each in names if each == name] or [each for each in names if name in each]
    if len(matches) == 1:
        return str(by_id / matches[0])
    said = "no serial port is" if not matches else f"{len(matches)} serial ports are"
    raise WrongDevice(f"{said} called {name!r}; found: {', '.join(names) or 'none'}")


def serial_ports() -> list[Identity]:
    """The serial ports of this machine."""
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


def _there_is(found: list[Identity]) -> str:
    return "found: " + ("; ".join(map(str, found)) or "none")


# --- USB --------------------------------------------------------------------------------------


class UsbPort:
    """A USB device with an interrupt endpoint to read, such as a scanner that plays keyboard.

    The kernel's own driver is detached, because a scanner left to it types cards into whatever has
    the focus; for the same reason it is not put back when the port is closed."""

    def __init__(self, device: Any, identity: Identity) -> None:
        self._device = device
        self.identity = identity
        try:
            self._hold = PortLock(f"usb {identity.kind} {identity.address}", str(identity))
        except LinkError:
            usb.util.dispose_resources(device)
            raise
        try:
            interface, self._in, self._out = _endpoints(device)
            number = interface.bInterfaceNumber
            if device.is_kernel_driver_active(number):
                device.detach_kernel_driver(number)
            usb.util.claim_interface(device, number)
            _as_boot_keyboard(device, interface)
        except (OSError, NotImplementedError) as error:  # USBError is an OSError
            self.close()
            raise _usb_error(identity, error) from error
        except LinkError:
            self.close()
            raise

    def read(self, timeout_s: float) -> bytes:
        try:
            size = self._in.wMaxPacketSize
            return bytes(self._device.read(self._in.bEndpointAddress, size, int(timeout_s * 1000)))
        except usb.core.USBTimeoutError:
            return b""
        except OSError as error:
            raise _usb_error(self.identity, error) from error

    def write(self, data: bytes) -> None:
        if self._out is None:
            raise LinkError(f"{self.identity} cannot be written to: it has no endpoint for it")
        try:
            sent = self._device.write(self._out.bEndpointAddress, data, int(WRITE_S * 1000))
        except usb.core.USBTimeoutError as error:
            raise LinkTimeout(f"{self.identity} takes no more bytes") from error
        except OSError as error:
            raise _usb_error(self.identity, error) from error
        if sent != len(data):
            raise LinkTimeout(f"{self.identity} took {sent} of {len(data)} bytes")

    def close(self) -> None:
        self._hold.release()
        try:
            usb.util.dispose_resources(self._device)
        except OSError:
            return  # a device that is gone cannot be closed properly


def usb_devices() -> list[Identity]:
    """The USB devices of this machine; empty where there is no USB."""
    return [identity for _, identity in _found(_libusb(), "usb", 0, 0)]


def _usb_port(address: Address) -> UsbPort:
    alike = _found(_libusb(), "usb", address.vid, address.pid)
    matches = [each for each in alike if address.serial in ("", each[1].serial)]
    if len(matches) == 1:
        return UsbPort(*matches[0])
    said = "no USB device is" if not matches else f"{len(matches)} USB devices are"
    there = [identity for _, identity in alike or _found(_libusb(), "usb", 0, 0, texts=False)]
    raise WrongDevice(
        f"{said} {address.url}; {_there_is(there)}"
        + ("; add the serial number to the port" if matches else "")
    )


def _usbip_port(address: Address) -> UsbPort:
    backend = usbip.Backend(address.host, address.port)
    exported = backend.exported()
    matches = [each for each in exported if address.path in ("", each.busid)]
    if len(matches) != 1:
        raise WrongDevice(
            f"{len(matches)} devices are {address.url}; exported there and not in use: "
            + (", ".join(f"{each.busid} ({each.usb_id})" for each in exported) or "none")
        )
    backend.only = matches[0]
    where = f"{address.host}:{address.port}/{backend.only.busid}"
    try:
        device, found = _found(backend, "usbip", 0, 0)[0]
    except (OSError, IndexError) as error:
        backend.close()
        raise LinkError(f"{where}: {error}") from error
    facts = (found.usb_id, found.serial, "", found.product)
    return UsbPort(device, Identity("usbip", where, *facts))


def _libusb() -> Any:
    backend = libusb_package.get_libusb1_backend()
    if backend is None:
        raise LinkError("libusb cannot be loaded: install libusb-package again")
    return backend


def _found(
    backend: Any, kind: Kind, vid: int, pid: int, texts: bool = True
) -> list[tuple[Any, Identity]]:
    """The devices there are. `texts`: with what they call themselves, for which each is opened; a
    port that is looked for twice a second leaves mice and keyboards alone."""
    wanted = {"idVendor": vid, "idProduct": pid} if vid or pid else {}
    try:
        devices = list(usb.core.find(find_all=True, backend=backend, **wanted))
    except OSError as error:
        raise LinkError(f"USB: {error.strerror or error}") from error
    for device in devices:
        device.default_timeout = _CONTROL_MS
    return [(device, _described(kind, device, texts)) for device in devices]


def _described(kind: Kind, device: Any, texts: bool) -> Identity:
    down = ".".join(map(str, device.port_numbers or ()))
    return Identity(
        kind,
        f"bus {device.bus} device {device.address}",
        f"{device.idVendor:04x}:{device.idProduct:04x}",
        _text(device, device.iSerialNumber) if texts else "",
        f"{device.bus}-{down}" if down else "",
        _text(device, device.iProduct) if texts else "",
    )


def _text(device: Any, index: int) -> str:
    """A string of the device; empty where it has none, or we may not ask."""
    try:
        return str(usb.util.get_string(device, index) or "") if index else ""
    except (OSError, ValueError):
        return ""


def _endpoints(device: Any) -> tuple[Any, Any, Any]:
    """The first interface that has an interrupt endpoint to read from, and that endpoint."""
    try:
        configuration = device.get_active_configuration()
    except usb.core.USBError:
        device.set_configuration()
        configuration = device.get_active_configuration()
    for interface in configuration:
        ends = [
            end
            for end in interface
            if usb.util.endpoint_type(end.bmAttributes) == usb.util.ENDPOINT_TYPE_INTR
        ]
        inward = [end for end in ends if end.bEndpointAddress & 0x80]
        outward = [end for end in ends if not end.bEndpointAddress & 0x80]
        if inward:
            return interface, inward[0], outward[0] if outward else None
    raise LinkError("this USB device has no interrupt endpoint to read: it is no scanner")


def _as_boot_keyboard(device: Any, interface: Any) -> None:
    """Ask for the eight-byte reports of a boot keyboard, sent when something changes only."""
    told = interface.bInterfaceClass, interface.bInterfaceSubClass, interface.bInterfaceProtocol
    if told != _BOOT_KEYBOARD:
        return
    for request in (_SET_PROTOCOL, _SET_IDLE):
        try:
            device.ctrl_transfer(_TO_INTERFACE, request, 0, interface.bInterfaceNumber)
        except usb.core.USBError as error:
            if error.errno == errno.ENODEV:
                raise
            # A scanner may refuse either; it then sends what it always sends.


def _usb_error(identity: Identity, error: Exception) -> LinkError:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENODEV:
        return LinkError(f"{identity}: unplugged")
    if number == errno.EBUSY:
        return LinkError(f"{identity} is in use by another program: a table in play?")
    if number == errno.EACCES:
        return LinkError(f"{identity} may not be opened: the udev rule of deploy/ is missing")
    return LinkError(f"{identity}: {error}")

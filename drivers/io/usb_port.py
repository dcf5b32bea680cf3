"""USB devices with an interrupt endpoint, such as a scanner that acts as a keyboard: finding one by
model, serial number or socket, reading its identity, taking it and giving it back."""

import errno
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any, Final

import libusb_package
import usb.core
import usb.util

from drivers.errors import LinkError, LinkTimeout, WrongDevice
from drivers.io import usbip
from drivers.io.identity import Address, Identity, Kind, must_be, there_is
from drivers.io.tcp import WRITE_S, PortLock

_CONTROL_MS: Final = 5000
_BOOT_KEYBOARD: Final = (3, 1, 1)
_SET_PROTOCOL: Final = 0x0B
_SET_IDLE: Final = 0x0A
_REPORT_PROTOCOL: Final = 1
_TO_INTERFACE: Final = 0x21


class UsbPort:
    """A USB device with an interrupt endpoint to read, such as a scanner that acts as a keyboard.

    The kernel's own driver is detached, because a scanner with it types cards into the window that
    has the focus; for the same reason it is not reattached when the port is closed.
    """

    def __init__(self, device: Any, identity: Identity) -> None:
        self._device = device
        self.identity = identity
        try:
            self._hold = PortLock(f"usb {identity.kind} {identity.address}", str(identity))
        except LinkError:
            usb.util.dispose_resources(device)
            raise
        self._detached: int | None = None
        try:
            interface, self._in, self._out = _endpoints(device)
            number = interface.bInterfaceNumber
            if device.is_kernel_driver_active(number):
                device.detach_kernel_driver(number)
                self._detached = number
            usb.util.claim_interface(device, number)
            _as_boot_keyboard(device, interface)
        except (OSError, NotImplementedError) as error:  # USBError is an OSError
            self._undo()
            raise _usb_error(identity, error) from error
        except LinkError:
            self._undo()
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

    def give_back(self) -> None:
        """Return the device to the kernel's driver, if that had it: a keyboard types again."""
        number, self._detached = self._detached, None
        if number is None:
            return
        with suppress(usb.core.USBError):  # it may have refused the boot protocol as well
            self._device.ctrl_transfer(_TO_INTERFACE, _SET_PROTOCOL, _REPORT_PROTOCOL, number)
        try:
            usb.util.release_interface(self._device, number)
            self._device.attach_kernel_driver(number)
        except (OSError, NotImplementedError) as error:
            raise _usb_error(self.identity, error) from error

    def _undo(self) -> None:
        """Undo a failed opening: a keyboard must keep working."""
        with suppress(LinkError):
            self.give_back()
        self.close()

    def close(self) -> None:
        self._hold.release()
        try:
            usb.util.dispose_resources(self._device)
        except OSError:
            return  # a device that is gone cannot be closed properly


def devices() -> list[Identity]:
    """Return the USB devices of this machine; empty without USB."""
    return [identity for _, identity in _found(_libusb(), "usb", 0, 0)]


def opened(address: Address, enrolled: str) -> UsbPort:
    """Open a device. A keyboard must be the enrolled one; raises `WrongDevice` before taking
    anything."""
    device, identity = _the_device(address)
    try:
        must_be(address.url, identity, enrolled)
        if identity.keyboard and not enrolled:
            raise WrongDevice(
                f"{identity} is a keyboard of this machine and is not taken unasked: if it is the "
                "scanner, enrol it with `sabot device enrol`",
                identity.enrolment,
            )
    except WrongDevice:
        usb.util.dispose_resources(device)
        raise
    return UsbPort(device, identity)


def looked_at(address: Address) -> Identity:
    """Return the identity of a device without taking it."""
    device, identity = _the_device(address)
    usb.util.dispose_resources(device)
    return identity


def tried_out(address: Address, enrolled: str) -> None:
    """Take a device, and give it back to the kernel unchanged; raises `LinkError`."""
    with closing(opened(address, enrolled)) as port:
        port.give_back()


def _the_device(address: Address) -> tuple[Any, Identity]:
    """Return the only device that matches."""
    alike = _found(_libusb(), "usb", address.vid, address.pid)
    matches = [
        each
        for each in alike
        if address.serial in ("", each[1].serial) and address.path in ("", each[1].usb_port)
    ]
    if len(matches) == 1:
        device, identity = matches[0]
        return device, replace(identity, keyboard=_is_keyboard(device))
    text = "no USB device is" if not matches else f"{len(matches)} USB devices are"
    there = [identity for _, identity in alike or _found(_libusb(), "usb", 0, 0, texts=False)]
    raise WrongDevice(f"{text} {address.url}; {there_is(there)}{_told_apart(matches)}")


def _told_apart(matches: list[tuple[Any, Identity]]) -> str:
    """Return how several equal devices can be named."""
    serials = {identity.serial for _, identity in matches}
    if not matches:
        return ""
    if "" not in serials and len(serials) == len(matches):
        return "; add the serial number to the port"
    sockets = [f"usb://{each.usb_id}@{each.usb_port}" for _, each in matches if each.usb_port]
    return f"; name the socket: {' or '.join(sockets)}"


def _is_keyboard(device: Any) -> bool:
    """Return whether the kernel uses it as a keyboard now. A device that cannot be queried cannot
    be taken."""
    try:
        interfaces = [each for each in device.get_active_configuration() if _boot_keyboard(each)]
        return any(device.is_kernel_driver_active(each.bInterfaceNumber) for each in interfaces)
    except (usb.core.USBError, NotImplementedError):
        return False


def opened_far(address: Address) -> UsbPort:
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
    """Yield the devices. `texts`: with their own names, for which each is opened; a port that is
    searched twice a second must leave mice and keyboards alone."""
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
    """Return a string of the device; empty if it has none, or if access is denied."""
    try:
        return str(usb.util.get_string(device, index) or "") if index else ""
    except (OSError, ValueError):
        return ""


def _endpoints(device: Any) -> tuple[Any, Any, Any]:
    """Return the first interface with a readable interrupt endpoint, and that endpoint."""
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


def _boot_keyboard(interface: Any) -> bool:
    reported = interface.bInterfaceClass, interface.bInterfaceSubClass, interface.bInterfaceProtocol
    return reported == _BOOT_KEYBOARD


def _as_boot_keyboard(device: Any, interface: Any) -> None:
    """Request the eight-byte reports of a boot keyboard, sent only on changes."""
    if not _boot_keyboard(interface):
        return
    for request in (_SET_PROTOCOL, _SET_IDLE):
        try:
            device.ctrl_transfer(_TO_INTERFACE, request, 0, interface.bInterfaceNumber)
        except usb.core.USBError as error:
            if error.errno == errno.ENODEV:
                raise
            # A scanner may refuse either; it then sends its usual reports.


def _usb_error(identity: Identity, error: Exception) -> LinkError:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.ENODEV:
        return LinkError(f"{identity}: unplugged")
    if number == errno.EBUSY:
        return LinkError(f"{identity} is in use by another program: a table in play?")
    if number == errno.EACCES:
        return LinkError(f"{identity} may not be opened: the udev rule of deploy/ is missing")
    return LinkError(f"{identity}: {error}")

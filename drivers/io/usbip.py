"""The devices of a USB/IP server as a backend of pyusb, so that the same code reads a scanner
across the network, the emulated one, and one that is plugged in here."""

import errno
import struct
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Final, TypeAlias

import usb.backend
import usb.core

from drivers.errors import LinkError, LinkTimeout
from drivers.io.usbip_link import Exported, Imported, TransferFailed, exported

MAX_DESCRIPTOR_BYTES: Final = 4096
_CONTROL_MS: Final = 5000
_IN: Final = 0x80
_SETUP: Final = struct.Struct("<BBHHH")
_GONE: Final = (errno.ENODEV, errno.ESHUTDOWN, errno.ECONNRESET, errno.ENOENT)

Interface: TypeAlias = tuple[SimpleNamespace, list[SimpleNamespace]]
"""An interface's descriptor with those of its endpoints."""


@contextmanager
def _as_pyusb_says() -> Iterator[None]:
    """Convert our errors to those of pyusb; a lost server is an unplugged device."""
    try:
        yield
    except LinkTimeout as error:
        raise usb.core.USBTimeoutError(str(error), errno=errno.ETIMEDOUT) from error
    except LinkError as error:
        raise usb.core.USBError(str(error), errno=errno.ENODEV) from error
    except TransferFailed as error:
        number = errno.ENODEV if error.number in _GONE else error.number
        raise usb.core.USBError(str(error), error.number, number) from error


class Backend(usb.backend.IBackend):  # type: ignore[misc]
    """The devices of one USB/IP server, for `usb.core.find(backend=...)`.

    A device is imported when pyusb first requests its descriptor, because the list has no serial
    numbers; `only` prevents the import of any except the wanted one.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._imported: dict[str, Imported] = {}
        self.only: Exported | None = None

    def exported(self) -> list[Exported]:
        return exported(self._host, self._port)

    def close(self) -> None:
        for busid in tuple(self._imported):
            self.close_device(busid)

    # Names and signatures below are pyusb's. A device and its handle are the bus id.

    def enumerate_devices(self) -> Iterator[Exported]:
        yield from self.exported() if self.only is None else [self.only]

    def get_device_descriptor(self, dev: Exported) -> SimpleNamespace:
        raw = self._descriptor(dev, 1, 0, 18)
        names = (
            *("bLength", "bDescriptorType", "bcdUSB", "bDeviceClass", "bDeviceSubClass"),
            *("bDeviceProtocol", "bMaxPacketSize0", "idVendor", "idProduct", "bcdDevice"),
            *("iManufacturer", "iProduct", "iSerialNumber", "bNumConfigurations"),
        )
        fields = dict(zip(names, struct.unpack("<BBHBBBBHHHBBBB", raw), strict=True))
        place = {"bus": dev.busnum, "address": dev.devnum, "speed": dev.speed}
        return SimpleNamespace(**fields, **place, port_number=None, port_numbers=None)

    def get_configuration_descriptor(self, dev: Exported, config: int) -> SimpleNamespace:
        return self._configuration(dev, config)[0]

    def get_interface_descriptor(
        self, dev: Exported, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        return self._interface(dev, intf, alt, config)[0]

    def get_endpoint_descriptor(
        self, dev: Exported, ep: int, intf: int, alt: int, config: int
    ) -> SimpleNamespace:
        return self._interface(dev, intf, alt, config)[1][ep]

    def open_device(self, dev: Exported) -> str:
        with _as_pyusb_says():
            self._link(dev.busid)
        return dev.busid

    def close_device(self, dev_handle: str) -> None:
        if imported := self._imported.pop(dev_handle, None):
            imported.close()

    def set_configuration(self, dev_handle: str, config_value: int) -> None:
        self.ctrl_transfer(dev_handle, 0x00, 9, config_value, 0, array("B"), _CONTROL_MS)

    def get_configuration(self, dev_handle: str) -> int:
        value = array("B", [0])
        self.ctrl_transfer(dev_handle, 0x80, 8, 0, 0, value, _CONTROL_MS)
        return value[0]

    def set_interface_altsetting(self, dev_handle: str, intf: int, altsetting: int) -> None:
        self.ctrl_transfer(dev_handle, 0x01, 11, altsetting, intf, array("B"), _CONTROL_MS)

    def claim_interface(self, dev_handle: str, intf: int) -> None:
        """Do nothing: an imported device is exclusive."""

    def release_interface(self, dev_handle: str, intf: int) -> None:
        """Do nothing: the whole device is released when the connection ends."""

    def is_kernel_driver_active(self, dev_handle: str, intf: int) -> bool:  # noqa: ARG002
        return False  # this machine's kernel does not have the device

    def ctrl_transfer(
        self,
        dev_handle: str,
        bmRequestType: int,  # noqa: N803
        bRequest: int,  # noqa: N803
        wValue: int,  # noqa: N803
        wIndex: int,  # noqa: N803
        data: "array[int]",
        timeout: int,
    ) -> int:
        setup = _SETUP.pack(bmRequestType, bRequest, wValue, wIndex, len(data) * data.itemsize)
        with _as_pyusb_says():
            return self._link(dev_handle).control(setup, data, timeout)

    def intr_read(
        self,
        dev_handle: str,
        ep: int,
        intf: int,  # noqa: ARG002
        size: "array[int]",
        timeout: int,
    ) -> int:
        with _as_pyusb_says():
            return self._link(dev_handle).read(ep, size, timeout)

    def intr_write(
        self,
        dev_handle: str,
        ep: int,
        intf: int,  # noqa: ARG002
        data: "array[int]",
        timeout: int,
    ) -> int:
        with _as_pyusb_says():
            return self._link(dev_handle).write(ep, data.tobytes(), timeout)

    bulk_read = intr_read
    bulk_write = intr_write

    def clear_halt(self, dev_handle: str, ep: int) -> None:
        self.ctrl_transfer(dev_handle, 0x02, 1, 0, ep, array("B"), _CONTROL_MS)

    def _link(self, busid: str) -> Imported:
        if busid not in self._imported:
            self._imported[busid] = Imported(self._host, self._port, busid)
        return self._imported[busid]

    def _descriptor(self, dev: Exported, kind: int, index: int, length: int) -> bytes:
        found = array("B", bytes(length))
        got = self.ctrl_transfer(dev.busid, _IN, 6, kind << 8 | index, 0, found, _CONTROL_MS)
        if got != length:
            raise usb.core.USBError("a descriptor came short", errno=errno.EPROTO)
        return found.tobytes()

    def _configuration(self, dev: Exported, config: int) -> tuple[SimpleNamespace, list[Interface]]:
        head = self._descriptor(dev, 2, config, 9)
        (total,) = struct.unpack_from("<H", head, 2)
        if total > MAX_DESCRIPTOR_BYTES:
            raise usb.core.USBError("a configuration is too long", errno=errno.EOVERFLOW)
        return _parsed(self._descriptor(dev, 2, config, total))

    def _interface(self, dev: Exported, intf: int, alt: int, config: int) -> Interface:
        interfaces = self._configuration(dev, config)[1]
        numbers = sorted({each.bInterfaceNumber for each, _ in interfaces})
        return [each for each in interfaces if each[0].bInterfaceNumber == numbers[intf]][alt]


_CONFIGURATION_FIELDS: Final = (
    *("bLength", "bDescriptorType", "wTotalLength", "bNumInterfaces"),
    *("bConfigurationValue", "iConfiguration", "bmAttributes", "bMaxPower"),
)
_INTERFACE_FIELDS: Final = (
    *("bLength", "bDescriptorType", "bInterfaceNumber", "bAlternateSetting", "bNumEndpoints"),
    *("bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol", "iInterface"),
)
_ENDPOINT_FIELDS: Final = (
    *("bLength", "bDescriptorType", "bEndpointAddress", "bmAttributes"),
    *("wMaxPacketSize", "bInterval"),
)


def _parsed(
    raw: bytes,
) -> tuple[SimpleNamespace, list[Interface]]:
    """Return a configuration with its interfaces and their endpoints; other descriptors are
    skipped."""
    try:
        whole = _fields(_CONFIGURATION_FIELDS, "<BBHBBBBB", raw)
        interfaces: list[Interface] = []
        at = raw[0]
        while at < len(raw):
            length, kind = raw[at], raw[at + 1]
            if kind == 4:
                interfaces.append((_fields(_INTERFACE_FIELDS, "<9B", raw[at:]), []))
            elif kind == 5:
                end = _fields(_ENDPOINT_FIELDS, "<BBBBHB", raw[at:])
                end.bRefresh = end.bSynchAddress = 0
                interfaces[-1][1].append(end)
            at += max(length, 2)
    except (struct.error, IndexError) as error:
        raise usb.core.USBError("a configuration is damaged", errno=errno.EPROTO) from error
    return whole, interfaces


def _fields(names: tuple[str, ...], layout: str, raw: bytes) -> SimpleNamespace:
    values = zip(names, struct.unpack_from(layout, raw), strict=True)
    return SimpleNamespace(**dict(values), extra_descriptors=[])

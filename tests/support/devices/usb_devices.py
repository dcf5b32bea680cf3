"""USB devices of this machine where it has none: what pyusb shows of them, with errors to order."""

from types import SimpleNamespace
from typing import Any

from pytest_mock import MockerFixture


class Scanner:
    """What pyusb shows of a scanner, with errors to order."""

    def __init__(
        self,
        serial_number: str = "S1",
        socket: tuple[int, ...] = (1, 2),
        kernel: bool = True,
        **fails: Exception,
    ) -> None:
        self.bus, self.address, self.port_numbers = 1, sum(socket), socket
        self.kernel = kernel
        self.idVendor, self.idProduct = 0x0C2E, 0x0B61
        self.iSerialNumber, self.iProduct = 3, 0
        self.serial_number = serial_number
        self.fails = fails
        self.detached: list[int] = []
        self.attached: list[int] = []
        self.asked: list[int] = []

    def get_active_configuration(self) -> list[Any]:
        end = SimpleNamespace(bEndpointAddress=0x81, bmAttributes=3, wMaxPacketSize=8)
        kind = {"bInterfaceClass": 3, "bInterfaceSubClass": 1, "bInterfaceProtocol": 1}

        class Interface(list[Any]):
            pass

        interface = Interface([end])
        vars(interface).update(bInterfaceNumber=0, **kind)
        return [interface]

    def is_kernel_driver_active(self, number: int) -> bool:
        return self.kernel and number == 0

    def attach_kernel_driver(self, number: int) -> None:
        self.attached.append(number)

    def detach_kernel_driver(self, number: int) -> None:
        self._fail("detach")
        self.detached.append(number)

    def ctrl_transfer(self, _kind: int, request: int, *_: int) -> None:
        self.asked.append(request)
        self._fail("control")

    def read(self, _endpoint: int, _size: int, _timeout: int) -> bytes:
        self._fail("read")
        return bytes(8)

    def _fail(self, what: str) -> None:
        if what in self.fails:
            raise self.fails[what]


def plug(mocker: MockerFixture, *scanners: Scanner) -> None:
    """libusb's answers, put in its place."""
    mocker.patch("drivers.io.usb_port.usb.core.find", side_effect=lambda **_: iter(scanners))
    mocker.patch("drivers.io.usb_port.usb.util.claim_interface")
    mocker.patch("drivers.io.usb_port.usb.util.release_interface")
    mocker.patch("drivers.io.usb_port.usb.util.dispose_resources")
    mocker.patch(
        "drivers.io.usb_port.usb.util.get_string",
        side_effect=lambda device, _index: device.serial_number,
    )

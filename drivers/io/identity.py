"""Ports as data: what a port is, where it is, its line settings, and the identity of the device
behind it. Uses no library; `ports.py` opens what this module describes."""

import re
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias
from urllib.parse import urlsplit

from drivers.contract import DataSheet, Settings
from drivers.errors import BadSetting, WrongDevice

Kind: TypeAlias = Literal["serial", "tcp", "rfc2217", "usb", "usbip"]

FORMS: Final = (
    "/dev/ttyUSB0, a name from /dev/serial/by-id, socket://HOST:PORT, rfc2217://HOST:PORT, "
    "usb://VID:PID[:SERIAL or @SOCKET] or usbip://HOST:PORT[/BUSID]"
)
"""The kinds of ports in the notation of people."""

SERVER_PORTS: Final = {"socket": 4001, "rfc2217": 4001, "usbip": 3240}
"""The default TCP ports: a device server's first data port, and USB/IP's own."""

_SOCKET: Final = re.compile(r"[0-9]{1,3}-[0-9]{1,3}(\.[0-9]{1,3})*")
_KINDS: Final[dict[str, Kind]] = {"socket": "tcp", "rfc2217": "rfc2217", "usbip": "usbip"}


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a port's URL."""

    url: str
    kind: Kind
    path: str = ""
    """Serial: the path or by-id name. USB/IP: the bus id, or empty for the only device. USB: the
    socket, as in 1-1.2, or empty for any."""
    host: str = ""
    port: int = 0
    vid: int = 0
    pid: int = 0
    serial: str = ""


@dataclass(frozen=True, slots=True)
class LineSettings:
    """The framing and speed of an RS-232 line."""

    baud: int = 9600
    data_bits: int = 8
    parity: str = "N"
    stop_bits: int = 1


@dataclass(frozen=True, slots=True)
class Identity:
    """What can be read about a port. RS-232 does not identify the device behind it: a serial port
    is identified by its adapter, or by the socket of the adapter; a device server by its address.
    """

    kind: Kind
    address: str
    """The path, HOST:PORT, or the bus and device number."""
    usb_id: str = ""
    """vid:pid in hex, of the device itself or of the adapter."""
    serial: str = ""
    usb_port: str = ""
    """The physical socket: bus and ports down to it, as in 1-1.2."""
    product: str = ""
    keyboard: bool = False
    """This machine uses it as a keyboard now: a program must ask before taking it."""

    @property
    def enrolment(self) -> str:
        """The most specific property that can be read; a unit is enrolled by it."""
        if self.usb_id and self.serial:
            return f"usb {self.usb_id}:{self.serial}"
        if self.usb_id and self.usb_port:
            return f"usb {self.usb_id} in socket {self.usb_port}"
        return f"{self.kind} {self.address}"

    def __str__(self) -> str:
        facts = [self.address, self.usb_id, self.serial and f"serial {self.serial}"]
        facts += [self.usb_port and f"in socket {self.usb_port}", self.product]
        return " ".join(fact for fact in facts if fact)


class Port(Protocol):
    """An open port. Every method raises `LinkError` when the link is gone."""

    @property
    def identity(self) -> Identity: ...

    def read(self, timeout_s: float) -> bytes:
        """Return what came, as soon as anything did; empty if nothing came in time."""

    def write(self, data: bytes) -> None:
        """Write everything or raise `LinkError`; `LinkTimeout` when the other end accepts no
        more."""

    def close(self) -> None:
        """Close the port; never raises."""


def parse(url: str) -> Address:
    """Parse a port's URL; raises `BadSetting`."""
    scheme, sep, rest = url.partition("://")
    if not sep:
        if not url.strip() or "\0" in url:
            raise BadSetting(f"port = {url!r} names nothing: write {FORMS}")
        return Address(url, "serial", path=url)
    if scheme == "usb":
        return _usb(url, rest)
    if scheme not in _KINDS:
        raise BadSetting(f"port = {url!r}: {scheme}:// is no port: write {FORMS}")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or SERVER_PORTS[scheme]
    except ValueError as error:
        raise BadSetting(f"port = {url!r}: {error}") from error
    path = parts.path.strip("/")
    if not host or parts.query or (path and scheme != "usbip"):
        raise BadSetting(f"port = {url!r} cannot be understood: write {FORMS}")
    return Address(url, _KINDS[scheme], path, host, port)


def _usb(url: str, rest: str) -> Address:
    vid, _, more = rest.partition(":")
    pid, _, serial = more.partition(":")
    pid, at, socket = pid.partition("@")
    try:
        numbers = int(vid, 16), int(pid, 16)
    except ValueError:
        numbers = (-1, -1)
    if not all(0 <= number <= 0xFFFF for number in numbers):
        raise BadSetting(f"port = {url!r}: write usb://VID:PID[:SERIAL] in hex, as `lsusb` does")
    if at and (serial or not _SOCKET.fullmatch(socket)):
        raise BadSetting(
            f"port = {url!r}: write usb://VID:PID@SOCKET with a socket like 1-1.2, as "
            "`sabot device list` shows it, or a serial number instead"
        )
    return Address(url, "usb", socket, vid=numbers[0], pid=numbers[1], serial=serial)


def must_be(url: str, identity: Identity, enrolled: str) -> None:
    """Raise `WrongDevice` for any unit except the enrolled one; empty accepts any."""
    found = identity.enrolment
    if enrolled and found != enrolled:
        raise WrongDevice(
            f"{url} is {found}, and enrolled is {enrolled}: swap it back or enrol it", found
        )


def there_is(found: list[Identity]) -> str:
    return "found: " + ("; ".join(map(str, found)) or "none")


def check_kind(sheet: DataSheet, address: Address) -> None:
    """Raise `BadSetting` for a USB device on a serial port, or the other way round."""
    is_usb = address.kind in ("usb", "usbip")
    if is_usb != (sheet.link == "usb"):
        fits = "usb:// or usbip://" if sheet.link == "usb" else "a serial port or a device server"
        raise BadSetting(f"port = {address.url!r}: {sheet.name} is reached by {fits}")


def line_for(sheet: DataSheet, settings: Settings | None = None) -> LineSettings:
    """Return the data sheet's line with the changes of the settings: baud, data_bits, parity,
    stop_bits."""
    given = settings or {}
    usual = LineSettings()
    return LineSettings(
        baud=_number(given, "baud", sheet.baud or usual.baud, range(50, 4_000_001)),
        data_bits=_number(given, "data_bits", usual.data_bits, range(5, 9)),
        parity=_parity(given.get("parity", usual.parity)),
        stop_bits=_number(given, "stop_bits", usual.stop_bits, range(1, 3)),
    )


def _number(given: Settings, key: str, default: int, may: range) -> int:
    value = given.get(key, default)
    if type(value) is not int or value not in may:
        raise BadSetting(f"{key} = {value!r}, but it may be {may.start} to {may.stop - 1}")
    return value


def _parity(value: object) -> str:
    if not isinstance(value, str) or value.upper()[:1] not in ("N", "E", "O"):
        raise BadSetting(f"parity = {value!r}, but it may be N, E or O")
    return value.upper()[:1]

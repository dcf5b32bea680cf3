"""One event to one address: HTTPS, signed, no redirect, and never into the house's own network.

A name is looked up once, every address it has is checked, and the connection goes to one of those:
a name that answers otherwise the second time leads nowhere else.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

import msgspec
from standardwebhooks import Webhook

from controller.floor.webhooks.events import Event

WHOLE_S: Final = 15.0
"""What one delivery may take, from the look-up to the answer."""
WAIT_MOST_S: Final = 3600.0

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_ENDS_IN_IPV4: Final = (
    ipaddress.IPv6Network("64:ff9b::/96"),  # NAT64
    ipaddress.IPv6Network("::/96"),  # "IPv4-compatible"
)
_LOCAL_NAT64: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
"""A translator of the house's own: where it leads cannot be told from the address."""


class BadAddress(ValueError):
    """Nothing is sent there, and why."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of a delivery."""

    status: int = 0
    error: str | None = None
    """Why it was not taken; None: it was."""
    wait: float | None = None
    """How long the subscriber asks to be left alone."""

    @property
    def delivered(self) -> bool:
        return self.error is None

    @property
    def gone(self) -> bool:
        """The subscriber says that it wants no more (410)."""
        return self.status == http.client.GONE


class House(msgspec.Struct, frozen=True):
    """What a site allows: networks of its own that may be sent to, who else signs certificates."""

    allowed: tuple[str, ...] = ()
    ca: str | None = None
    whole_s: float = WHOLE_S

    @property
    def networks(self) -> list[Network]:
        return [ipaddress.ip_network(each) for each in self.allowed]


def checked_url(url: str, house: House) -> SplitResult:
    """Raises `BadAddress` unless it is an address that may be sent to, as far as one can tell
    without looking it up."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"{url!r} is no address: {error}") from error
    if not parts.hostname or parts.username is not None or port == 0:
        raise BadAddress(f"{url!r} is no address of a subscriber: https://host/path")
    if parts.scheme == "https" or (parts.scheme == "http" and _loops_back(parts.hostname, house)):
        return parts
    raise BadAddress(f"{url!r} is not https: results are signed, and not for everybody on the way")


def _loops_back(host: str, house: House) -> bool:
    """Plain HTTP is for trying things out, on this machine, where the house says so."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        return address.is_loopback and any(address in each for each in house.networks)
    return False


def addresses_of(host: str, port: int, house: House) -> list[str]:
    """Where a name leads; raises `BadAddress` where one of them is the house's own network."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BadAddress(f"{host} cannot be found") from error
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    networks = house.networks
    for text in addresses:
        if not _may_be_sent_to(ipaddress.ip_address(text.partition("%")[0]), networks):
            raise BadAddress(
                f"{host} leads to {text}, which is not on the public network: allow it in "
                "`webhooks.allow` if the subscriber is in the house"
            )
    return addresses


def _may_be_sent_to(address: Address, networks: Sequence[Network]) -> bool:
    real = _real(address)
    if any(real in each for each in networks):
        return True
    if isinstance(real, ipaddress.IPv6Address) and (real.is_site_local or real in _LOCAL_NAT64):
        return False
    return real.is_global and not real.is_multicast


def _real(address: Address) -> Address:
    """The address of version 4 that one of version 6 leads to, where it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if not address.is_loopback and any(address in each for each in _ENDS_IN_IPV4):
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or address


def send(url: str, secret: str, event: Event, house: House, now: float) -> Outcome:
    """Every way in which it can fail is an outcome."""
    try:
        parts = checked_url(url, house)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        addresses = addresses_of(parts.hostname or "", port, house)
        return _posted(parts, port, addresses, _signed(secret, event, now), event.body, house)
    except BadAddress as error:
        return Outcome(error=str(error))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Outcome(error=f"{type(error).__name__}: {error}"[:300])


def _signed(secret: str, event: Event, now: float) -> dict[str, str]:
    stamp = datetime.fromtimestamp(int(now), UTC)
    signature = Webhook(secret).sign(event.id, stamp, event.body.decode())
    return {
        "content-type": "application/json",
        "user-agent": "sabot-floor",
        "webhook-id": event.id,
        "webhook-timestamp": str(int(now)),
        "webhook-signature": signature,
    }


class _ToAddress(http.client.HTTPSConnection):
    """To an address that was checked, under the name that the certificate must have."""

    def __init__(self, host: str, port: int, address: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(host, port, context=tls or ssl.create_default_context())
        self._to = (address, port)
        self._tls = tls

    def connect(self) -> None:
        opened = socket.create_connection(self._to, self.timeout)
        self.sock = opened
        if self._tls is not None:
            self.sock = self._tls.wrap_socket(opened, server_hostname=self.host)


def _posted(
    parts: SplitResult,
    port: int,
    addresses: Sequence[str],
    headers: dict[str, str],
    body: bytes,
    house: House,
) -> Outcome:
    tls = ssl.create_default_context(cafile=house.ca) if parts.scheme == "https" else None
    host = parts.hostname or ""
    connection = _ToAddress(host, port, addresses[0], tls)
    connection.timeout = house.whole_s
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    # A timeout of a socket is for each piece: one that drips has to be cut off as a whole.
    cut = threading.Timer(house.whole_s, _cutting(connection))
    cut.start()
    try:
        connection.request("POST", path, body, {**headers, "host": parts.netloc})
        return _judged(connection.getresponse())
    finally:
        cut.cancel()
        connection.close()


def _cutting(connection: http.client.HTTPConnection) -> Callable[[], None]:
    def cut() -> None:
        with suppress(OSError, AttributeError):
            connection.sock.shutdown(socket.SHUT_RDWR)

    return cut


def _judged(response: http.client.HTTPResponse) -> Outcome:
    status = response.status
    if 200 <= status < 300:
        return Outcome(status)
    wait = None
    if status in (http.client.TOO_MANY_REQUESTS, http.client.SERVICE_UNAVAILABLE):
        asked = response.headers.get("retry-after", "")
        wait = min(float(asked), WAIT_MOST_S) if asked.isascii() and asked.isdecimal() else None
    return Outcome(status, f"it answered {status}", wait)

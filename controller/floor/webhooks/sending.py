"""One event to one address: HTTPS, signed, no redirect, and never into the house's own network.

A name is looked up once, every address it has is checked, and the connection goes to one of those:
a name that answers otherwise the second time leads nowhere else. What is public is said here and
not by Python, whose list is another in every release. One time limit is for all of it.
"""

import http.client
import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
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

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""What of version 6 is given out to the world. Everything else is the house's own, a translator's
(::ffff:0:0:0/96, 64:ff9b:1::/48), a segment's (5f00::/16) or nobody's."""
_NOT_PUBLIC: Final[tuple[Network, ...]] = tuple(
    ipaddress.ip_network(each)
    for each in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.168.0.0/16",
        "192.0.0.0/24",  # between a provider and its customers
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  # for documents
        "192.88.99.0/24",  # the nearest relay of 6to4
        "198.18.0.0/15",  # for measurements
        "224.0.0.0/4", "240.0.0.0/4",  # to many, and to nobody or all
        "2001::/23",  # Teredo, measurements, keys that look like addresses
        "2001:db8::/32", "3fff::/20",  # for documents
        "2002::/16",  # 6to4: what it leads to lies behind somebody's relay
    )
)  # fmt: skip


class BadAddress(ValueError):
    """Nothing is sent there, and why."""


class DeliveryOutcome(msgspec.Struct, frozen=True):
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


class EgressPolicy(msgspec.Struct, frozen=True):
    """What a site allows: networks of its own that may be sent to, who else signs certificates."""

    allowed: tuple[str, ...] = ()
    ca: str | None = None
    whole_s: float = WHOLE_S

    @property
    def networks(self) -> list[Network]:
        return [ipaddress.ip_network(each) for each in self.allowed]


def checked_url(url: str, house: EgressPolicy) -> SplitResult:
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


def _loops_back(host: str, house: EgressPolicy) -> bool:
    """Plain HTTP is for trying things out, on this machine, where the house says so."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        return address.is_loopback and any(address in each for each in house.networks)
    return False


def addresses_of(
    host: str, port: int, house: EgressPolicy, interruption: "Interruption | None" = None
) -> list[str]:
    """Where a name leads; raises `BadAddress` where one of them is the house's own network."""
    look_up = _LookUp(host, port)
    with (interruption or Interruption()).cuts(look_up):
        addresses = list(dict.fromkeys(look_up.wait(house.whole_s)))
    networks = house.networks
    for text in addresses:
        if not _may_be_sent_to(ipaddress.ip_address(text.partition("%")[0]), networks):
            raise BadAddress(
                f"{host} leads to {text}, which is not on the public network: allow it in "
                "`webhooks.allow` if the subscriber is in the house"
            )
    return addresses


class _LookUp:
    """The system's look-up of a name. It has no time limit of its own: one that takes too long, or
    is cut off, goes on in a thread that nobody waits for."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._answer: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def cut(self) -> None:
        """From another thread."""
        self._answer.put(OSError("interrupted"))

    def wait(self, within_s: float) -> list[str]:
        threading.Thread(target=self._look_up, name="look-up", daemon=True).start()
        try:
            found = self._answer.get(timeout=within_s)
        except queue.Empty:
            raise BadAddress(f"{self._host} was not found in {within_s:g} s") from None
        if isinstance(found, OSError):
            raise BadAddress(f"{self._host} cannot be found") from found
        return found

    def _look_up(self) -> None:
        try:
            found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
            self._answer.put([str(each[4][0]) for each in found])
        except (OSError, UnicodeError) as error:  # a name that is none is a UnicodeError
            self._answer.put(error if isinstance(error, OSError) else OSError(str(error)))


def _may_be_sent_to(address: Address, networks: Sequence[Network]) -> bool:
    real = _real(address)
    if any(real in each for each in networks):
        return True
    if isinstance(real, ipaddress.IPv6Address) and real not in _UNICAST:
        return False
    return not any(real in each for each in _NOT_PUBLIC)


def _real(address: Address) -> Address:
    """The address of version 4 that one of version 6 leads to, where it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address


def send(
    url: str,
    secret: str,
    event: Event,
    house: EgressPolicy,
    now: float,
    interruption: "Interruption | None" = None,
) -> DeliveryOutcome:
    """Every way in which it can fail is an outcome; one that is interrupted has failed too."""
    until = time.monotonic() + house.whole_s
    interruption = interruption or Interruption()
    try:
        parts = checked_url(url, house)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        address = addresses_of(parts.hostname or "", port, house, interruption)[0]
        tls = ssl.create_default_context(cafile=house.ca) if parts.scheme == "https" else None
        connection = _ToAddress(parts.hostname or "", port, address, tls)
        with interruption.cuts(connection):
            return _posted(connection, parts, _signed(secret, event, now), event.body, until)
    except BadAddress as error:
        return DeliveryOutcome(error=str(error))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return DeliveryOutcome(error=f"{type(error).__name__}: {error}"[:300])


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


class Interruption:
    """Ends the deliveries that are under way; once it is set, none begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[_LookUp | _ToAddress] = set()
        self._is_set = False

    @property
    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            for each in self._under_way:
                each.cut()

    @contextmanager
    def cuts(self, part: "_LookUp | _ToAddress") -> Iterator[None]:
        """Cuts off this part of a delivery while the block runs, at once if it is set already."""
        with self._lock:
            self._under_way.add(part)
            if self._is_set:
                part.cut()
        try:
            yield
        finally:
            with self._lock:
                self._under_way.discard(part)


class _ToAddress(http.client.HTTPConnection):
    """To an address that was checked, under the name that the certificate must have."""

    def __init__(self, host: str, port: int, address: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(host, port, timeout=WHOLE_S)
        self._to = (address, port)
        self._tls = tls
        self._over = False

    def connect(self) -> None:
        # The socket is known before it is connected, so that `cut` ends a connect that hangs.
        version = ipaddress.ip_address(self._to[0].partition("%")[0]).version
        self.sock = socket.socket(socket.AF_INET if version == 4 else socket.AF_INET6)
        self.sock.settimeout(self.timeout)
        self._stop_if_over()
        self.sock.connect(self._to)
        if self._tls is not None:
            # A handshake is the other side's to make long: what is cut off has to be known before.
            self.sock = self._tls.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
        self._stop_if_over()
        if isinstance(self.sock, ssl.SSLSocket):
            self.sock.do_handshake()

    def _stop_if_over(self) -> None:
        if self._over:
            raise TimeoutError("timed out")

    def cut(self) -> None:
        """From another thread; what is not connected yet will not be."""
        self._over = True
        with suppress(OSError, TypeError):
            # Not TLS's own, after which what is still written would go out in the clear.
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def _posted(
    connection: _ToAddress, parts: SplitResult, headers: dict[str, str], body: bytes, until: float
) -> DeliveryOutcome:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    connection.timeout = left
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    # A timeout of a socket is for each piece: one that drips has to be cut off as a whole.
    cut = threading.Timer(left, connection.cut)
    cut.start()
    try:
        connection.request("POST", path, body, {**headers, "host": parts.netloc})
        return _judged(connection.getresponse())
    finally:
        cut.cancel()
        connection.close()


def _judged(response: http.client.HTTPResponse) -> DeliveryOutcome:
    status = response.status
    if 200 <= status < 300:
        return DeliveryOutcome(status)
    wait = None
    if status in (http.client.TOO_MANY_REQUESTS, http.client.SERVICE_UNAVAILABLE):
        asked = response.headers.get("retry-after", "")
        wait = min(float(asked), WAIT_MOST_S) if asked.isascii() and asked.isdecimal() else None
    return DeliveryOutcome(status, f"it answered {status}", wait)

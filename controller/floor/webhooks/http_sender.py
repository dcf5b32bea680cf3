"""Sends one event to one address: HTTPS, signed, no redirect, never into the site's own network.

A name is resolved once, every address is checked, and the connection is pinned to one of them, so a
second DNS answer changes nothing. The non-public networks are listed here, because Python's own
list changes between releases. One time-out covers everything.
"""

import asyncio
import ipaddress
import socket
import ssl
import threading
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

import httpcore
import msgspec
from standardwebhooks import Webhook

from controller.floor.webhooks.events import Event

WHOLE_S: Final = 15.0
"""Time-out of one delivery, from name resolution to the answer."""
MAX_WAIT_S: Final = 3600.0

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""The global unicast range of IPv6. All else is local, a translator's (::ffff:0:0:0/96,
64:ff9b:1::/48), a segment's (5f00::/16) or unassigned."""
_NOT_PUBLIC: Final[tuple[Network, ...]] = tuple(
    ipaddress.ip_network(each)
    for each in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.168.0.0/16",
        "192.0.0.0/24",  # between a provider and its customers
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  # documentation
        "192.88.99.0/24",  # the nearest relay of 6to4
        "198.18.0.0/15",  # for measurements
        "224.0.0.0/4", "240.0.0.0/4",  # multicast, reserved, broadcast
        "2001::/23",  # Teredo, measurements, keys that look like addresses
        "2001:db8::/32", "3fff::/20",  # documentation
        "2002::/16",  # 6to4: the target is behind a relay
    )
)  # fmt: skip


class BadAddress(ValueError):
    """An address that events must not be sent to; the text has the reason."""


class DeliveryOutcome(msgspec.Struct, frozen=True):
    """The result of a delivery."""

    status: int = 0
    error: str | None = None
    """Why the delivery failed; None: it succeeded."""
    wait: float | None = None
    """The delay that the subscriber asks for."""

    @property
    def delivered(self) -> bool:
        return self.error is None

    @property
    def gone(self) -> bool:
        """Whether the subscriber answered 410: it wants no more events."""
        return self.status == HTTPStatus.GONE


class EgressPolicy(msgspec.Struct, frozen=True):
    """What a site permits: its own networks as targets, and additional certificate authorities."""

    allowed: tuple[str, ...] = ()
    ca: str | None = None
    whole_s: float = WHOLE_S

    @property
    def networks(self) -> list[Network]:
        return [ipaddress.ip_network(each) for each in self.allowed]


def checked_url(url: str, policy: EgressPolicy) -> SplitResult:
    """Parses a URL; raises `BadAddress` if its target is forbidden, as far as this shows without
    name resolution."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"{url!r} is no address: {error}") from error
    if not parts.hostname or parts.username is not None or port == 0:
        raise BadAddress(f"{url!r} is no address of a subscriber: https://host/path")
    if parts.scheme == "https" or (parts.scheme == "http" and _loops_back(parts.hostname, policy)):
        return parts
    raise BadAddress(f"{url!r} is not https: results are signed, and not for everybody on the way")


def _loops_back(host: str, policy: EgressPolicy) -> bool:
    """Whether plain HTTP is permitted: only to this machine, for tests, if the policy allows it."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        return address.is_loopback and any(address in each for each in policy.networks)
    return False


async def addresses_of(host: str, port: int, policy: EgressPolicy) -> list[str]:
    """Resolves a name; raises `BadAddress` if one address is in the site's own network."""
    try:
        addresses = list(dict.fromkeys(await _look_up(host, port)))
    except (OSError, UnicodeError) as error:  # an invalid name is a UnicodeError
        raise BadAddress(f"{host} cannot be found") from error
    networks = policy.networks
    for text in addresses:
        if not _may_be_sent_to(ipaddress.ip_address(text.partition("%")[0]), networks):
            raise BadAddress(
                f"{host} leads to {text}, which is not on the public network: allow it in "
                "`webhooks.allow` if the subscriber is in the house"
            )
    return addresses


async def _look_up(host: str, port: int) -> list[str]:
    """Resolves a name by the system's resolver. This has no time-out, so it runs in a daemon
    thread, which continues without a waiter after a time-out or a cancellation."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | Exception) -> None:
        if answer.done():
            return
        if isinstance(found, Exception):
            answer.set_exception(found)
        else:
            answer.set_result(found)

    def ask() -> None:
        found: list[str] | Exception
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = [str(each[4][0]) for each in rows]
        except (OSError, UnicodeError) as error:
            found = error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=ask, name="look-up", daemon=True).start()
    return await answer


def _may_be_sent_to(address: Address, networks: Sequence[Network]) -> bool:
    real = _real(address)
    if any(real in each for each in networks):
        return True
    if isinstance(real, ipaddress.IPv6Address) and real not in _UNICAST:
        return False
    return not any(real in each for each in _NOT_PUBLIC)


def _real(address: Address) -> Address:
    """The IPv4 address that an IPv6 address embeds, if any."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address


class Interruption:
    """Cancels the deliveries in progress; once it is set, none begins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[asyncio.Task[Any], asyncio.AbstractEventLoop] = {}
        self._is_set = False

    @property
    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        """Cancels the deliveries; may be called from any thread."""
        with self._lock:
            self._is_set = True
            for task, loop in self._under_way.items():
                loop.call_soon_threadsafe(task.cancel)

    async def cancels(self, delivery: Coroutine[Any, Any, DeliveryOutcome]) -> DeliveryOutcome:
        """Runs a delivery until it ends or this is set."""
        task = asyncio.create_task(delivery)
        with self._lock:
            self._under_way[task] = asyncio.get_running_loop()
            if self._is_set:
                task.cancel()
        try:
            return await task
        finally:
            with self._lock:
                del self._under_way[task]


def send(
    url: str,
    secret: str,
    event: Event,
    policy: EgressPolicy,
    now: float,
    interruption: Interruption | None = None,
) -> DeliveryOutcome:
    """Sends an event. Every failure is an outcome; so is an interruption."""
    delivery = _deliver(url, _signed(secret, event, now), event.body, policy)
    try:
        return asyncio.run((interruption or Interruption()).cancels(delivery))
    except asyncio.CancelledError:
        return DeliveryOutcome(error="interrupted")
    except BadAddress as error:
        return DeliveryOutcome(error=str(error))
    except TimeoutError:
        return DeliveryOutcome(error=f"no answer within {policy.whole_s:g} s")
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
        cause = _root_cause(error)
        return DeliveryOutcome(error=f"{type(cause).__name__}: {cause}"[:300])


async def _deliver(
    url: str, headers: list[tuple[str, str]], body: bytes, policy: EgressPolicy
) -> DeliveryOutcome:
    until = asyncio.get_running_loop().time() + policy.whole_s
    parts = checked_url(url, policy)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        async with asyncio.timeout_at(until):
            address, *_ = await addresses_of(host, port, policy)
    except TimeoutError:
        raise BadAddress(f"{host} was not found in {policy.whole_s:g} s") from None
    headers = [*headers, ("host", parts.netloc)]
    tls = ssl.create_default_context(cafile=policy.ca) if parts.scheme == "https" else None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = httpcore.URL(
        scheme=parts.scheme, host=host.encode("idna"), port=port, target=path.encode("ascii")
    )
    async with (
        asyncio.timeout_at(until),
        aclosing(_PinnedBackend(address)) as backend,
        httpcore.AsyncConnectionPool(tls, network_backend=backend) as pool,
        pool.stream("POST", target, headers=headers, content=body) as response,
    ):
        return _judged(response)


def _signed(secret: str, event: Event, now: float) -> list[tuple[str, str]]:
    """The headers of a delivery, with its signature."""
    stamp = datetime.fromtimestamp(int(now), UTC)
    signature = Webhook(secret).sign(event.id, stamp, event.body.decode())
    return [
        ("content-type", "application/json"),
        ("user-agent", "sabot-floor"),
        ("webhook-id", event.id),
        ("webhook-timestamp", str(int(now))),
        ("webhook-signature", signature),
    ]


class _PinnedBackend(httpcore.AnyIOBackend):
    """Connects to one address, whatever the URL names; TLS still checks the name. It closes what it
    has opened: the library leaves a connection open that is cancelled in its handshake."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._streams: list[httpcore.AsyncNetworkStream] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        del host
        stream = await super().connect_tcp(
            self._address, port, timeout, local_address, socket_options
        )
        self._streams.append(stream)
        return stream

    async def aclose(self) -> None:
        for stream in self._streams:
            await stream.aclose()


def _judged(response: httpcore.Response) -> DeliveryOutcome:
    status = response.status
    if 200 <= status < 300:
        return DeliveryOutcome(status)
    wait = None
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers = {name.lower(): value for name, value in response.headers}
        asked = headers.get(b"retry-after", b"")
        wait = min(float(asked), MAX_WAIT_S) if asked.isdigit() else None
    return DeliveryOutcome(status, f"it answered {status}", wait)


def _root_cause(error: BaseException) -> BaseException:
    """The system's own error: the library wraps it once or twice."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error

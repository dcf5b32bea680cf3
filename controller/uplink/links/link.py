"""The link to the floor: NATS, or HTTPS where there is no broker. Neither stores anything.

A link reports that it is down or that no reply came; the outbox decides what to do then. Its own
asyncio loop runs in the uplink's thread, and the table never waits for it.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias
from urllib.parse import urlsplit

CONNECT_S: Final = 10.0
Answering: TypeAlias = Callable[[bytes], Awaitable[bytes]]
"""Makes the answer to an order; both are encoded bytes."""


class LinkDown(Exception):
    """The floor cannot be reached; the text is the reason."""


class NoAnswer(Exception):
    """No reply came; the floor may have received the message."""


@dataclass(frozen=True)
class Access:
    """The floor's address, and the table's credentials."""

    url: str
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    token: Path | None = None
    """The token used over HTTPS in place of a certificate."""

    @property
    def scheme(self) -> str:
        return urlsplit(self.url).scheme

    def tls(self) -> ssl.SSLContext:
        """Load the certificates. Raises `LinkDown` if the files are not valid."""
        try:
            made = ssl.create_default_context(cafile=None if self.ca is None else str(self.ca))
            if self.certificate is not None:
                made.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise LinkDown(f"the table's certificate cannot be used: {error}") from error
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        return made


class Link(Protocol):
    """One connection to the floor. Every method raises `LinkDown` if it is down."""

    packs: bool
    """Whether it carries MessagePack; otherwise JSON."""

    @property
    def up(self) -> bool: ...

    async def connect(self, orders: Answering) -> None:
        """Connect to the floor, and answer orders from now on."""

    async def ask(self, what: str, data: bytes, timeout_s: float) -> bytes:
        """Send a request and return the reply. Raises `NoAnswer` if none came in time."""

    async def tell(self, what: str, data: bytes) -> None:
        """Publish a message; returns when it is written, so a fast sender waits here."""

    async def close(self) -> None: ...


async def within(seconds: float, doing: Awaitable[object], what: str) -> None:
    """Await with a time-out; raises `LinkDown` when it expires."""
    try:
        async with asyncio.timeout(seconds):
            await doing
    except TimeoutError as error:
        raise LinkDown(f"{what} took longer than {seconds:g} s") from error

"""The wire to the floor: NATS, or HTTPS where there is no broker. Neither holds anything.

A link says that it is down, or that nobody answered; what to do then is the outbox's to say. Its
own asyncio loop runs in the uplink's thread, and nothing here is ever waited for by the table.
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
"""Makes the answer to an order; both as they are on the wire."""


class LinkDown(Exception):
    """The floor cannot be reached, and why."""


class NoAnswer(Exception):
    """Somebody may have heard it; nobody has said so."""


@dataclass(frozen=True)
class Access:
    """Where the floor is, and what the table shows it of itself."""

    url: str
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    token: Path | None = None
    """Holds what stands in a certificate's place over HTTPS."""

    @property
    def scheme(self) -> str:
        return urlsplit(self.url).scheme

    def tls(self) -> ssl.SSLContext:
        """Raises `LinkDown` where the files are not what they are said to be."""
        try:
            made = ssl.create_default_context(cafile=None if self.ca is None else str(self.ca))
            if self.certificate is not None:
                made.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise LinkDown(f"the table's certificate cannot be used: {error}") from error
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        return made


class Link(Protocol):
    """One way to the floor. Everything raises `LinkDown` where it is down."""

    packs: bool
    """Whether it carries MessagePack; otherwise JSON."""

    @property
    def up(self) -> bool: ...

    async def connect(self, orders: Answering) -> None:
        """Reach the floor, and answer orders from now on."""

    async def ask(self, what: str, data: bytes, timeout_s: float) -> bytes:
        """Raises `NoAnswer` where none came in time."""

    async def tell(self, what: str, data: bytes) -> None:
        """Returns when the wire has it: whoever tells too fast waits here and nowhere else."""

    async def close(self) -> None: ...


async def within(seconds: float, doing: Awaitable[object], what: str) -> None:
    """Raises `LinkDown` where it takes longer."""
    try:
        async with asyncio.timeout(seconds):
            await doing
    except TimeoutError as error:
        raise LinkDown(f"{what} took longer than {seconds:g} s") from error

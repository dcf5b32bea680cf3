"""The link to a floor over HTTPS, for a site without a broker: the same messages as JSON, one at a
time.

`http.client` blocks, so each exchange runs in a thread of its own pool. Orders cannot be pushed:
they come in the reply to a beat, and their answers are posted.
"""

import asyncio
import http.client
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec
import structlog

from controller.protocol.names import PATHS
from controller.protocol.orders import Orders
from controller.protocol.unreadable import UNREADABLE
from controller.uplink.links.link import CONNECT_S, Access, Answering, LinkDown, NoAnswer

_NOT_THERE: Final = (404, 405)
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
_DOWN: Final = (OSError, http.client.HTTPException, ssl.SSLError)

T = TypeVar("T")

log = structlog.get_logger()


class HttpsLink:
    """Each kind of message has its own connection: a view never waits behind a batch."""

    packs = False

    def __init__(self, access: Access) -> None:
        self._access = access
        place = urlsplit(access.url)
        self._host, self._port = place.hostname or "", place.port
        self._under = place.path.rstrip("/")
        self._lines: dict[str, http.client.HTTPConnection] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._orders: Answering | None = None
        self.up = False

    async def connect(self, orders: Answering) -> None:
        await self.close()
        self._orders = orders
        self._pool = ThreadPoolExecutor(max_workers=len(PATHS), thread_name_prefix="floor")
        tls = self._access.tls() if self._access.scheme == "https" else None
        for what in PATHS:
            self._lines[what] = self._line(tls)
        await self._in_thread(self._lines["rec"].connect)
        self.up = True

    def _line(self, tls: ssl.SSLContext | None) -> http.client.HTTPConnection:
        if tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=CONNECT_S)
        return http.client.HTTPSConnection(self._host, self._port, timeout=CONNECT_S, context=tls)

    async def ask(self, what: str, data: bytes, timeout_s: float) -> bytes:
        try:
            async with asyncio.timeout(timeout_s):
                return await self._posted(what, data)
        except TimeoutError as error:
            raise NoAnswer("the floor did not answer in time") from error

    async def tell(self, what: str, data: bytes) -> None:
        found = await self._posted(what, data)
        if what == "beat" and found:
            await self._answer_orders(found)

    async def close(self) -> None:
        """Close the connections; a running exchange ends with its time-out in a thread that is not
        joined."""
        self.up = False
        for line in self._lines.values():
            line.close()
        self._lines = {}
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _answer_orders(self, found: bytes) -> None:
        try:
            orders = msgspec.json.decode(found, type=Orders).orders
        except UNREADABLE as error:
            log.warning("floor_link", says=f"the answer to a beat is none: {error}")
            return
        assert self._orders is not None
        for order in orders:
            await self._posted("answer", await self._orders(msgspec.json.encode(order)))

    async def _posted(self, what: str, data: bytes) -> bytes:
        line = self._lines.get(what)
        if line is None:
            raise LinkDown("there is no connection to the floor")
        status, found = await self._in_thread(lambda: self._exchange(line, what, data))
        if status < 400 or (what == "rec" and found):
            return found  # a refusal is signed as well, and contains its reason
        if status in _NOT_THERE and what != "rec":
            return b""  # a floor may lack views and orders
        if status >= 500:
            raise NoAnswer(f"the floor answers {status}")
        raise LinkDown(f"the floor refuses this table: {status}")

    def _exchange(
        self, line: http.client.HTTPConnection, what: str, data: bytes
    ) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json"}
        if self._access.token is not None:
            headers["Authorization"] = f"Bearer {self._access.token.read_text().strip()}"
        line.request("POST", self._under + PATHS[what], data, headers)
        with line.getresponse() as answer:
            return answer.status, answer.read(MAX_ANSWER_BYTES)

    async def _in_thread(self, doing: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, doing)
        except _DOWN as error:
            self.up = False
            raise LinkDown(str(error) or type(error).__name__) from error

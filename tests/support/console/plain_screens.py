"""A browser as plain as it can be, for consoles that run as programs or on a real port."""

import asyncio
import json
import ssl
import urllib.error
import urllib.request
from typing import Any

from websockets.asyncio.client import connect

from controller.table.commands import people  # noqa: F401  # its words are entered by that
from controller.table.commands.registry import REGISTRY
from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


class Screen:
    def __init__(self, url: str, trusts: ssl.SSLContext | None = None) -> None:
        self.url = url
        self.cookie = self.csrf = ""
        self.headers: dict[str, str] = {}
        """Of the last answer."""
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusts)
        )
        self._taps = 0
        self._secret = ""

    def ask(self, path: str, body: object = None) -> Any:
        """The answer, or the problem."""
        headers = {"Cookie": self.cookie, "X-Sabot-Csrf": self.csrf}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with self._opener.open(request, timeout=LIMIT_S) as answer:
                self.headers = dict(answer.headers)
                if answer.headers["Set-Cookie"]:
                    self.cookie = answer.headers["Set-Cookie"].split(";")[0]
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            with problem:
                return json.load(problem)

    def sign_in(self, who: str, secret: str) -> None:
        self._secret = secret
        self.csrf = self.ask("/api/sign-in", {"who": who, "secret": secret})["csrf"]

    def say(self, word: str, key: str | None = None, **given: Any) -> Any:
        self._taps += 1
        own = {"secret": self._secret} if REGISTRY[word].in_person else {}
        body = {"key": key or f"tap-{self._taps:06}", "with": given, **own}
        return self.ask(f"/api/commands/{word}", body)


def first_message_over_tls(url: str, trusts: ssl.SSLContext, cookie: str) -> dict[str, Any]:
    """The first message of the dealer's feed.

    Read with asyncio: the client with threads reads and writes one TLS connection at the same time,
    which OpenSSL does not allow, and now and then hangs in its handshake.
    """

    async def receive() -> str | bytes:
        headers = {"Cookie": cookie}
        address = url.replace("https", "wss") + "/feed/dealer"
        async with connect(
            address, ssl=trusts, additional_headers=headers, proxy=None, open_timeout=LIMIT_S
        ) as feed:
            return await asyncio.wait_for(feed.recv(), LIMIT_S)

    message: dict[str, Any] = json.loads(asyncio.run(receive()))
    return message

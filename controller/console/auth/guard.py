"""Checks before every request: host name, body size, same origin.

Pure ASGI, so that it covers WebSockets and bodies alike. It adds security headers to every answer.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.console.problems import Problem

MAX_BODY_BYTES: Final = 64 * 1024
CLOSED_POLICY: Final = 4403

POLICY: Final = "Content-Security-Policy"
HEADERS: Final = {
    POLICY: (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), serial=()",
    "Cache-Control": "no-store",
}


class Guard:
    """Wraps the application. `hosts` are the accepted host names; empty: any. `larger` maps paths
    to a larger limit of the body."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str], larger: Mapping[str, int] | None = None
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._larger = larger or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._hosts and host_name(headers.get("host", "")) not in self._hosts:
            await self._turn_away(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._http(scope, headers, receive, send)

    async def _turn_away(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Rejects an unknown host name (DNS rebinding) without a page."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": CLOSED_POLICY})
            return
        detail = f"open the console by one of these names: {', '.join(sorted(self._hosts))}"
        response = Problem("wrong_host", detail).response()
        await response(scope, receive, _with_headers(send))

    async def _http(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        most = self._larger.get(scope["path"], MAX_BODY_BYTES)
        body = _Body(receive, headers.get("content-length", "0"), most)
        out = _with_headers(send)
        try:
            body.check_announced()
            _check_one_length(headers)
        except Problem as problem:
            response = problem.response()
            response.headers["Connection"] = "close"
            await response(scope, receive, out)
            return
        await self._app(scope, body.receive, out)


class _Body:
    """Passes a request's body on up to a limit of size."""

    def __init__(self, receive: Receive, announced: str, most: int) -> None:
        self._receive = receive
        self._announced = announced
        self._most = most
        self._seen = 0

    def check_announced(self) -> None:
        if not self._announced.isdecimal():
            raise Problem("bad_request", "Content-Length is not a number")
        if int(self._announced[:12]) > self._most:
            raise _too_large(self._most)

    async def receive(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            raise _too_large(self._most)
        return message


def _check_one_length(headers: Headers) -> None:
    """Rejects a request with two lengths: two readers could disagree on where the body ends and
    find a second request in it (RFC 9112, 6.1)."""
    if "transfer-encoding" in headers and "content-length" in headers:
        raise Problem("bad_request", "a body has a length or comes in chunks, not both")


def _too_large(most: int) -> Problem:
    return Problem("too_large", f"a request's body has at most {most} bytes")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def host_name(host: str) -> str:
    """The name in a Host header without its port: `[::1]:8470` becomes `[::1]`."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def same_origin(scope: Scope) -> bool:
    """Whether a request comes from a page of this console; true where no page sent it."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None:
        return True
    secure = scope["scheme"] in ("https", "wss")
    return origin == f"{'https' if secure else 'http'}://{headers.get('host', '')}"

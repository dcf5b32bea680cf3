"""The back door: a unit's commands over HTTP and JSON, on this machine only.

    GET  /             the bench page: the device drawn, a button for each command
    GET  /words        every command, its effect and its fields
    GET  /state        the whole visible state of the device and its cable
    POST /do/WORD      {"card": "9S"} as application/json
    GET  /robot        the state of the robot that plays at a console; null without one
    POST /robot/HOW    let it play: normal, fast, mistakes; or stop

Pages of other origins that a browser on this machine has open can neither read nor change anything
here: the requested host and port must be this server's, and the page's origin must have the same
scheme, host and port. A page from another program of this machine is refused too. Only the demo
page of the robot's console may frame the bench page.
"""

import contextlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from simulators.kit.contract import Refused
from simulators.wire.serve import Busy, Server
from simulators.wire.unit import Unit

LOOPBACK: Final = "127.0.0.1"
OWN_NAMES: Final = frozenset({"127.0.0.1", "localhost"})
MAX_BODY: Final = 65_536
REQUEST_LIMIT_S: Final = 10.0
ASK_LIMIT_S: Final = 60.0

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors "
)
STOP: Final = "stop"
PAGE: Final = {
    "/": ("text/html; charset=utf-8", "page.html"),
    "/bench.css": ("text/css; charset=utf-8", "page.css"),
    "/words.js": ("text/javascript; charset=utf-8", "words.js"),
    "/bench.js": ("text/javascript; charset=utf-8", "page.js"),
    "/drawing.js": ("text/javascript; charset=utf-8", "drawing.js"),
    "/robot.js": ("text/javascript; charset=utf-8", "robot.js"),
}

Reply = tuple[HTTPStatus, object]


class Robot(Protocol):
    """The robot that plays with this shoe at a console."""

    table: str

    def shown(self) -> dict[str, Any]:
        """Return the robot's state."""

    def play(self, manner: str) -> None:
        """Start playing; raises `LookupError` for an unknown manner."""

    def stop(self) -> None:
        """Stop playing; the table stays as it is."""

    def touched(self) -> None:
        """Stop because a person uses the shoe."""


class Panel:
    """The back door of one running server; `close` shuts it down."""

    def __init__(self, server: Server, port: int = 0, robot: Robot | None = None) -> None:
        handler = type("Handler", (_Handler,), {"server_of_unit": server, "robot": robot})
        self._http = ThreadingHTTPServer((LOOPBACK, port), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._http.server_address[1]}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    server_of_unit: Server
    robot: Robot | None
    timeout = REQUEST_LIMIT_S

    def do_GET(self) -> None:
        if not self._is_ours():
            return
        unit = self.server_of_unit.unit
        if (file := self.path.partition("?")[0]) in PAGE:
            kind, name = PAGE[file]
            self._send(HTTPStatus.OK, kind, (files("simulators") / "panel" / name).read_bytes())
        elif self.path == "/words":
            self._answer(HTTPStatus.OK, described(unit))
        elif self.path == "/state":
            self._answer(*self._called(lambda: (HTTPStatus.OK, unit.shown())))
        elif self.path == "/robot":
            self._answer(HTTPStatus.OK, self.robot and self.robot.shown())
        else:
            self._answer(HTTPStatus.NOT_FOUND, {"error": f"there is nothing at {self.path}"})

    def do_POST(self) -> None:
        if not self._is_ours():
            return
        _, kind, name = f"{self.path}//".split("/")[:3]
        if kind not in ("do", "robot"):
            self._answer(HTTPStatus.NOT_FOUND, {"error": "POST goes to /do/WORD or /robot/HOW"})
            return
        given = self._body()
        if given is not None:
            self._answer(*(self._do(name, given) if kind == "do" else self._play(name)))

    def _play(self, manner: str) -> Reply:
        if self.robot is None:
            return HTTPStatus.NOT_FOUND, {"error": "no robot sits here: start with --table"}
        if manner == STOP:
            self.robot.stop()
        else:
            try:
                self.robot.play(manner)
            except LookupError:
                return HTTPStatus.NOT_FOUND, {"error": f"the robot does not play {manner!r}"}
        return HTTPStatus.OK, self.robot.shown()

    def _do(self, word: str, given: dict[str, Any]) -> Reply:
        unit = self.server_of_unit.unit
        if word not in unit.words:
            return HTTPStatus.NOT_FOUND, {"error": f"there is no word {word!r}; see /words"}
        if self.robot is not None:
            self.robot.touched()

        def do() -> Reply:
            try:
                return HTTPStatus.OK, {"done": word, "answer": unit.do(word, **given)}
            except Refused as error:
                params = {name: str(value) for name, value in error.params.items()}
                reported = {"error": str(error), "sentence": error.sentence, "gaps": params}
                return HTTPStatus.CONFLICT, reported

        return self._called(do)

    def _called(self, what: Callable[[], Reply]) -> Reply:
        try:
            return self.server_of_unit.call(what)
        except Busy as error:
            return HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(error)}

    def _is_ours(self) -> bool:
        """Return whether the request has this machine's host name and no other page's origin;
        refuse it otherwise."""
        own = {f"{name}:{self.connection.getsockname()[1]}" for name in OWN_NAMES}
        hosts = {each.lower() for each in self.headers.get_all("Host", [""])}
        origins = set(self.headers.get_all("Origin", []))
        if hosts <= own and origins <= {f"http://{name}" for name in own}:
            return True
        self._answer(HTTPStatus.FORBIDDEN, {"error": "this door is for this machine only"})
        return False

    def _body(self) -> dict[str, Any] | None:
        if self.headers.get_content_type() != "application/json":
            self._answer(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": "send Content-Type: application/json"}
            )
            return None
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            self._answer(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                {"error": f"send Content-Length, at most {MAX_BODY}"},
            )
            return None
        try:
            given = json.loads(self.rfile.read(int(length)) or b"{}")
        except (ValueError, RecursionError):  # `RecursionError`: deeply nested braces
            given = None
        if not isinstance(given, dict):
            self._answer(HTTPStatus.BAD_REQUEST, {"error": "the body must be a JSON object"})
            return None
        return given

    def _answer(self, status: HTTPStatus, body: object) -> None:
        self._send(status, "application/json", json.dumps(body).encode())

    def _send(self, status: HTTPStatus, kind: str, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the client may be gone
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Content-Security-Policy", POLICY + _framed_by(self.robot))
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Discard request logs: standard output is for the ready line."""


def _framed_by(robot: Robot | None) -> str:
    """Return the only page that may frame this one: the table's, under both host names."""
    if robot is None:
        return "'none'"
    table = urlsplit(robot.table)
    return " ".join(f"{table.scheme}://{name}:{table.port}" for name in sorted(OWN_NAMES))


def described(unit: Unit) -> dict[str, Any]:
    """Describe every command, with its owner and the valid values of its fields."""
    return {
        name: {
            "says": word.description,
            "of": "device" if name in unit.emulator.words else "cable",
            "fields": dict(word.fields),
            "choices": {field: word.choices(field) for field in word.fields},
        }
        for name, word in unit.words.items()
    }


# --- from the other side ----------------------------------------------------------------------


class DoorError(Exception):
    """The back door refused the request, or did not answer; contains the reason."""


def ask(url: str, path: str, given: dict[str, object] | None = None) -> Any:
    """Send a request to the back door at `url` and return its answer; `given` makes it a POST.
    Raises `DoorError`."""
    data = None if given is None else json.dumps(given).encode()
    # Programs on one machine need no proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        request = urllib.request.Request(
            url.rstrip("/") + path, data, {"Content-Type": "application/json"}
        )
        with opener.open(request, timeout=ASK_LIMIT_S) as reply:
            return json.loads(reply.read())
    except urllib.error.HTTPError as error:
        with error:
            raise DoorError(_reason(error.read())) from None
    except (OSError, ValueError) as error:
        raise DoorError(f"nobody answers at {url}: {error}") from None


def do(url: str, word: str, **given: object) -> Any:
    """Run a back-door command and return its result."""
    return ask(url, f"/do/{word}", given)["answer"]


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, LookupError, TypeError):
        return body.decode(errors="replace") or "refused without a reason"

"""A subscriber that answers as it is told, on loopback."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str]]
HANGS_S = 240.0


@dataclass
class Receiver:
    """What came, in the order in which it came; `answers` decides what each is answered."""

    answers: Callable[[dict[str, Any]], Answer | None] = lambda _: (204, {})
    got: list[dict[str, Any]] = field(default_factory=list)
    taken: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    url: str = ""
    hang: threading.Event = field(default_factory=threading.Event)

    def records(self, table: str) -> list[int]:
        """The numbers of the records of one table that it has taken."""
        return [each["data"]["record"] for each in self.taken if each["data"]["table"] == table]


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            said = json.loads(body)
            receiver.got.append(said)
            receiver.bodies.append(body)
            receiver.headers.append({name.lower(): text for name, text in self.headers.items()})
            answer = receiver.answers(said)
            if answer is None:
                receiver.hang.wait(HANGS_S)
                return
            status, headers = answer
            if 200 <= status < 300:
                receiver.taken.append(said)
            self.send_response(status)
            for name, text in headers.items():
                self.send_header(name, text)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            del format, args

    return Handler


@contextmanager
def receiving(
    answers: Callable[[dict[str, Any]], Answer | None] | None = None,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Receiver]:
    receiver = Receiver() if answers is None else Receiver(answers)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    scheme = "http" if tls is None else "https"
    receiver.url = f"{scheme}://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.hang.set()
        server.shutdown()
        server.server_close()

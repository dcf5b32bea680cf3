"""A model floor behind HTTP or HTTPS: the standard library's server, a model's judgement."""

import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec

from controller.protocol.names import PATHS
from controller.protocol.orders import OrderAnswer, Orders, SignedOrder
from controller.protocol.records import Batch, BatchVerdict, Watermark
from support.floor.model_floor import ModelFloor
from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


class HttpsFloor:
    """Serves until the block ends; with certificates only to whom its authority has signed."""

    def __init__(self, files: tuple[Path, Path, Path] | None = None, token: str = "") -> None:
        self.floor = ModelFloor()
        self.orders: list[SignedOrder] = []
        self.answers: list[OrderAnswer] = []
        self.heard: dict[str, int] = {}
        self.stalls = threading.Event()
        self.stalls.set()
        """Cleared: it answers nothing until it is set again."""
        self._token = token
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        if files is not None:
            certificate, key, ca = files
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            context.load_verify_locations(ca)
            context.verify_mode = ssl.CERT_REQUIRED
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "http" if files is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> "HttpsFloor":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stalls.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(LIMIT_S)

    def said(self, path: str, data: bytes) -> tuple[int, bytes]:
        """Status and answer."""
        self.heard[path] = self.heard.get(path, 0) + 1
        if path == PATHS["rec"]:
            return 200, msgspec.json.encode(self._judged(msgspec.json.decode(data, type=Batch)))
        if path == PATHS["beat"]:
            waiting, self.orders = self.orders, []
            return 200, msgspec.json.encode(Orders(tuple(waiting)))
        if path == PATHS["answer"]:
            self.answers.append(msgspec.json.decode(data, type=OrderAnswer))
            return 200, b""
        return 404, b""

    def _judged(self, batch: Batch) -> Watermark:
        self.floor.judge(batch)
        return self.floor.says(BatchVerdict.COMMITTED)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        said: Callable[[str, bytes], tuple[int, bytes]] = self.said
        stalls, token = self.stalls, self._token

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                stalls.wait(LIMIT_S)
                if token and self.headers["Authorization"] != f"Bearer {token}":
                    status, answer = 403, b""
                else:
                    status, answer = said(self.path, data)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                return

        return Handler

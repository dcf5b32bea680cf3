"""A wire between browser and server that a test can cut, or hold so that nothing comes through."""

import socket
import threading
from contextlib import suppress


class WireToCut:
    """Forwards to `port`. `cut` breaks every connection and takes no new one; `hold` keeps them
    open and silent; `mend` forwards again what comes from then on, in new connections too."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = threading.Event()
        self._whole.set()
        self._cut = False
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._start(self._accept)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def cut(self) -> None:
        self._cut = True
        self._drop()

    def hold(self) -> None:
        self._whole.clear()

    def lead_to(self, port: int) -> None:
        """New connections go to another server."""
        self._to = port

    def mend(self) -> None:
        self._cut = False
        self._whole.set()

    def close(self) -> None:
        self.cut()
        self._whole.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join()

    def _drop(self) -> None:
        with self._lock:
            ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _start(self, target: object, *given: object) -> None:
        thread = threading.Thread(target=target, args=given, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self._join(near)

    def _join(self, near: socket.socket) -> None:
        try:
            if self._cut:
                raise ConnectionRefusedError
            far = socket.create_connection(("127.0.0.1", self._to), timeout=60)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        with self._lock:
            self._ends += [near, far]
        for one, other in ((near, far), (far, near)):
            self._start(self._forward, one, other)

    def _forward(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self._whole.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._finished(one)

    def _finished(self, one: socket.socket) -> None:
        with self._lock:
            if one in self._ends:
                self._ends.remove(one)
        one.close()

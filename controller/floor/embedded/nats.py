"""nats-server from a wheel, on loopback: the wire, and in memory the latest view of each table."""

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.floor.embedded import tied
from controller.floor.embedded.tied import EmbeddedError

HOST: Final = "127.0.0.1"
READY_S: Final = 30.0
LIVE_MB: Final = 64
"""What the latest views of all tables may take; a thousand of 20 kB are 20."""


def program() -> str:
    """Raises `EmbeddedError` where the wheel is not."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise EmbeddedError("nats-server is not here: `make floor` installs it from a wheel")
    return found


@dataclass
class Nats:
    """A broker that runs; it goes on at the same port after a stop."""

    folder: Path
    port: int = 0
    config: str = ""
    """Lines of its configuration besides ours: certificates, accounts."""
    _program: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"nats://{HOST}:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "nats.log"

    @property
    def pid(self) -> int:
        assert self._program is not None
        return self._program.pid

    def start(self) -> None:
        """Returns when it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = self.port or _free_port()
        views = self.folder / "views"
        lines = (
            f'listen: "{HOST}:{self.port}"',
            f'jetstream {{ store_dir: "{views}", max_mem: {LIVE_MB}MB, max_file: 0 }}',
            "max_payload: 8MB",
            self.config,
        )
        file = self.folder / "nats.conf"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._program = tied.start([program(), "-c", str(file)], self.log, signal.SIGTERM)
        self._wait()

    def _wait(self) -> None:
        assert self._program is not None
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            self.check()
            try:
                socket.create_connection((HOST, self.port), 1.0).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise EmbeddedError(f"nats-server says nothing: {tied.last_lines(self.log)}")

    def check(self) -> None:
        """Raises `EmbeddedError` where it has ended by itself."""
        if self.has_ended:
            raise EmbeddedError(f"nats-server has ended: {tied.last_lines(self.log)}")

    @property
    def has_ended(self) -> bool:
        """By itself, or by somebody else's hand."""
        return self._program is not None and self._program.poll() is not None

    def stop(self) -> None:
        if self._program is not None:
            tied.end(self._program, signal.SIGTERM)
            self._program = None

    def kill(self) -> None:
        """As a power cut would; for tests."""
        assert self._program is not None
        self._program.kill()
        self._program.wait()
        self._program = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def nats(folder: Path, port: int = 0) -> Iterator[Nats]:
    server = Nats(folder, port)
    try:
        server.start()
        yield server
    finally:
        server.stop()

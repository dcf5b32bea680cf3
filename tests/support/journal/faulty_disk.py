"""A disk for SQLite that fails, or kills the process, at the n-th call that changes it.

apsw lets a VFS be written in Python; this one hands everything to the real disk and counts.
"""

import os
import signal
from collections.abc import Callable
from typing import Literal

import apsw

What = Literal["write", "sync", "truncate", "delete"]


class FaultyDisk(apsw.VFS):
    """Register by making one; `fault(what, number)` is called before each counted call.

    Journals are opened on it with `vfs=disk.name`. `tear` makes the fault strike in the middle of
    a write: its first half reaches the disk.
    """

    def __init__(
        self,
        name: str,
        fault: Callable[[What, int], None],
        *,
        counts: tuple[What, ...] = ("write", "sync", "truncate", "delete"),
        tear: bool = False,
    ) -> None:
        self.name = name
        self.calls = 0
        self._fault = fault
        self._counts = counts
        self.tear = tear
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _FaultyFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.count("delete")
        super().xDelete(filename, syncdir)

    def count(self, what: What) -> None:
        if what in self._counts:
            self.calls += 1
            self._fault(what, self.calls)


class _FaultyFile(apsw.VFSFile):
    def __init__(
        self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if self._disk.tear:
            super().xWrite(data[: len(data) // 2], offset)
        self._disk.count("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.count("sync")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.count("truncate")
        super().xTruncate(newsize)


def fails_at(number: int) -> Callable[[What, int], None]:
    """An I/O error at that call and at no other: the disk looks well again afterwards."""

    def fault(_what: What, at: int) -> None:
        if at == number:
            raise apsw.IOError(f"the disk failed at call {number}")

    return fault


def kills_at(number: int) -> Callable[[What, int], None]:
    def fault(_what: What, at: int) -> None:
        if at == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return fault

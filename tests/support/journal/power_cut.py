"""A disk whose power can be cut: what was synced stays, what was not stays in part.

SQLite writes through to the real disk; beside it each file is remembered as of its last sync, with
the writes since then. `image` makes the files as a cut at this moment could leave them: any of the
unsynced writes done, undone, or done for some of their sectors. Names come and go at once, because
SQLite syncs the folder where it relies on a name.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import apsw

SECTOR = 512


@dataclass
class _Remembered:
    now: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    since: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Writes (place, bytes) and truncations (size) since the last sync."""


class PowerCutDisk(apsw.VFS):
    """`after(self)` is called after every change; open journals with `vfs=disk.name`."""

    def __init__(self, name: str, after: Callable[["PowerCutDisk"], None]) -> None:
        self.name = name
        self.files: dict[str, _Remembered] = {}
        self._after = after
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        plain = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        return _File(self, self.files.setdefault(plain, _Remembered()), name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.files.pop(filename, None)
        self.changed()

    def changed(self) -> None:
        self._after(self)

    def image(self, folder: Path, rng: random.Random) -> None:
        folder.mkdir()
        for name, file in self.files.items():
            content = bytearray(file.durable)
            for change in file.since:
                _maybe(content, change, rng)
            (folder / Path(name).name).write_bytes(content)


class _File(apsw.VFSFile):
    def __init__(
        self,
        disk: PowerCutDisk,
        file: _Remembered,
        name: str | apsw.URIFilename | None,
        flags: list[int],
    ) -> None:
        self._disk, self._file = disk, file
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        _write(self._file.now, offset, bytes(data))
        self._file.since.append((offset, bytes(data)))
        self._disk.changed()

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        del self._file.now[newsize:]
        self._file.since.append(newsize)
        self._disk.changed()

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._file.durable = bytes(self._file.now)
        self._file.since.clear()
        self._disk.changed()


def _write(content: bytearray, offset: int, data: bytes) -> None:
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def _maybe(content: bytearray, change: tuple[int, bytes] | int, rng: random.Random) -> None:
    fate = rng.choice(("done", "undone", "torn"))
    if fate == "undone":
        return
    if isinstance(change, int):
        del content[change:]
        return
    offset, data = change
    for at in range(0, len(data), SECTOR):
        if fate == "done" or rng.random() < 0.5:
            _write(content, offset + at, data[at : at + SECTOR])

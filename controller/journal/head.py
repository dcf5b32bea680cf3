"""The second copy of the journal's head: one line of JSON, best kept on another disk.

A disk that lies loses the end of a journal with every check of SQLite's "ok"; an old copy put back
is perfect in itself. Only a head kept elsewhere shows either.
"""

import os
from pathlib import Path

import msgspec

from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.records import Head, canonical


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    digest: str


def read_head(path: Path) -> Head | None:
    """`None` when there is no such file; raises `JournalDamaged` when it holds no head."""
    try:
        line = msgspec.json.decode(path.read_bytes(), type=_Line)
        head = Head(line.seq, bytes.fromhex(line.digest))
        if head.seq < 0 or len(head.digest) != 32:
            raise ValueError("not a head")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalDamaged(
            f"the kept head {path} cannot be read ({error.strerror}): mend that disk first"
        ) from error
    except (msgspec.DecodeError, ValueError) as error:
        raise JournalDamaged(
            f"the kept head {path} is damaged: check the journal with `sabot journal verify`, "
            "then move the damaged head away"
        ) from error
    return head


def write_head(path: Path, head: Head) -> None:
    """Replace the file whole: after a power cut there is the old head or the new one."""
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as out:
            out.write(canonical(_Line(head.seq, head.digest.hex())) + b"\n")
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise JournalUnwritable(
            f"the head cannot be kept in {path}: {error.strerror}; the table stops, because "
            "without it a loss could not be shown"
        ) from error


def sync_folder(folder: Path) -> None:
    """A new name is durable only when its folder is."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

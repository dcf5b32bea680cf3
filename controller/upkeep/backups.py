"""Copies of the journal: made beside a running table, checked before and after, put back with care.

A backup is a journal of its own, copied record by record and checked against the chain as it is
copied, with a small file beside it that says how far it goes. The key that opens sealed cards is
not in it. Putting one back never deletes anything: what was there is moved aside. A copy that ends
before the head that was last kept would make played rounds unhappen, so that takes two people, and
the table that opens it says what is missing and waits.
"""

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from controller.journal import audit
from controller.journal.errors import JournalError
from controller.journal.head import read_head, sync_folder
from controller.journal.records import Head
from controller.journal.store import alone
from controller.upkeep.files import digest_of

_ABOUT: Final = ".json"
RESTORED: Final = ".restored"
"""Beside a journal that was put back: what the next start has to record."""


class BackupError(Exception):
    """What is wrong, and what to do."""


class BackupManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies beside a backup."""

    made: str
    records: int
    digest: str
    sha256: str


class Restored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody put back, for the journal's next record."""

    backup: str
    records: int
    lost: int
    """Records that had been kept and are not in it."""
    people: tuple[str, ...]
    at: str

    @property
    def says(self) -> str:
        who = " and ".join(self.people) or "somebody at the machine"
        missing = f"; {self.lost} records after it are gone" if self.lost else ""
        return f"{who} put back {self.backup}, which ends at record {self.records}{missing}"


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    head: Head


def back_up(journal: Path, head: Path | None, folder: Path, now: datetime) -> Backup:
    """Raises `BackupError` and leaves nothing half made where journal or copy is not whole."""
    before = audit.verify(journal, head)
    if not before.good:
        raise BackupError(f"{journal} is not whole, so nothing was copied: {before}")
    name = f"journal-{now:%Y%m%dT%H%M%SZ}-{before.head.seq:09d}.db"
    path, part = folder / name, folder / f"{name}.part"
    if path.exists():
        raise BackupError(f"{path} exists already")
    _remove(part)
    try:
        audit.recover(journal, part)
        after = audit.verify(part)
        if not after.good or after.head.seq < before.head.seq:
            raise BackupError(f"the copy is not whole, so it was thrown away: {after}")
        about = BackupManifest(
            now.isoformat(), after.head.seq, after.head.digest.hex(), digest_of(part)
        )
        _durably(path.with_name(name + _ABOUT), msgspec.json.encode(about) + b"\n")
        part.replace(path)
        sync_folder(folder)
    finally:
        _remove(part)
    return Backup(path, after.head)


def prune(folder: Path, keep: int) -> list[Path]:
    """Remove all but the `keep` newest backups; gives what was removed."""
    old = sorted(folder.glob("journal-*.db"))[: -keep or None]
    for path in old:
        path.unlink()
        path.with_name(path.name + _ABOUT).unlink(missing_ok=True)
    return old


def check(backup: Path) -> Head:
    """How far a backup goes; raises `BackupError` unless it is whole and as it was made."""
    about_path = backup.with_name(backup.name + _ABOUT)
    try:
        about = msgspec.json.decode(about_path.read_bytes(), type=BackupManifest)
        if digest_of(backup) != about.sha256:
            raise BackupError(f"{backup} has changed since it was made: take another one")
    except OSError as error:
        raise BackupError(f"{error.filename}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise BackupError(f"{about_path} is not what lies beside a backup: {error}") from error
    verdict = audit.verify(backup)
    if not verdict.good or verdict.head != Head(about.records, bytes.fromhex(about.digest)):
        raise BackupError(f"{backup} is not whole: {verdict}")
    return verdict.head


def lost_by(backup: Path, journal: Path, head: Path) -> int:
    """How many records that were kept are not in the backup; raises `BackupError`.

    The head is kept at the end of a round; what the journal holds after it counts too, where it can
    still be read."""
    end = check(backup).seq
    kept = [each.seq for each in (read_head(head), _end_of(journal)) if each is not None]
    return max([0, *(seq - end for seq in kept)])


def _end_of(journal: Path) -> Head | None:
    try:
        return audit.verify(journal).head if journal.exists() else None
    except JournalError:
        return None


def put_back(
    backup: Path, journal: Path, head: Path, people: tuple[str, ...], now: datetime
) -> Restored:
    """The table must be stopped. Going back behind the kept head takes the names of two people."""
    lost = lost_by(backup, journal, head)
    if lost and len(set(people)) < 2:
        raise BackupError(
            f"{backup} ends {lost} records before the last one that was kept: those rounds would "
            "unhappen. Two people have to approve that"
        )
    restored = Restored(backup.name, check(backup).seq, lost, people, now.isoformat())
    with alone(journal):
        _replace(backup, journal, f"{journal.name}.before-{now:%Y%m%dT%H%M%SZ}", restored)
    return restored


def _replace(backup: Path, journal: Path, aside_name: str, restored: Restored) -> None:
    """What was there goes aside, the copy takes its place, and the next start will record it."""
    aside = journal.with_name(aside_name)
    fresh = journal.with_name(f"{journal.name}.fresh")
    _remove(fresh)
    audit.recover(backup, fresh)
    _durably(journal.with_name(journal.name + RESTORED), msgspec.json.encode(restored) + b"\n")
    for suffix in ("", "-wal", "-shm"):
        beside = journal.with_name(journal.name + suffix)
        if beside.exists():
            beside.replace(aside.with_name(aside.name + suffix))
    fresh.replace(journal)
    _remove(fresh)
    sync_folder(journal.parent)


def waiting(journal: Path) -> Restored | None:
    """What was put back and is not in the journal yet."""
    path = journal.with_name(journal.name + RESTORED)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Restored)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise BackupError(f"{path}: {error}: move it away, and note who put what back") from error


def recorded(journal: Path) -> None:
    """It is in the journal now."""
    _remove(journal.with_name(journal.name + RESTORED))


def _durably(path: Path, data: bytes) -> None:
    with path.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    sync_folder(path.parent)


def _remove(database: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)

"""Backups of the journal: copied from a running table, verified before and after, restored safely.

A backup is a complete journal, copied record by record and checked against the chain up to the head
that the table signed. That head, the table's public key and a small manifest are next to it, so
`sabot journal verify` checks it anywhere. The keys that open sealed cards and sign are not in it. A
restore never deletes anything: it moves the existing files aside. A copy that ends before the kept
head would lose played rounds, and a copy of another history would replace them. Each of these needs
two people, and the table that opens it reports what is missing and waits.
"""

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from controller.journal import audit, exports
from controller.journal.head import head_path_for, sync_folder, write_whole
from controller.journal.opening.comparison import Divergence, compare_journals
from controller.journal.opening.lock import exclusive_lock
from controller.journal.records import Head
from controller.upkeep.files import digest_of

_ABOUT: Final = ".json"
_BESIDE: Final = (".head", ".pub")
RESTORED: Final = ".restored"
"""Suffix of the file next to a restored journal: what the next start has to record."""


class BackupError(Exception):
    """A failed backup or restore, with the remedy."""


class BackupManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest next to a backup."""

    made: str
    records: int
    digest: str
    sha256: str


class Restored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A restore that is not yet in the journal."""

    backup: str
    records: int
    lost: int
    """Number of kept records that are missing in the copy."""
    people: tuple[str, ...]
    at: str
    parted: int | None = None
    """The last record in common with the kept history, if the copy is of another history."""

    @property
    def summary(self) -> str:
        who = " and ".join(self.people) or "somebody at the machine"
        missing = f"; {self.lost} records after it are gone" if self.lost else ""
        if self.parted is not None:
            missing = (
                f"; it is another history after record {self.parted}, and {self.lost} records that "
                "were kept are not in it"
            )
        return f"{who} put back {self.backup}, which ends at record {self.records}{missing}"


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    head: Head
    losses: str = ""
    """The losses recorded in it, in words; empty without any."""

    @property
    def summary(self) -> str:
        losses = f"; {self.losses}" if self.losses else ""
        return f"{self.path}: {self.head.seq} records{losses}"


def back_up(journal: Path, head: Path | None, folder: Path, now: datetime) -> Backup:
    """Copy the journal. Raises `BackupError`, and leaves no partial copy, where journal or copy is
    damaged."""
    before = audit.verify(journal, head)
    if not before.good:
        raise BackupError(f"{journal} is not whole, so nothing was copied: {before}")
    name = f"journal-{now:%Y%m%dT%H%M%SZ}-{before.head.seq:09d}.db"
    path, part = folder / name, folder / f"{name}.part"
    if path.exists():
        raise BackupError(f"{path} exists already")
    _remove(part, *_BESIDE)
    try:
        exports.export_whole(journal, head or head_path_for(journal), part)
        after = audit.verify(part)
        if not after.good or after.is_copy:
            raise BackupError(f"the copy is not whole, so it was thrown away: {after}")
        about = BackupManifest(
            now.isoformat(), after.head.seq, after.head.digest.hex(), digest_of(part)
        )
        _durably(path.with_name(name + _ABOUT), msgspec.json.encode(about) + b"\n")
        for end in (*_BESIDE, ""):
            if (made := part.with_name(part.name + end)).exists():
                made.replace(path.with_name(path.name + end))
        sync_folder(folder)
    finally:
        _remove(part, *_BESIDE)
    return Backup(path, after.head, after.losses_counted if after.losses else "")


def prune(folder: Path, keep: int) -> list[Path]:
    """Remove all but the `keep` newest backups and return the removed ones."""
    old = sorted(folder.glob("journal-*.db"))[: -keep or None]
    for path in old:
        _remove(path, _ABOUT, *_BESIDE)
    return old


def check(backup: Path) -> Head:
    """Return the head of a backup; raises `BackupError` unless it is whole and unchanged."""
    about_path = backup.with_name(backup.name + _ABOUT)
    try:
        about = msgspec.json.decode(about_path.read_bytes(), type=BackupManifest)
        if digest_of(backup) != about.sha256:
            raise BackupError(f"{backup} has changed since it was made: take another one")
    except OSError as error:
        raise BackupError(f"{error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise BackupError(f"{about_path} is not what lies beside a backup: {error}") from error
    verdict = audit.verify(backup)
    if (
        not verdict.good
        or verdict.is_copy
        or (verdict.head.seq, verdict.head.digest.hex()) != (about.records, about.digest)
    ):
        raise BackupError(f"{backup} is not whole: {verdict}")
    return verdict.head


def undone_by(backup: Path, journal: Path, head: Path) -> Divergence:
    """Return which kept records the backup lacks or has differently; raises `BackupError`. Records
    of the journal count too, where it can still be read."""
    check(backup)
    return compare_journals(backup, journal, head)


def why_two_people(backup: Path, apart: Divergence) -> str:
    """Describe what a restore would undo."""
    if apart.unknown:
        return (
            f"neither the journal nor its kept head can be read: nobody can tell whether {backup} "
            "is their history. Two people have to approve that"
        )
    if apart.parted is not None:
        return (
            f"{backup} is another history: after record {apart.parted} it is not what was kept, "
            f"and {apart.lost} kept records are not in it. Two people have to approve that"
        )
    return (
        f"{backup} ends {apart.lost} records before the last one that was kept: those rounds would "
        "unhappen. Two people have to approve that"
    )


def put_back(
    backup: Path, journal: Path, head: Path, people: tuple[str, ...], now: datetime
) -> Restored:
    """Restore a backup; the table must be stopped. Two names are needed where it undoes kept
    records: the copy ends before the kept head or is of another history."""
    apart = undone_by(backup, journal, head)
    if apart.undoes and len(set(people)) < 2:
        raise BackupError(why_two_people(backup, apart))
    end = check(backup).seq
    restored = Restored(backup.name, end, apart.lost, people, now.isoformat(), apart.parted)
    with exclusive_lock(journal):
        _replace(backup, journal, f"{journal.name}.before-{now:%Y%m%dT%H%M%SZ}", restored)
        if not head.exists() and head_path_for(backup).exists():
            # A new machine has no kept head: the backup's own head is the least it must contain.
            write_whole(head, head_path_for(backup).read_bytes())
    return restored


def _replace(backup: Path, journal: Path, aside_name: str, restored: Restored) -> None:
    """Move the existing files aside, put the copy in their place, and note it for the next
    start."""
    aside = journal.with_name(aside_name)
    fresh = journal.with_name(f"{journal.name}.fresh")
    _remove(fresh)
    exports.recover(backup, fresh)
    _durably(journal.with_name(journal.name + RESTORED), msgspec.json.encode(restored) + b"\n")
    for suffix in ("", "-wal", "-shm"):
        companion = journal.with_name(journal.name + suffix)
        if companion.exists():
            companion.replace(aside.with_name(aside.name + suffix))
    fresh.replace(journal)
    _remove(fresh)
    sync_folder(journal.parent)


def waiting(journal: Path) -> Restored | None:
    """Return the restore that is not in the journal yet."""
    path = journal.with_name(journal.name + RESTORED)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Restored)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BackupError(f"{path}: {error}: move it away, and note who put what back") from error


def recorded(journal: Path) -> None:
    """Delete the note of a restore that is in the journal now."""
    _remove(journal.with_name(journal.name + RESTORED))


def _durably(path: Path, data: bytes) -> None:
    with path.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    sync_folder(path.parent)


def _remove(database: Path, *more: str) -> None:
    for suffix in ("", "-wal", "-shm", *more):
        database.with_name(database.name + suffix).unlink(missing_ok=True)

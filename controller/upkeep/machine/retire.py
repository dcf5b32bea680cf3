"""The retirement of a table PC: hand the journal over, verify it, then destroy the keys.

The order guarantees that nothing is destroyed before its data is elsewhere and verified: two people
are recorded, the journal is exported without its sealed cards, the export is verified and compared
with the journal, and only then are the keys overwritten and removed. Sealed cards that were never
turned stay closed for ever, and no more signatures for this table are possible.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal import audit, exports
from controller.journal.head import sync_folder
from controller.journal.keys.signing import read_public
from controller.journal.opening.lock import exclusive_lock
from controller.journal.records import Head
from controller.runtime.open_table import JournalPlaces, open_table
from controller.table.commands.device_events import NotedEvent
from controller.table.commands.message import Message
from controller.table.rules import Rules

RETIRED: Final = "retired"
"""`what` of the journal's last record."""
_PASSES: Final = 3


class CannotRetire(Exception):
    """The reason why nothing was destroyed."""


@dataclass(frozen=True, slots=True)
class Retired:
    head: Head
    copy: Path
    destroyed: tuple[Path, ...]


def retire(
    rules: Rules, places: JournalPlaces, out: Path, people: tuple[str, str], now: float
) -> Retired:
    """Retire the table, which must be stopped. `out` is a new folder, apart from the keys."""
    guarded = {each.resolve().parent for each in (places.key, places.signing)}
    if guarded & {out.resolve(), *out.resolve().parents}:
        raise CannotRetire(f"{out} lies where the keys do: name a folder elsewhere")
    if (link := next(filter(Path.is_symlink, _named_as_keys(places)), None)) is not None:
        raise CannotRetire(
            f"{link} is a link: what it leads to would be overwritten instead of a key. Look who "
            "put it there; a key has to be a file of its own"
        )
    if (written := _not_ours_to_destroy(places)) is not None:
        raise CannotRetire(
            f"{written} cannot be destroyed from here: open the keys into files first"
        )
    _can_be_made(out)  # before two people are on record for an impossible task
    _record(rules, places, people, now)
    with exclusive_lock(places.journal):
        copy, head = _handed_on(places, out)
        return Retired(head, copy, tuple(_destroyed(places)))


def _can_be_made(out: Path) -> None:
    try:
        if out.exists():
            raise CannotRetire(f"{out} exists: name a folder that does not, on another disk")
        out.mkdir(mode=0o700, parents=True)
        out.rmdir()
    except OSError as error:
        raise CannotRetire(
            f"{out} cannot be made: {error.strerror}; name one where the table's own user may write"
        ) from error


def _record(rules: Rules, places: JournalPlaces, people: tuple[str, str], now: float) -> None:
    with open_table(rules, places) as session:
        round_ = session.machine.table.round
        if round_ is not None and not round_.over:
            raise CannotRetire("a round is open, and its cards would stay closed for ever: end it")
        text = f"{people[0]} and {people[1]}: keys are destroyed after this"
        session.handle(Message("system", NotedEvent(what=RETIRED, says=text), at=now))


def _handed_on(places: JournalPlaces, out: Path) -> tuple[Path, Head]:
    """Export the journal and return the copy and its head; raises unless the copy is good."""
    verdict = audit.verify(places.journal, places.head)
    if not verdict.good:
        raise CannotRetire(f"the journal is not good, so its keys stay: {verdict}")
    out.mkdir(mode=0o700, parents=True)
    copy = out / "journal.db"
    end = exports.export_copy(places.journal, places.head, copy)
    with (out / "journal.jsonl").open("w", encoding="utf-8") as lines:
        count = exports.export_jsonl(places.journal, lines)
        lines.flush()
        os.fsync(lines.fileno())
    proven = audit.verify(copy, key=copy.with_name(copy.name + ".pub"))
    ours = read_public(places.journal.with_name(places.journal.name + ".pub"))
    same_key = read_public(copy.with_name(copy.name + ".pub")) == ours
    if (
        not proven.good
        or not same_key
        or not proven.head == end == verdict.head
        or count != end.seq
    ):
        raise CannotRetire(f"the export is not what the journal is, so its keys stay: {proven}")
    sync_folder(out)
    return copy, end


def key_files(places: JournalPlaces) -> list[Path]:
    """Return both keys, the next ones, and the replaced ones."""
    return [each for each in _named_as_keys(places) if each.is_file() and not each.is_symlink()]


def _named_as_keys(places: JournalPlaces) -> list[Path]:
    return sorted(
        each
        for key in (places.key, places.signing)
        for each in key.parent.glob(f"{key.name}*")
        if each == key or each.name.startswith(f"{key.name}.")
    )


def _not_ours_to_destroy(places: JournalPlaces) -> Path | None:
    return next((each for each in key_files(places) if not os.access(each, os.W_OK)), None)


def _destroyed(places: JournalPlaces) -> Iterator[Path]:
    """Overwrite and remove each file. An SSD may retain old blocks, so the disk has to be destroyed
    too."""
    for path in key_files(places):
        opened = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        with open(opened, "r+b", buffering=0) as key:
            for _ in range(_PASSES):
                key.seek(0)
                key.write(os.urandom(path.stat().st_size))
                os.fsync(key.fileno())
        path.unlink()
        sync_folder(path.parent)
        yield path

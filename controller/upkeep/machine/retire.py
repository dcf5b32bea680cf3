"""A table PC is taken out of service: its journal is handed on and proven, then its keys end.

In this order, so that nothing is destroyed before what it guarded is elsewhere and found good: two
people are recorded, the journal is exported without its sealed cards, the export is verified and
compared with the journal, and only then are the keys overwritten and removed. What was sealed and
never turned stays closed for ever, and nobody can sign for this table any more.
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
"""What the journal's last record says was done."""
_PASSES: Final = 3


class CannotRetire(Exception):
    """Why nothing was destroyed."""


@dataclass(frozen=True, slots=True)
class Retired:
    head: Head
    copy: Path
    destroyed: tuple[Path, ...]


def retire(
    rules: Rules, places: JournalPlaces, out: Path, people: tuple[str, str], now: float
) -> Retired:
    """The table must be stopped. `out` is a new folder, elsewhere than the keys."""
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
    _can_be_made(out)  # before two people are on record for what cannot be done
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
    """The copy and how far it goes; it is good, or nothing more is done."""
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
    """Both keys, the next ones, and those that were replaced."""
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
    """Overwritten, then removed. An SSD may keep what was overwritten: the disk goes after it."""
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

"""Exports of a journal: as text, as a copy without its sealed cards, or complete.

A copy is a journal of the same layout with the hash of each sealed card in the card's place, with
its own head and public key next to it. It can be given to third parties and checked with the same
command, and it opens no card.
"""

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, TextIO

import msgspec
from msgspec.structs import replace

from controller.journal.audit import FIELDS, AuditVerdict, read_plain
from controller.journal.database import ROWS_AT_ONCE, Database
from controller.journal.errors import HeadDamaged, JournalDamaged, JournalUnwritable
from controller.journal.head import KeptHead, read_beside_writer, write_whole
from controller.journal.head import head_path_for as head_beside
from controller.journal.keys.files import named_keys
from controller.journal.keys.lineage import Lineage
from controller.journal.keys.signing import public_key_path as public_beside
from controller.journal.keys.signing import text_of
from controller.journal.records import EMPTY, Head, Record, canonical, end_of, walk
from controller.journal.tampering import explain
from controller.messages.spreadsheet import Sheet

_READS: Final = 50


def export_csv(path: Path, out: TextIO) -> int:
    """Write every record as a CSV line with `body` as JSON text; return their number."""
    sheet = Sheet(out)
    sheet.row(FIELDS)
    count = 0
    for found in read_plain(path):
        found.body = canonical(found.body).decode()
        sheet.row(msgspec.structs.astuple(found))
        count += 1
    return count


def export_jsonl(path: Path, out: TextIO) -> int:
    """Write every record as a line of JSON; return their number."""
    count = 0
    for found in read_plain(path):
        out.write(msgspec.json.encode(found).decode() + "\n")
        count += 1
    return count


def export_copy(path: Path, head_path: Path, out: Path) -> Head:
    """Copy the journal as far as its head is signed, without sealed cards; return its end. Raises
    `JournalDamaged` if the journal is not whole or has no valid signature."""
    return _handed_on(path, head_path, out, hashed=True)


def export_whole(path: Path, head_path: Path, out: Path) -> Head:
    """Copy the journal with its sealed cards, as a backup."""
    return _handed_on(path, head_path, out, hashed=False)


def recover(path: Path, out: Path) -> AuditVerdict:
    """Copy the good part into the new journal `out`; the verdict states what stopped it.

    The head is not changed, so that a table that opens `out` reports what is missing.
    """
    _check_new(out)
    lineage, kept = Lineage(), _kept_beside(path)
    with closing(Database.read(path)) as source:
        if source.is_copy:
            raise JournalDamaged(f"{path} is a copy without sealed cards: recover the journal")
        with closing(Database.write(out)) as target:
            walked = lineage.follow_keys(walk(source.rows(0), EMPTY))
            head, damage = end_of(_copied(walked, target), EMPTY)
            signed = source.signed()
            if signed is not None and signed.head == head:
                target.insert([], signed)
            vouched = lineage.last_vouched_record(head, (signed, kept), target.digest_at)
        fault = lineage.fault if damage is None else explain(source, head, None, damage)
        aside = source.count_set_aside() if fault is None else 0
        return AuditVerdict(head, fault, aside, vouched=vouched)


def _kept_beside(path: Path) -> KeptHead | None:
    with suppress(HeadDamaged):
        return read_beside_writer(head_beside(path))
    return None


def _handed_on(path: Path, head_path: Path, out: Path, *, hashed: bool) -> Head:
    for each in (out, head_beside(out), public_beside(out)):
        _check_new(each)
    with closing(Database.read(path)) as source:
        named = named_keys(source)
        if named is None:
            raise JournalDamaged(f"{path} names no key: nobody can vouch for what is in it")
        vouched = _vouched(source, path, head_path)
        hashes = hashed and not source.is_copy
        copies = hashed or source.is_copy
        target = Database.new_copy(out) if copies else Database.write(out)
        with closing(target), _whole_or_nothing(out):
            records = walk(source.rows(0, vouched.row.head.seq), EMPTY, hashed=source.is_copy)
            head, damage = end_of(_copied(records, target, hashes=hashes), EMPTY)
            if damage is not None:
                raise damage
            _vouch(target, vouched, head, out, named.public)
    return head


@contextmanager
def _whole_or_nothing(out: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for each in (out, head_beside(out), public_beside(out)):
            each.unlink(missing_ok=True)
        raise


class _Vouched(NamedTuple):
    kept: KeptHead
    row: KeptHead


def _vouched(source: Database, path: Path, head_path: Path) -> _Vouched:
    """Return the head and the journal's own signature at the same record or one append further, the
    largest gap a power cut leaves. While the table runs one of them may be stale; then read again.
    """
    for _ in range(_READS):
        kept = read_beside_writer(head_path)
        if kept is None or not kept.is_by(kept.key):
            raise JournalDamaged(f"{head_path} is not a signed head: name the journal's own")
        row = source.signed()
        if row is not None and row.after <= kept.head.seq <= row.head.seq:
            return _Vouched(kept, row)
    raise JournalDamaged(f"{path} and its head {head_path} have not signed the same end")


def _vouch(target: Database, vouched: _Vouched, head: Head, out: Path, public: bytes) -> None:
    """Write the head, its signature and the public key next to the export."""
    kept, row = vouched
    if row.head != head or target.head_at(kept.head.seq) != kept.head:
        raise JournalDamaged(f"the journal does not lead to its head, record {kept.head.seq}")
    target.insert([], row)
    try:
        write_whole(head_beside(out), kept.line())
        write_whole(public_beside(out), text_of(public).encode() + b"\n")
    except OSError as error:
        raise JournalUnwritable(f"{error.filename}: {error.strerror}") from error


def _check_new(out: Path) -> None:
    if out.exists():
        raise JournalUnwritable(f"{out} exists: name a file that does not")


def _copied(
    records: Iterator[Record], target: Database, *, hashes: bool = False
) -> Iterator[Record]:
    piece: list[Record] = []
    try:
        for record in records:
            piece.append(_without_blob(record) if hashes else record)
            if len(piece) == ROWS_AT_ONCE:
                target.insert(piece)
                piece = []
            yield record
    finally:
        if piece:
            target.insert(piece)


def _without_blob(record: Record) -> Record:
    if record.sealed is None:
        return record
    return replace(record, sealed=hashlib.sha256(record.sealed).digest())

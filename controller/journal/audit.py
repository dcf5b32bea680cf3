"""Read-only access to a journal: verify it, print a round, list summaries.

Works while the table runs and on the file of a stopped table. No key is used here: each sealed card
is replaced by the hash of its blob, which is the value that the chain covers.
"""

import hashlib
import math
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.journal.database import BEFORE_ALL, LAST, Database
from controller.journal.errors import HeadDamaged, JournalDamaged, KeyRefused
from controller.journal.head import HeadRole, KeptHead, last_head_path, read_beside_writer
from controller.journal.head import head_path_for as head_beside
from controller.journal.keys.lineage import Lineage
from controller.journal.keys.signing import fingerprint, read_public
from controller.journal.keys.signing import public_key_path as public_beside
from controller.journal.loss import (
    HeadFound,
    JournalEnd,
    LossKind,
    RecordedLoss,
    SuspectedLoss,
    collect_losses,
    doubt_about,
    doubt_of_head,
    doubt_of_last,
    doubt_of_signature,
)
from controller.journal.records import (
    EMPTY,
    SUMMARY,
    Head,
    Json,
    Record,
    end_of,
    follows,
    record_of,
    walk,
)
from controller.journal.tampering import EVIDENCE, IndexCheck, Reason, TamperingFault, explain


class PlainRecord(msgspec.Struct):
    """A record for people and other programs."""

    seq: int
    kind: str
    version: int
    at: float
    shoe: int
    round: int
    body: Json
    """Hexadecimal text where the body is not JSON."""
    sealed: str | None
    """The SHA-256 of the sealed card, in hexadecimal."""
    digest: str


class ShownRecord(PlainRecord):
    fits: bool
    """Whether the record follows from its predecessor."""


FIELDS: Final = PlainRecord.__struct_fields__


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    head: Head
    """Number and digest of the last record up to which the chain holds."""
    fault: TamperingFault | None
    set_aside: int
    """Number of rows that an earlier opening found damaged and moved to the table `damaged`."""
    key: bytes | None = None
    """The public key that signs the journal; None for a journal without a `keys` record."""
    known_by: bytes | None = None
    """The key given by the caller, where a rotation has replaced it since."""
    is_copy: bool = False
    """Whether this is a copy without sealed cards; no table can continue from a copy."""
    losses: tuple[RecordedLoss, ...] = ()
    """Losses that the table itself recorded; an intact chain does not show them."""
    vouched: int = 0
    """The last record covered by the table's signatures."""

    @property
    def good(self) -> bool:
        return self.fault is None

    def __str__(self) -> str:
        if self.fault is None:
            text = f"{self.head.seq} records, every one follows from the one before"
            text += f"; signed by key {fingerprint(self.key)}" if self.key is not None else ""
            if self.known_by is not None:
                text += f", to which key {fingerprint(self.known_by)} handed the journal on"
        else:
            text = (
                f"record {self.fault.seq}: {self.fault.reason.value}: {self.fault.text}; "
                f"{self.proven}"
            )
            text += f"; {self.fault.what_to_do}" if self.fault.what_to_do else ""
        text += "; a copy without sealed cards" if self.is_copy else ""
        text += f"; {self.set_aside} damaged rows set aside" if self.set_aside else ""
        return f"{text}; {self.losses_counted}" if self.losses else text

    @property
    def all_vouched(self) -> bool:
        return self.vouched >= self.head.seq

    @property
    def proven(self) -> str:
        """Describes which part of the journal is proven."""
        last = self.head.seq
        if not last:
            return "no record of it is good"
        if self.all_vouched:
            return f"good up to record {last}"
        if self.vouched:
            after = self.vouched + 1
            return f"good up to record {self.vouched}; from record {after} on nothing is proven"
        return (
            f"up to record {last} each follows from the one before, but no signature of this table "
            "vouches for any of them: nothing is proven"
        )

    @property
    def losses_counted(self) -> str:
        """The number of recorded losses as text."""
        count = len(self.losses)
        return f"{count} {'loss' if count == 1 else 'losses'} recorded by the table itself"


def verify(path: Path, head_path: Path | None = None, key: Path | None = None) -> AuditVerdict:
    """Verify the whole chain and compare it with its signed head: the one next to the journal
    unless `head_path` names another. With `key`, the journal must be signed by that key or by a
    successor.

    Safe while the table runs: the head is read before the walk and after it, because a table
    appends before it signs.
    """
    asked = None if key is None else read_public(key)
    public_half = _public_beside(path)
    keyed = asked is not None or public_half is not None
    place = head_path or head_beside(path)
    last = _look(last_head_path(place), HeadRole.LAST)  # before the head, which is never behind it
    first = _look(place)
    with closing(Database.read(path)) as database:
        aside, copy = database.count_set_aside(), database.is_copy
        lineage, index, losses = Lineage(), IndexCheck(), list[RecordedLoss]()
        head, signed, damage = _followed(database, lineage, index, losses)
        second = _look(place)
        vouched = lineage.last_vouched_record(
            head, (first, second, last, signed), database.digest_at
        )
        if damage is not None:
            kept = first.head if isinstance(first, KeptHead) else None
            fault: TamperingFault | None = explain(database, head, kept, damage)
            return AuditVerdict(
                head, fault, aside, is_copy=copy, losses=tuple(losses), vouched=vouched
            )
        fault = lineage.fault or index.fault(database, head.seq)
        end = JournalEnd(head, signed, database.digest_at, lineage.key_at)
        needed = bool(lineage.keys) or keyed or head_path is not None
        if fault is None and (needed or second is not None):
            doubt = _doubt(end, first, second, keyed=keyed or bool(lineage.keys))
            fault = _fault_of(_with_last(end, doubt, place, last))
            if fault is not None and fault.reason is Reason.HEAD_FOREIGN:
                fault = _of_another_table(fault, lineage, second, named=head_path)
        fault = fault or _fault_of(doubt_of_last(end, second, last))
        own = [each.public for each in lineage.keys]
        fault = (
            fault
            or _of_another(own, head, asked, "the key you gave")
            or _of_another(own, head, public_half, str(public_beside(path)))
        )
        if fault is not None and fault.reason is Reason.KEY:
            vouched = 0
        newest = own[-1] if own else None
        known_by = asked if asked != newest else None
        return AuditVerdict(head, fault, aside, newest, known_by, copy, tuple(losses), vouched)


def _followed(
    database: Database, lineage: Lineage, index: IndexCheck, losses: list[RecordedLoss]
) -> tuple[Head, KeptHead | None, JournalDamaged | None]:
    """Return how far the chain holds, and the journal's own signature there.

    Rows appended during the walk are read in one transaction with the signature over them.
    """
    copy = database.is_copy
    walked = lineage.follow_keys(walk(database.rows(BEFORE_ALL), EMPTY, hashed=copy))
    head, damage = end_of(collect_losses(losses, index.follow_index(walked)), EMPTY)
    if damage is not None:
        return head, _signed(database), damage
    with database.at_one_moment():
        signed = database.signed()
        more = lineage.follow_keys(walk(database.rows(head.seq), head, hashed=copy))
        head, damage = end_of(collect_losses(losses, index.follow_index(more)), head)
    return head, signed, damage


def _signed(database: Database) -> KeptHead | None:
    """Read the signed row of a file that has a damaged place, as far as possible."""
    with suppress(JournalDamaged):
        return database.signed()
    return None


def _doubt(
    end: JournalEnd, first: HeadFound, second: HeadFound, *, keyed: bool
) -> SuspectedLoss | None:
    found = None if first is None else doubt_of_head(end, first, keyed=keyed)
    went_on = (
        isinstance(first, KeptHead)
        and isinstance(second, KeptHead)
        and second.head.seq > max(first.head.seq, end.head.seq)
    )
    if found is not None or not went_on:
        return found or doubt_about(end, second, keyed=keyed)
    return doubt_of_signature(end)


def _with_last(
    end: JournalEnd, doubt: SuspectedLoss | None, place: Path, last: HeadFound
) -> SuspectedLoss | None:
    """Add the findings from the last round's copy of the head, used where the head is unreadable,
    or missing although one was expected."""
    if doubt is not None and doubt.kind is LossKind.NO_HEAD:
        return doubt._replace(
            text=f"there is no head at {place}: nobody can tell whether its end is missing"
        )
    if doubt is None or doubt.kind is not LossKind.HEAD_DAMAGED:
        return doubt
    if not isinstance(last, KeptHead):
        return doubt
    worse = doubt_of_head(end, last, keyed=True)
    if worse is not None:
        return worse._replace(
            text=f"{doubt.text}; by its copy of the last round's end {worse.text}"
        )
    text = f"{doubt.text}; its copy of the last round's end fits record {last.head.seq}"
    return doubt._replace(text=text)


def _fault_of(doubt: SuspectedLoss | None) -> TamperingFault | None:
    if doubt is None:
        return None
    return TamperingFault(doubt.seq, _REASONS[doubt.kind], doubt.text)


def _of_another_table(
    fault: TamperingFault, lineage: Lineage, kept: HeadFound, named: Path | None
) -> TamperingFault:
    """Replace the fault if a valid head was signed by a key that this journal never had. Usually
    the wrong file was given."""
    keys = [each.public for each in lineage.keys]
    if not isinstance(kept, KeptHead) or kept.key in keys or not kept.is_by(kept.key):
        return fault
    text = f"this is another table's head: key {fingerprint(kept.key)} has signed it"
    text += f", and this journal's is {fingerprint(keys[-1])}" if keys else ""
    do = (
        EVIDENCE
        if named is None
        else f"name the right one; if {named} is the right one, {EVIDENCE}"
    )
    return TamperingFault(fault.seq, fault.reason, text, do)


_REASONS: Final = {
    LossKind.DAMAGED: Reason.EDITED,
    LossKind.MISSING: Reason.HEAD,
    LossKind.FOREIGN: Reason.HEAD,
    LossKind.NO_HEAD: Reason.NO_HEAD,
    LossKind.HEAD_DAMAGED: Reason.HEAD_DAMAGED,
    LossKind.HEAD_FOREIGN: Reason.HEAD_FOREIGN,
    LossKind.HEAD_BEHIND: Reason.HEAD_BEHIND,
    LossKind.UNSIGNED: Reason.UNSIGNED,
}


def _of_another(
    own: list[bytes], head: Head, wanted: bytes | None, owner: str
) -> TamperingFault | None:
    if wanted is None or wanted in own:
        return None
    if not wanted:
        return TamperingFault(head.seq, Reason.KEY, f"{owner} holds no public key")
    is_ = fingerprint(own[-1]) if own else "none"
    text = f"{owner} is {fingerprint(wanted)}, and the journal's is {is_}: it is not that table's"
    return TamperingFault(head.seq, Reason.KEY, text)


def _public_beside(path: Path) -> bytes | None:
    """Return the public key stored next to the journal; empty if the file holds no key."""
    public_half = public_beside(path)
    try:
        return read_public(public_half) if public_half.exists() else None
    except KeyRefused:
        return b""


def _look(path: Path, role: HeadRole = HeadRole.HEAD) -> HeadFound:
    try:
        return read_beside_writer(path, role)
    except HeadDamaged as damaged:
        return damaged


def read(path: Path, after: int = 0) -> Iterator[Record]:
    """Yield the checked records after number `after`; safe while the table runs."""
    with closing(Database.read(path)) as database:
        start = database.head_at(after)
        if start is None:
            raise JournalDamaged(f"record {after} is not in {path}", seq=after)
        yield from walk(database.rows(after), start, hashed=database.is_copy)


def read_plain(path: Path, after: int = 0) -> Iterator[PlainRecord]:
    """Yield the same records in the form for people and other programs."""
    hashed = is_copy(path)
    for record in read(path, after):
        yield plain(record, hashed=hashed)


def is_copy(path: Path) -> bool:
    """Whether the journal has hashes in place of sealed cards."""
    with closing(Database.read(path)) as database:
        return bool(database.is_copy)


def last_time(path: Path) -> float | None:
    """The time of the last record; None if there is no record or no journal."""
    if not path.exists():
        return None
    with closing(Database.read(path)) as database:
        record = database.last_row()
        found = None if record is None else record_of(record)
        return None if found is None else found.at


def last_checkpoint(path: Path) -> int:
    """The number of the last checkpoint; 0 where there is none."""
    with closing(Database.read(path)) as database:
        return next(database.checkpoints(), 0)


def checkpoint_before(path: Path, at: float) -> int:
    """The number of the last checkpoint not later than `at`; 0 where there is none."""
    with closing(Database.read(path)) as database:
        for seq in database.checkpoints():
            row = next(database.rows(seq - 1, seq), None)
            record = None if row is None else record_of(row)
            if record is not None and record.at <= at:
                return seq
        return 0


def checkpoints(path: Path) -> list[int]:
    """The numbers of the records from which a table can be rebuilt, ascending."""
    with closing(Database.read(path)) as database:
        return sorted(database.checkpoints())


def head(path: Path) -> Head:
    """The last record, without checking its digest."""
    with closing(Database.read(path)) as database:
        row = database.last_row()
        record = None if row is None else record_of(row)
        return EMPTY if record is None else Head(record.seq, record.digest)


def show(path: Path, number: int, shoe: int | None = None) -> list[ShownRecord]:
    """Return the records of one round in order, of every shoe that has one unless `shoe` is given.

    Rows that do not follow from their predecessor are included.
    """
    with closing(Database.read(path)) as database:
        shown = []
        for row in database.rows_of_round(number, shoe):
            record = record_of(row)
            if record is None:
                raise JournalDamaged(f"record {row[0]} has values no record can have")
            before = database.head_at(record.seq - 1)
            fits = before is not None and (
                follows(before.digest, record, hashed=database.is_copy) == record.digest
            )
            reported = plain(record, hashed=database.is_copy)
            shown.append(ShownRecord(**msgspec.structs.asdict(reported), fits=fits))
        return shown


def summaries(
    path: Path,
    *,
    after: int = 0,
    before: int = LAST,
    since: float = -math.inf,
    until: float = math.inf,
    newest_first: bool = False,
) -> Iterator[Record]:
    """Return the summaries of rounds with a number between `after` and `before`, recorded from
    `since` until before `until`. Each is checked against the record before it. No key is needed."""
    with closing(Database.read(path)) as database:
        bounds = (after, before, since, until)
        for seq in database.summaries(*bounds, newest_first=newest_first):
            row, previous = database.row(seq), database.head_at(seq - 1)
            record = None if row is None else record_of(row)
            fits = (
                record is not None
                and previous is not None
                and record.kind == SUMMARY
                and follows(previous.digest, record, hashed=database.is_copy) == record.digest
            )
            if record is None or not fits:
                raise JournalDamaged(f"summary {seq} of {path} does not fit the chain", seq=seq)
            yield record


def plain(record: Record, *, hashed: bool = False) -> PlainRecord:
    """Convert a record for people and programs; `hashed` is true for a copy."""
    try:
        body = msgspec.json.decode(record.body)
    except (ValueError, RecursionError):
        body = record.body.hex()
    sealed = record.sealed
    if sealed is not None and not hashed:
        sealed = hashlib.sha256(sealed).digest()
    return PlainRecord(
        record.seq, record.kind, record.version, record.at, record.shoe, record.round, body,
        None if sealed is None else sealed.hex(),
        record.digest.hex(),
    )  # fmt: skip

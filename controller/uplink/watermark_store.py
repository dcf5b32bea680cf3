"""The floor's signed word kept next to the journal's head: `<head>.floor`.

A disk that forgets, or a backup that somebody put back, is perfect in itself: journal and head may
both be old. The floor has said, over its signature, how far it had the records. At the next start a
journal that ends before that, or has another record there, is held as after any loss, and two
people go on over it. What was told once is not told again at every start: the floor goes on saying
so until it begins another epoch.
"""

from pathlib import Path
from typing import Final

import msgspec
import structlog

from controller.journal.head import write_whole
from controller.journal.records import Head, canonical
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.protocol.names import TableName
from controller.protocol.records import BatchVerdict, Watermark
from controller.protocol.unreadable import UNREADABLE
from controller.uplink.outbox import DurableRecords

KEEP_EVERY_S: Final = 5.0
"""It says how far the journal was at least: a sync for each answer would be the table's disk."""

log = structlog.get_logger()


class StoredWatermark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds."""

    mark: Watermark
    divergence_sent: bool = msgspec.field(default=False, name="told")
    """The table has recorded that its journal does not agree with it."""


def watermark_path(head: Path) -> Path:
    return head.with_name(head.name + ".floor")


class WatermarkStore:
    """The kept word of one floor about one table."""

    def __init__(self, path: Path, name: TableName, floor_key: bytes) -> None:
        self._path = path
        self._name = name
        self._floor_key = floor_key
        self._kept = self._read()
        self._due = 0.0

    @property
    def mark(self) -> Watermark | None:
        return None if self._kept is None else self._kept.mark

    def raise_divergence(self, records: DurableRecords) -> Sentence | None:
        """Why the journal cannot be all that the floor was sent; `None` once that was told."""
        if self._kept is None or self._kept.divergence_sent:
            return None
        return divergence_sentence(self._kept.mark, records)

    def mark_divergence_sent(self) -> None:
        """The table has it on record."""
        if self._kept is not None:
            self._write(msgspec.structs.replace(self._kept, divergence_sent=True))

    def has_sent_divergence(self, mark: Watermark) -> bool:
        """Whether the table has recorded that it differs from this."""
        return (
            self._kept is not None
            and self._kept.divergence_sent
            and _place(self._kept.mark) == _place(mark)
        )

    def keep(self, mark: Watermark, now: float, *, at_once: bool = False) -> None:
        """Take the floor's newest word; on disk at once, or when some seconds went by."""
        if self._kept is not None and _place(self._kept.mark) == _place(mark):
            return
        if (
            self._kept is not None
            and not self._kept.divergence_sent
            and _is_behind(mark, self._kept.mark)
        ):
            return  # a floor that was put back will catch up: what it had once seen was there
        if at_once or now >= self._due:
            self._write(StoredWatermark(mark))
            self._due = now + KEEP_EVERY_S

    def _write(self, kept: StoredWatermark) -> None:
        try:
            write_whole(self._path, canonical(kept) + b"\n")
        except OSError as error:
            log.error("floor_witness", path=str(self._path), why=error.strerror)
            return
        self._kept = kept

    def _read(self) -> StoredWatermark | None:
        """One that is torn, or that the floor did not sign, says nothing: anybody may write here
        who may write to the head."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=StoredWatermark)
        except FileNotFoundError:
            return None
        except (OSError, *UNREADABLE) as error:
            log.error("floor_witness", path=str(self._path), why=str(error))
            return None
        named = TableName(kept.mark.site, kept.mark.table)
        if named != self._name or not kept.mark.is_by(self._floor_key):
            log.error("floor_witness", path=str(self._path), why="the floor did not sign this")
            return None
        return kept


def divergence_sentence(mark: Watermark, records: DurableRecords) -> Sentence | None:
    """What is wrong between the floor's word and the journal, for people at the table."""
    there = records.head()
    if mark.seq > there.seq:
        return sentence(Code.FLOOR_HAS_MORE, record=there.seq, floor=mark.seq)
    if records.digest_at(mark.seq) != mark.digest or mark.verdict is BatchVerdict.DIVERGED:
        return sentence(Code.FLOOR_HAS_ANOTHER, record=mark.seq)
    return None


def _is_behind(mark: Watermark, kept: Watermark) -> bool:
    both = mark.verdict is kept.verdict is BatchVerdict.COMMITTED
    return both and mark.epoch == kept.epoch and mark.seq < kept.seq


def _place(mark: Watermark) -> tuple[int, Head]:
    """However the floor calls it, it is one place to differ at."""
    return mark.epoch, mark.head

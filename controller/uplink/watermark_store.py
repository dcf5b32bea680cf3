"""Stores the floor's signed watermark next to the journal's head: `<head>.floor`.

After a disk lost writes, or a backup was put back, journal and head may both be old and still
consistent. The watermark states, over the floor's signature, how far the floor had the records. At
the next start a journal that ends before that, or has another record there, is held as after any
loss, and two people must release it. A recorded divergence is not reported again at every start,
although the floor repeats it until it begins another epoch.
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
"""Interval of writing the file, a lower bound: a sync for each answer would load the disk."""

log = structlog.get_logger()


class StoredWatermark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    mark: Watermark
    divergence_sent: bool = msgspec.field(default=False, name="told")
    """The table has recorded that its journal does not agree with it."""


def watermark_path(head: Path) -> Path:
    return head.with_name(head.name + ".floor")


class WatermarkStore:
    """The stored watermark of one floor for one table."""

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
        """Why the journal cannot be all that the floor was sent; `None` once that was recorded."""
        if self._kept is None or self._kept.divergence_sent:
            return None
        return divergence_sentence(self._kept.mark, records)

    def mark_divergence_sent(self) -> None:
        """Mark the divergence as recorded by the table."""
        if self._kept is not None:
            self._write(msgspec.structs.replace(self._kept, divergence_sent=True))

    def has_sent_divergence(self, mark: Watermark) -> bool:
        """Whether the table has recorded that its journal differs from this watermark."""
        return (
            self._kept is not None
            and self._kept.divergence_sent
            and _place(self._kept.mark) == _place(mark)
        )

    def keep(self, mark: Watermark, now: float, *, at_once: bool = False) -> None:
        """Store the floor's newest watermark: on disk at once, or after some seconds."""
        if self._kept is not None and _place(self._kept.mark) == _place(mark):
            return
        if (
            self._kept is not None
            and not self._kept.divergence_sent
            and _is_behind(mark, self._kept.mark)
        ):
            return  # a floor restored from a backup will catch up; the higher watermark stays valid
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
        """Read the file; a torn file, or one that the floor did not sign, is ignored. A program
        that can write the head can also write here."""
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
    """The message about the difference between watermark and journal, for people at the table."""
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
    """The record at which both differ, the same for every form of the floor's answer."""
    return mark.epoch, mark.head

"""The floor's last word at the table: the furthest it has vouched for."""

from pathlib import Path

from controller.journal.records import Head
from controller.protocol.records import BatchVerdict, Watermark, watermark
from controller.uplink.watermark_store import WatermarkStore
from support.floor.model_floor import FLOOR, NAME


def mark(seq: int, epoch: int = 1, verdict: BatchVerdict = BatchVerdict.COMMITTED) -> Watermark:
    return watermark(FLOOR, NAME, epoch, Head(seq, bytes([seq]) * 32), verdict)


def kept(path: Path) -> Watermark | None:
    return WatermarkStore(path, NAME, FLOOR.public).mark


def test_a_floor_that_was_put_back_lowers_nothing(tmp_path: Path) -> None:
    """It will catch up; a disk that is put back at the same time would be found by the old word."""
    path = tmp_path / "head.floor"
    witness = WatermarkStore(path, NAME, FLOOR.public)
    witness.keep(mark(50), 0.0, at_once=True)
    witness.keep(mark(20), 100.0, at_once=True)
    assert kept(path) == mark(50)
    witness.keep(mark(51), 200.0, at_once=True)
    assert kept(path) == mark(51)


def test_a_new_history_and_a_divergence_count_whatever_was_before(tmp_path: Path) -> None:
    path = tmp_path / "head.floor"
    witness = WatermarkStore(path, NAME, FLOOR.public)
    for each in (mark(50), mark(20, verdict=BatchVerdict.DIVERGED), mark(60), mark(3, epoch=2)):
        witness.keep(each, 0.0, at_once=True)
        assert kept(path) == each

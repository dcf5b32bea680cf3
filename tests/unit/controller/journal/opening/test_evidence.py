from pathlib import Path

import pytest

from controller.journal.errors import JournalUnwritable
from controller.journal.loss import Loss, LossKind
from controller.journal.opening.evidence import keep_evidence, pending_loss_path, unrecorded_loss
from controller.journal.records import Head

LOSS = Loss(LossKind.MISSING, Head(20, bytes(32)), Head(17, bytes(range(32))), 0, "it ends early")


def test_a_loss_is_told_until_it_is_recorded(tmp_path: Path) -> None:
    head = tmp_path / "head.json"
    head.write_text("as it was")
    assert unrecorded_loss(head) is None
    keep_evidence(head, LOSS)
    assert unrecorded_loss(head) == LOSS
    assert (tmp_path / "head.json.lost-20").read_text() == "as it was"
    pending_loss_path(head).unlink()
    assert unrecorded_loss(head) is None


def test_evidence_is_never_overwritten(tmp_path: Path) -> None:
    head = tmp_path / "head.json"
    for text in ("first", "second"):
        head.write_text(text)
        keep_evidence(head, LOSS)
    assert (tmp_path / "head.json.lost-20").read_text() == "first"


def test_evidence_that_cannot_be_kept_stops_the_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalUnwritable, match="cannot be kept aside"):
        keep_evidence(tmp_path / "nowhere" / "head.json", LOSS)

"""What people at the table read of a journal that lost something."""

from typing import Any

import pytest

from controller.journal.loss import Loss, LossKind
from controller.journal.records import Head
from controller.messages.sentence import Sentence
from controller.runtime.open_table import loss_sentence


@pytest.mark.parametrize(
    ("kind", "code", "gaps"),
    [
        (LossKind.DAMAGED, "journal_damaged", {"record": 7, "rows": 2}),
        (LossKind.MISSING, "journal_ends_early", {"record": 7, "kept": 9}),
        (LossKind.HEAD_BEHIND, "journal_head_behind", {"record": 7, "kept": 9}),
        (LossKind.FOREIGN, "journal_is_another", {"record": 7}),
        (LossKind.NO_HEAD, "journal_has_no_head", {"record": 7}),
        (LossKind.HEAD_DAMAGED, "journal_head_damaged", {"record": 7}),
        (LossKind.HEAD_FOREIGN, "journal_head_not_ours", {"record": 7}),
        (LossKind.UNSIGNED, "journal_unsigned", {"record": 7}),
    ],
)
def test_every_kind_of_loss_has_its_sentence(
    kind: LossKind, code: str, gaps: dict[str, Any]
) -> None:
    loss = Loss(kind, Head(9, b"kept"), Head(7, b"found"), damaged_rows=2, text="for the log")
    assert loss_sentence(loss) == Sentence(code, gaps)

"""What the table is told of its own journal, as sentences."""

from typing import Final

from controller.journal.loss import Loss, LossKind
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence

_CODES: Final = {
    LossKind.NO_HEAD: Code.JOURNAL_HAS_NO_HEAD,
    LossKind.FOREIGN: Code.JOURNAL_IS_ANOTHER,
    LossKind.HEAD_DAMAGED: Code.JOURNAL_HEAD_DAMAGED,
    LossKind.HEAD_FOREIGN: Code.JOURNAL_HEAD_NOT_OURS,
    LossKind.UNSIGNED: Code.JOURNAL_UNSIGNED,
}
_AGAINST_HEAD: Final = {
    LossKind.MISSING: Code.JOURNAL_ENDS_EARLY,
    LossKind.HEAD_BEHIND: Code.JOURNAL_HEAD_BEHIND,
}


def said_of(loss: Loss) -> Sentence:
    """What is missing, for people at the table; the log has the rest."""
    there = loss.found.seq
    if loss.kind is LossKind.DAMAGED:
        return sentence(Code.JOURNAL_DAMAGED, record=there, rows=loss.damaged_rows)
    if loss.kind in _AGAINST_HEAD:
        kept = loss.expected.seq if loss.expected else there
        return sentence(_AGAINST_HEAD[loss.kind], record=there, kept=kept)
    return sentence(_CODES[loss.kind], record=there)

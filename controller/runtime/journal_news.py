"""What the table is told of its own journal, as sentences."""

from controller.journal.loss import Loss, LossKind
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence


def said_of(loss: Loss) -> Sentence:
    """What is missing, for people at the table; the log has the rest."""
    there = loss.found.seq
    match loss.kind:
        case LossKind.DAMAGED:
            return sentence(Code.JOURNAL_DAMAGED, record=there, rows=loss.damaged_rows)
        case LossKind.NO_HEAD:
            return sentence(Code.JOURNAL_HAS_NO_HEAD, record=there)
        case LossKind.MISSING:
            kept = loss.expected.seq if loss.expected else there
            return sentence(Code.JOURNAL_ENDS_EARLY, record=there, kept=kept)
        case LossKind.FOREIGN:
            return sentence(Code.JOURNAL_IS_ANOTHER, record=there)

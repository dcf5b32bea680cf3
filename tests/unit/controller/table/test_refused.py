"""A refusal: a code with its gaps and the clause, in words for whoever reads a log."""

import pytest

from controller.sentences.codes import Code
from controller.sentences.sentence import BadGaps, Sentence
from controller.table.refused import Refused


def test_a_refusal_is_a_code_with_gaps_and_a_clause() -> None:
    refused = Refused(Code.AREA_IS_FULL, "3.6", most=3)
    assert refused.why == Sentence("area_is_full", {"most": 3})
    assert refused.clause == "3.6"
    assert refused.args == ("area_is_full",)


def test_one_made_of_a_sentence_says_that_sentence() -> None:
    why = Sentence("cut_first")
    refused = Refused.because(why, "2.1")
    assert (refused.why, refused.clause) == (why, "2.1")
    assert str(refused) == str(Refused(Code.CUT_FIRST))


def test_a_log_reads_words_and_not_the_code() -> None:
    assert "3" in str(Refused(Code.AREA_IS_FULL, most=3))
    assert "area_is_full" not in str(Refused(Code.AREA_IS_FULL, most=3))


def test_a_gap_that_is_missing_or_strange_is_a_fault_of_the_program() -> None:
    with pytest.raises(BadGaps):
        Refused(Code.AREA_IS_FULL)
    with pytest.raises(BadGaps):
        Refused(Code.CUT_FIRST, most=3)

"""A refusal: a code with its gaps and the clause, in words for whoever reads a log."""

import pytest

from controller.messages.codes import Code
from controller.messages.sentence import BadParams, Sentence
from controller.table.refused import Refused


def test_a_refusal_is_a_code_with_gaps_and_a_clause() -> None:
    refused = Refused(Code.AREA_IS_FULL, "3.6", most=3)
    assert refused.reason == Sentence("area_is_full", {"most": 3})
    assert refused.clause == "3.6"
    assert refused.args == ("area_is_full",)


def test_one_made_of_a_sentence_says_that_sentence() -> None:
    why = Sentence("cut_first")
    refused = Refused.from_sentence(why, "2.1")
    assert (refused.reason, refused.clause) == (why, "2.1")
    assert str(refused) == str(Refused(Code.CUT_FIRST))


def test_a_log_reads_words_and_not_the_code() -> None:
    assert "3" in str(Refused(Code.AREA_IS_FULL, most=3))
    assert "area_is_full" not in str(Refused(Code.AREA_IS_FULL, most=3))


def test_a_gap_that_is_missing_or_strange_is_a_fault_of_the_program() -> None:
    with pytest.raises(BadParams):
        Refused(Code.AREA_IS_FULL)
    with pytest.raises(BadParams):
        Refused(Code.CUT_FIRST, most=3)

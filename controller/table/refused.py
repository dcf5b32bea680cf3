"""Refused: a step the rules do not allow. It is recorded and changes nothing."""

from controller.sentences.catalogue import english
from controller.sentences.codes import Code
from controller.sentences.sentence import GapValue, Sentence, sentence


class Refused(Exception):
    """Why a step is not taken, as a code with its gaps, and the clause that says so."""

    def __init__(self, code: Code, clause: str | None = None, **gaps: GapValue) -> None:
        self.why: Sentence = sentence(code, **gaps)
        self.clause = clause
        super().__init__(code.value)

    @classmethod
    def because(cls, why: Sentence, clause: str | None = None) -> "Refused":
        """With a sentence that was made before."""
        refused = cls.__new__(cls)
        Exception.__init__(refused, why.code)
        refused.why, refused.clause = why, clause
        return refused

    def __str__(self) -> str:
        return english(self.why)

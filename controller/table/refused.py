"""Refused: a step the rules do not allow. It is recorded and changes nothing."""

from controller.messages.catalogue import english
from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, Sentence, sentence


class Refused(Exception):
    """Why a step is not taken, as a code with its gaps, and the clause for it."""

    def __init__(self, code: Code, clause: str | None = None, **params: ParamValue) -> None:
        self.reason: Sentence = sentence(code, **params)
        self.clause = clause
        super().__init__(code.value)

    @classmethod
    def from_sentence(cls, why: Sentence, clause: str | None = None) -> "Refused":
        """A refusal with an existing sentence."""
        refused = cls.__new__(cls)
        Exception.__init__(refused, why.code)
        refused.reason, refused.clause = why, clause
        return refused

    def __str__(self) -> str:
        return english(self.reason)

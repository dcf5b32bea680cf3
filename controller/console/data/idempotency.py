"""What was said already: a request that comes twice acts once and gets the same answer.

A key is remembered by who spoke. The record of a step carries its key, so what was heard before a
restart is known again from the journal.
"""

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from controller.journal.records import CHECKPOINT, Record, canonical
from controller.sentences.catalogue import english
from controller.sentences.sentence import Sentence
from controller.table.words.vocabulary import Given
from controller.views.answers import AnswerView

KEPT: Final = 2000
"""More words than a shoe has; a key that is older is the page's mistake."""

Said = Future[AnswerView]
_Body = Mapping[str, Any]
"""A step's record, of whatever form."""


@dataclass(frozen=True, slots=True)
class _Once:
    mark: bytes | None
    """What was said with the key; None where only the journal knows."""
    word: str
    answer: Said


class IdempotencyKeys:
    """The keys of requests that were taken, each with its answer. Used from the web's loop alone.

    `secret` keys the marks: a word may name a hidden card."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._once: OrderedDict[tuple[str, str], _Once] = OrderedDict()

    def mark(self, word: str, given: Given) -> bytes:
        return hmac.new(self._secret, canonical([word, given]), hashlib.sha256).digest()

    def before(self, who: str, key: str, word: str, given: Given) -> Said | None:
        """The answer on its way or given; raises `KeyError` where the key was another word's."""
        once = self._once.get((who, key))
        if once is None:
            return None
        other = once.mark is not None and once.mark != self.mark(word, given)
        if once.word != word or other:
            raise KeyError(key)
        return once.answer

    def keep(self, who: str, key: str, word: str, given: Given, answer: Said) -> None:
        self._remember((who, key), _Once(self.mark(word, given), word, answer))

    def forget(self, who: str, key: str) -> None:
        """Nothing was taken: the key is free."""
        self._once.pop((who, key), None)

    def recall(self, records: Iterable[Record]) -> None:
        """What the journal has heard, after a restart."""
        for record in records:
            if record.kind == CHECKPOINT or b'"key":' not in record.body:
                continue
            body = msgspec.json.decode(record.body)
            said = body["in"]
            if said.get("key") and said.get("who"):
                answer: Said = Future()
                answer.set_result(_recorded(record.seq, body))
                self._remember((said["who"], said["key"]), _Once(None, said["do"], answer))

    def _remember(self, which: tuple[str, str], once: _Once) -> None:
        self._once[which] = once
        while len(self._once) > KEPT:
            self._once.popitem(last=False)


def _refused(body: _Body) -> AnswerView:
    """Why it was refused; before form 3 a record had the sentence alone."""
    why = body.get("refused")
    if why is None:
        return {"reason": body.get("reason"), "code": None, "gaps": None}
    return {"reason": english(Sentence(**why)), **why}


def _recorded(seq: int, body: _Body) -> AnswerView:
    """The answer as far as the journal has it."""
    accepted = bool(body["accepted"])
    return {
        "accepted": accepted,
        "seq": seq,
        **_refused(body),
        "clause": body.get("clause"),
        "state": body.get("state"),
    }

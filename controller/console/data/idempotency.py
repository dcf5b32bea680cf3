"""What was said already: a request that comes twice acts once and gets the same answer.

A key is remembered by who spoke. The record of a step carries its key and a mark of what was said
with it, so what was heard before a restart is known again from the journal, and the same key with
other words is refused then too.
"""

from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from controller.journal.bodies import StepBody, step_of
from controller.journal.records import STEP, Record, canonical
from controller.journal.seal import Sealer
from controller.sentences.catalogue import english
from controller.table.words.message import Message, fields_of
from controller.table.words.vocabulary import Word
from controller.views.answers import RecordedAnswer, StepAnswer

KEPT: Final = 2000
"""More words than a shoe has; a key that is older is the page's mistake."""

Said = Future[StepAnswer] | Future[RecordedAnswer]
_Which = tuple[str | None, str | None]
"""Who spoke, and their key."""


@dataclass(frozen=True, slots=True)
class _Once:
    mark: str | None
    """What was said with the key."""
    word: str
    answer: Said


class IdempotencyKeys:
    """The keys of requests that were taken, each with its answer. Used from the web's loop alone.

    The sealer makes the marks: a word may name a hidden card."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer
        self._once: OrderedDict[_Which, _Once] = OrderedDict()

    def marked(self, said: Message[Word]) -> Message[Word]:
        """The message with the mark of what it says."""
        return replace(said, mark=self._sealer.mark(_text(said)))

    def before(self, said: Message[Word]) -> Said | None:
        """The answer on its way or given; raises `KeyError` where the key was another word's."""
        once = self._once.get((said.who, said.key))
        if once is None:
            return None
        other = once.mark is not None and not self._sealer.fits(once.mark, _text(said))
        if once.word != said.verb or other:
            raise KeyError(said.key)
        return once.answer

    def keep(self, said: Message[Word], answer: Said) -> None:
        self._remember((said.who, said.key), _Once(said.mark, said.verb, answer))

    def forget(self, said: Message[Word]) -> None:
        """Nothing was taken: the key is free."""
        self._once.pop((said.who, said.key), None)

    def recall(self, records: Iterable[Record]) -> None:
        """What the journal has heard, after a restart."""
        for record in records:
            if record.kind != STEP or b'"key":' not in record.body:
                continue
            body = step_of(record)
            said = body.line
            if said.key and said.who:
                answer: Future[RecordedAnswer] = Future()
                answer.set_result(_recorded(record.seq, body))
                once = _Once(said.mark, said.verb, answer)
                self._remember((said.who, said.key), once)

    def _remember(self, which: _Which, once: _Once) -> None:
        self._once[which] = once
        while len(self._once) > KEPT:
            self._once.popitem(last=False)


def _text(said: Message[Word]) -> bytes:
    """What is said, without who says it when."""
    return canonical([said.verb, fields_of(said.word)])


def _recorded(seq: int, body: StepBody) -> RecordedAnswer:
    why = body.refused
    return RecordedAnswer(
        accepted=body.accepted,
        reason=None if why is None else english(why),
        code=None if why is None else why.code,
        gaps=None if why is None else why.gaps,
        clause=body.clause,
        state=body.state,
        seq=seq,
    )

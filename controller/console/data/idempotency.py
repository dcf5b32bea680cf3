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
from controller.messages.catalogue import english
from controller.table.commands.message import Message, fields_of
from controller.table.commands.registry import Payload
from controller.views.answers import RecordedAnswer, StepAnswer

MAX_KEYS: Final = 2000
"""More words than a shoe has; a key that is older is the page's mistake."""

PostedAnswer = Future[StepAnswer] | Future[RecordedAnswer]
_Which = tuple[str | None, str | None]
"""Who spoke, and their key."""


@dataclass(frozen=True, slots=True)
class _Once:
    mark: str | None
    """What was said with the key."""
    word: str
    answer: PostedAnswer


class IdempotencyKeys:
    """The keys of requests that were taken, each with its answer. Used from the web's loop alone.

    The sealer makes the marks: a word may name a hidden card."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer
        self._once: OrderedDict[_Which, _Once] = OrderedDict()

    def marked(self, message: Message[Payload]) -> Message[Payload]:
        """The message with the mark of what it says."""
        return replace(message, mark=self._sealer.mark(_text(message)))

    def before(self, message: Message[Payload]) -> PostedAnswer | None:
        """The answer on its way or given; raises `KeyError` where the key was another word's."""
        once = self._once.get((message.who, message.key))
        if once is None:
            return None
        other = once.mark is not None and not self._sealer.fits(once.mark, _text(message))
        if once.word != message.type or other:
            raise KeyError(message.key)
        return once.answer

    def keep(self, message: Message[Payload], answer: PostedAnswer) -> None:
        self._remember((message.who, message.key), _Once(message.mark, message.type, answer))

    def forget(self, message: Message[Payload]) -> None:
        """Nothing was taken: the key is free."""
        self._once.pop((message.who, message.key), None)

    def recall(self, records: Iterable[Record]) -> None:
        """What the journal has heard, after a restart."""
        for record in records:
            if record.kind != STEP or b'"key":' not in record.body:
                continue
            body = step_of(record)
            line = body.line
            if line.key and line.who:
                answer: Future[RecordedAnswer] = Future()
                answer.set_result(_recorded(record.seq, body))
                once = _Once(line.mark, line.type, answer)
                self._remember((line.who, line.key), once)

    def _remember(self, which: _Which, once: _Once) -> None:
        self._once[which] = once
        while len(self._once) > MAX_KEYS:
            self._once.popitem(last=False)


def _text(message: Message[Payload]) -> bytes:
    """What is said, without who says it when."""
    return canonical([message.type, fields_of(message.payload)])


def _recorded(seq: int, body: StepBody) -> RecordedAnswer:
    why = body.refused
    return RecordedAnswer(
        accepted=body.accepted,
        reason=None if why is None else english(why),
        code=None if why is None else why.code,
        gaps=None if why is None else why.params,
        clause=body.clause,
        state=body.state,
        seq=seq,
    )

"""Idempotency keys: a repeated request acts once and gets the same answer.

A key belongs to its speaker. The record of a step contains its key and a mark of the command's
content. After a restart the keys are restored from the journal, and the same key with other content
is still refused.
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
"""Keys that are remembered, more than a shoe has commands; reuse of an older key is the page's
mistake."""

PostedAnswer = Future[StepAnswer] | Future[RecordedAnswer]
_Which = tuple[str | None, str | None]
"""The speaker and the key."""


@dataclass(frozen=True, slots=True)
class _Once:
    mark: str | None
    """A mark of the content that came with the key."""
    word: str
    answer: PostedAnswer


class IdempotencyKeys:
    """Accepted keys, each with its answer; used only from the event loop.

    The sealer makes the marks, because a command may name a hidden card.
    """

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer
        self._once: OrderedDict[_Which, _Once] = OrderedDict()

    def marked(self, message: Message[Payload]) -> Message[Payload]:
        """Returns the message with the mark of its content."""
        return replace(message, mark=self._sealer.mark(_text(message)))

    def before(self, message: Message[Payload]) -> PostedAnswer | None:
        """The pending or given answer; raises `KeyError` where the key came with another
        command."""
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
        """Frees the key of a command that was not accepted."""
        self._once.pop((message.who, message.key), None)

    def recall(self, records: Iterable[Record]) -> None:
        """Restores keys from the journal, after a restart."""
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
    """Encodes a command's content without speaker and time."""
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

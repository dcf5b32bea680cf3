"""Records as whoever counts them reads them: a step with its effect, a round with its summary.

From form 4 on both are in the records and no key is needed. Older forms have neither: there the
shoe is played again with the key, and this tells what today's table would have written. Where that
cannot be done, a step is told without its effect.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from controller.engine import summaries
from controller.engine.effects import Delta, effect
from controller.engine.forms import HAS_EFFECT, StepBody, step_of
from controller.engine.replay import Diverged, Replaying, check_version
from controller.engine.summaries import RoundSummary
from controller.journal.errors import KeyRefused, SealBroken
from controller.journal.records import CHECKPOINT, STEP, SUMMARY, Record, canonical
from controller.journal.seal import Sealer
from controller.table.rules import Rules

OpenSealer = Callable[[], Sealer]
"""Reads the key when it is needed; raises `KeyRefused`."""

CANNOT_BE_PLAYED: Final = (KeyRefused, SealBroken, Diverged, msgspec.ValidationError, LookupError)
"""No key, another key, another configuration, or words nobody knows any more."""


class Recorded(NamedTuple):
    """A record, and what it says of play."""

    record: Record
    step: StepBody | None = None
    summary: RoundSummary | None = None
    """Of the round that the record tells of, or, in an older form, that its step ended."""


def recorded(
    records: Iterable[Record], rules: Rules, open_sealer: OpenSealer
) -> Iterator[Recorded]:
    """What the records say; they begin with a checkpoint or with the journal itself. Raises
    `WrittenByNewer`."""
    older = _OlderForm(rules, open_sealer)
    for record in records:
        check_version(record)
        if record.kind == SUMMARY:
            yield Recorded(record, summary=summary_in(record))
        elif record.version < HAS_EFFECT:
            yield older.told(record)
        else:
            yield Recorded(record, step_of(record) if record.kind == STEP else None)


def summary_in(record: Record) -> RoundSummary:
    return msgspec.json.decode(record.body, type=RoundSummary)


class _OlderForm:
    """Plays the records of forms 1 to 3 again, one shoe after the other."""

    def __init__(self, rules: Rules, open_sealer: OpenSealer) -> None:
        self._rules = rules
        self._open_sealer = open_sealer
        self._sealer: Sealer | None = None
        self._machine: Replaying | None = None
        self._lost = False
        """This shoe cannot be played again; the next one may."""

    def told(self, record: Record) -> Recorded:
        step = step_of(record) if record.kind == STEP else None
        if record.kind == CHECKPOINT or self._machine is None:
            self._begin_anew()
        if self._lost:
            return Recorded(record, step)
        try:
            return self._played(record, step)
        except CANNOT_BE_PLAYED:
            self._lost = True
            return Recorded(record, step)

    def _begin_anew(self) -> None:
        self._lost = False
        if self._machine is None:
            self._machine = Replaying(self._rules)
        self._machine.begin_anew()

    def _played(self, record: Record, step: StepBody | None) -> Recorded:
        assert self._machine is not None
        if self._sealer is None:
            self._sealer = self._open_sealer()
        before = self._machine.table
        self._machine.step(record, self._sealer)
        after = self._machine.table
        if step is None or not step.accepted:
            return Recorded(record, step)
        made = msgspec.json.decode(canonical(effect(before, after)), type=Delta)
        ended = summaries.is_due(before, after)
        summary = summaries.summary(before, after, record.seq) if ended else None
        return Recorded(record, replace(step, effect=made), summary)

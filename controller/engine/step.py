"""One step of a table: in, worked out on a value, its records down, taken. No I/O, no clock.

A step is one record with its effect; the one that ends a round has a summary after it, and the one
that loads a shoe a checkpoint, all in one append. A step that is refused is recorded too and
changes nothing. An exception from `append` leaves everything as it was.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.cases import offers, people
from controller.cases.engine import settle_down
from controller.engine import sealing, summaries
from controller.engine.carrying import CARRY
from controller.engine.effects import Delta, effect
from controller.engine.held import is_held, state_of
from controller.engine.phases import Phases
from controller.engine.prompts import Prompt, prompt
from controller.engine.release import NAMELESS, Release, state_of_table
from controller.journal.records import CHECKPOINT, STEP, SUMMARY, Entry, canonical
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.message import JsonLine, Malformed, Message, as_line, verb_of
from controller.table.words.vocabulary import ANYBODY, SPECS, Spec, Word
from drivers.cards import NotACard

VERSION: Final = 4
"""Of the records this table writes. 2: a closed table listens to its devices. 3: refusals are
codes with their gaps, and what is held is told beside the phase. 4: a step has its effect beside
its words, a round its summary, and a digest covers the hash of what is sealed."""

Append = Callable[..., object]
"""Takes entries and returns when all of them are durable."""


class OpenedCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that a step exposed, with the salt that opens its commitment."""

    n: int
    card: str | None
    salt: str | None


class AcceptedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a step that was carried out."""

    line: JsonLine = msgspec.field(name="in")
    state: str
    clause: str | None
    opened: list[OpenedCard]
    effect: Delta
    accepted: bool = True


class RefusedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a step that changed nothing."""

    line: JsonLine = msgspec.field(name="in")
    refused: Sentence
    clause: str | None
    accepted: bool = False


class _Step(msgspec.Struct, frozen=True):
    """One step on its way."""

    said: sealing.Covered
    after: Table
    refused: Refused | None
    clause: str | None = None
    ends_round: bool = False
    """Or corrects one that is over: its summary is due."""


class Answer(msgspec.Struct, dict=True):
    """What a step led to."""

    accepted: bool
    table: Table
    rules: Rules
    why: Sentence | None = None
    clause: str | None = None
    seq: int = 0
    """The number of the step's record."""

    @cached_property
    def state(self) -> str:
        return state_of(self.table)

    @cached_property
    def prompt(self) -> Prompt:
        """What the dealer does and says next."""
        return prompt(self.table, self.rules)


class TableMachine:
    """Holds the state of one table. `append` must not return before its records are durable."""

    def __init__(
        self,
        rules: Rules,
        append: Append,
        sealer: sealing.Sealing,
        now: Table | None = None,
        release: Release = NAMELESS,
    ) -> None:
        self.rules = rules
        self.release = release
        self.table = now or Table()
        self._append = append
        self._sealer = sealer
        self._phases = Phases(rules.book)

    @property
    def state(self) -> str:
        """As it is told outside: the phase, or that the table is held."""
        return state_of(self.table)

    def stand_at(self, table: Table) -> None:
        """Go on from here, for replay: a machine takes longer to build than a shoe to play."""
        self.table = table

    def handle(self, message: Message[Word], seq: int = 0) -> Answer:
        """Take one step; `seq` is the number its record will have."""
        step = self._work_out(message, seq)
        self._append(*self._entries(step, seq))
        self.table = step.after
        refused = step.refused
        why = None if refused is None else refused.why
        return Answer(refused is None, step.after, self.rules, why, step.clause, seq)

    def _work_out(self, message: Message[Word], seq: int) -> _Step:
        """What the step would lead to, or why it is refused; nothing changes yet."""
        # Order comes from the sequence, never the clock: a clock that lags or was put back does not
        # undo what happened, and one that jumped ahead does not lock anybody out.
        now = self.table
        if message.at < now.at:
            message = replace(message, at=now.at)
        said = None
        try:
            said = sealing.covered(now, message, self.rules, self._sealer)
            after = self._carried_out(now, said.message)
        except Refused as refused:
            return _Step(said or sealing.in_the_open(message), now, refused, refused.clause)
        except NotACard:
            return _Step(said or sealing.in_the_open(message), now, Refused(Code.NOT_A_CARD))
        after, ends_round = summaries.numbered(now, after, seq)
        return _Step(said, after, None, _clause(now, after), ends_round)

    def _carried_out(self, now: Table, message: Message[Word]) -> Table:
        spec = _legal(now, message)  # before time is taken: what ends an offer finds it open
        people.says_who(message, self.rules)
        if message.at != now.at:
            now = replace(now, at=message.at)
            closed = offers.close_overdue(now, self.rules)
            now = now if closed is now else settle_down(closed, self.rules)
        after = settle_down(CARRY[spec.struct](now, message, self.rules), self.rules)
        if not after.happened:
            return after
        phase = self._phases.after(after.phase, after)
        return replace(after, phase=phase, happened=())

    # --- records -----------------------------------------------------------------------------

    def _entries(self, step: _Step, seq: int) -> list[Entry]:
        before, after = self.table, step.after
        found = [self._step_entry(step)]
        if step.ends_round:
            body = canonical(summaries.summary(before, after, seq))
            found.append(Entry(SUMMARY, VERSION, after.at, after.shoes, after.rounds, body))
        if after.shoes != before.shoes:
            found.append(state_of_table(CHECKPOINT, VERSION, self.release, self.rules.house, after))
        return found

    def _step_entry(self, step: _Step) -> Entry:
        before, after, said, refused = self.table, step.after, step.said, step.refused
        line, clause = as_line(said.shown), step.clause
        body: AcceptedStep | RefusedStep
        if refused is None:
            opened = _opened(before, after)
            body = AcceptedStep(line, state_of(after), clause, opened, effect(before, after))
        else:
            body = RefusedStep(line, refused.why, clause)
        at = said.message.at
        return Entry(STEP, VERSION, at, after.shoes, after.rounds, canonical(body), said.blob)


def _legal(table: Table, message: Message[Word]) -> Spec:
    """The word's entry in the vocabulary, if it may be said here and now."""
    spec = SPECS.get(verb_of(message.word))
    if spec is None or message.source not in spec.speakers:
        raise Refused(Code.NOT_YOUR_WORD, speaker=message.source, word=message.verb)
    if not may_be_said(spec, table):
        code = Code.NOT_WHILE_HELD if is_held(table) else Code.NOT_NOW
        raise Refused(code, phase=table.phase)
    if table.doubt is not None and message.source in ANYBODY and not spec.counts_first:
        raise Refused(Code.COUNT_FIRST)
    if type(message.word) is Malformed:
        raise Refused.because(message.word.why)
    return spec


def may_be_said(spec: Spec, table: Table) -> bool:
    """Whether a word is legal as the table stands; who says it is judged when it is said."""
    if not table.opened:
        return table.phase in spec.phases
    if table.restarted_at is not None:
        return spec.while_restarted
    return spec.while_held if is_held(table) else table.phase in spec.phases


def _clause(before: Table, after: Table) -> str | None:
    """The clause a step came under: of the case it left open, or of the one it closed."""
    if after.case is not None:
        return after.case.clause
    if after.rulings is before.rulings:
        return None
    closed = after.rulings[len(before.rulings) :]
    return closed[-1].clause if closed else None


def _opened(before: Table, after: Table) -> list[OpenedCard]:
    """The cards this step exposed, with the salts that open their commitments."""
    lay = before.round.cards if before.round else ()
    lie = after.round.cards if after.round else ()
    if lie is lay or not lie:
        return []
    known = [drawn.n for drawn in lay if drawn.exposed]
    return [
        OpenedCard(drawn.n, drawn.card, drawn.salt)
        for drawn in lie
        if drawn.exposed and drawn.n not in known
    ]

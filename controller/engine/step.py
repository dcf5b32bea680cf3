"""One step of a table: in, worked out on a value, one record down, taken. No I/O, no clock.

A step that is refused is recorded too and changes nothing. An exception from `append` leaves
everything as it was.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.cases import offers
from controller.cases.engine import settle_down
from controller.engine import sealing
from controller.engine.carrying import CARRY
from controller.engine.held import is_held, state_of
from controller.engine.phases import Phases
from controller.engine.prompts import Prompt, prompt
from controller.journal.records import CHECKPOINT, Entry, canonical
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence
from controller.table.cards import Drawn
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.message import JsonLine, Malformed, Message, as_line
from controller.table.words.vocabulary import SPECS, Spec, Word
from drivers.cards import NotACard

VERSION: Final = 3
"""Of the records this table writes. 2: a closed table listens to its devices. 3: refusals are
codes with their gaps, and what is held is told beside the phase."""

Append = Callable[[Entry], object]


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
    accepted: bool = True


class RefusedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a step that changed nothing."""

    line: JsonLine = msgspec.field(name="in")
    refused: Sentence
    clause: str | None
    accepted: bool = False


@dataclass(slots=True)
class _Step:
    """One step on its way."""

    message: Message[Word]
    shown: Message[Word]
    after: Table
    refused: Refused | None = None
    sealed: bytes | None = None
    clause: str | None = None


@dataclass
class Answer:
    """What a step led to."""

    accepted: bool
    table: Table
    rules: Rules
    why: Sentence | None = None
    clause: str | None = None

    @cached_property
    def state(self) -> str:
        return state_of(self.table)

    @cached_property
    def prompt(self) -> Prompt:
        """What the dealer does and says next."""
        return prompt(self.table, self.rules)


class TableMachine:
    """Holds the state of one table. `append` must not return before its record is durable."""

    def __init__(
        self, rules: Rules, append: Append, sealer: sealing.Sealing, now: Table | None = None
    ) -> None:
        self.rules = rules
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

    def handle(self, message: Message[Word]) -> Answer:
        step = self._work_out(message)
        self._append(self._entry(step))
        refused = step.refused
        if refused is None:
            self.table = step.after
            return Answer(True, self.table, self.rules, None, step.clause)
        return Answer(False, self.table, self.rules, refused.why, refused.clause)

    def _work_out(self, message: Message[Word]) -> _Step:
        """What the step would lead to, or why it is refused; nothing changes yet."""
        # Order comes from the sequence, never the clock: a clock that lags or was put back does not
        # undo what happened, and one that jumped ahead does not lock anybody out.
        if message.at < self.table.at:
            message = replace(message, at=self.table.at)
        step = _Step(message, message, self.table)
        try:
            covered = sealing.covered(self.table, message, self.rules, self._sealer)
            step.message, step.shown, step.sealed = covered.message, covered.shown, covered.blob
            step.after = self._carried_out(self.table, step.message)
        except Refused as refused:
            step.refused = refused
        except NotACard:
            step.refused = Refused(Code.NOT_A_CARD)
        return step

    def _carried_out(self, now: Table, message: Message[Word]) -> Table:
        spec = _legal(now, message)  # before time is taken: what ends an offer finds it open
        if message.at != now.at:
            now = offers.close_overdue(replace(now, at=message.at), self.rules)
            now = settle_down(now, self.rules)
        after = settle_down(CARRY[spec.struct](now, message, self.rules), self.rules)
        if not after.happened:
            return after
        phase = self._phases.after(after.phase, after)
        return replace(after, phase=phase, happened=())

    # --- records -----------------------------------------------------------------------------

    def _entry(self, step: _Step) -> Entry:
        refused, after = step.refused, step.after
        line = as_line(step.shown)
        body: AcceptedStep | RefusedStep
        if refused is not None:
            after = self.table
            body = RefusedStep(line, refused.why, refused.clause)
        else:
            step.clause = _clause(self.table, after)
            body = AcceptedStep(line, state_of(after), step.clause, _opened(self.table, after))
        at = step.message.at
        return Entry("step", VERSION, at, after.shoes, after.rounds, canonical(body), step.sealed)

    def checkpoint(self) -> Entry:
        """All that is carried from one step to the next, for a shoe's beginning."""
        table = self.table
        return Entry(CHECKPOINT, VERSION, table.at, table.shoes, table.rounds, canonical(table))


def _legal(table: Table, message: Message[Word]) -> Spec:
    """The word's entry in the vocabulary, if it may be said here and now."""
    spec = SPECS.get(message.verb)
    if spec is None or message.source not in spec.speakers:
        raise Refused(Code.NOT_YOUR_WORD, speaker=message.source, word=message.verb)
    if not may_be_said(spec, table):
        raise Refused(Code.NOT_NOW, phase=state_of(table))
    people = message.source in ("staff", "player")
    if table.doubt is not None and people and not spec.counts_first:
        raise Refused(Code.COUNT_FIRST)
    if isinstance(message.word, Malformed):
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
    closed = after.rulings[len(before.rulings) :]
    return closed[-1].clause if closed else None


def _opened(before: Table, after: Table) -> list[OpenedCard]:
    """The cards this step exposed, with the salts that open their commitments."""
    if _cards(before) is _cards(after):
        return []
    known = {drawn.n for drawn in _cards(before) if drawn.exposed}
    return [
        OpenedCard(drawn.n, drawn.card, drawn.salt)
        for drawn in _cards(after)
        if drawn.exposed and drawn.n not in known
    ]


def _cards(table: Table) -> tuple[Drawn, ...]:
    return table.round.cards if table.round else ()

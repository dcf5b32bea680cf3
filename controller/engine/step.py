"""One step of a table, computed on a value: the next state and its records. No I/O, no clock.

A step is one record with its effect. A step that ends a round adds a summary, and one that loads a
shoe adds a checkpoint, all in one append. A refused step is recorded too and changes nothing.
"""

from functools import cached_property
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from controller.cases import offers, people, players, shoe_round
from controller.cases.engine import advance_cases
from controller.engine import card_sealing, clocks, summaries
from controller.engine.effects import effect
from controller.engine.handlers import apply
from controller.engine.hold_list import state_name
from controller.engine.phases import Phases
from controller.engine.prompts import Prompt, prompt
from controller.engine.release import NAMELESS, Release, state_of_table
from controller.journal.bodies import AcceptedStep, OpenedCard, RefusedStep
from controller.journal.records import (
    CHECKPOINT,
    RECORD_FORMAT,
    STEP,
    SUMMARY,
    Entry,
    canonical,
)
from controller.messages.codes import Code
from controller.messages.sentence import Sentence
from controller.table import licences
from controller.table.agenda.order import clause_of_step, has_holds, may_be_sent
from controller.table.cards import Drawn
from controller.table.commands.message import MalformedPayload, Message, json_line, message_type
from controller.table.commands.people import OF_WAGERS
from controller.table.commands.registry import ANYBODY, Payload
from controller.table.phases import ROUND_PHASES
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Round, Table


class Answer(msgspec.Struct, dict=True):
    """The result of a step."""

    accepted: bool
    table: Table
    rules: Rules
    why: Sentence | None = None
    clause: str | None = None
    seq: int = 0
    """The sequence number of the step's record."""

    @cached_property
    def state(self) -> str:
        return state_name(self.table)

    @cached_property
    def prompt(self) -> Prompt:
        """The next action and announcement of the dealer."""
        return prompt(self.table, self.rules)


class Decided(NamedTuple):
    """A decided step: the next state, and the entries that record it."""

    answer: Answer
    entries: tuple[Entry, ...]


class TableMachine:
    """Holds the state of one table and decides its steps. Call `load_state` once the entries are
    durable."""

    def __init__(
        self,
        rules: Rules,
        sealer: card_sealing.Sealing,
        now: Table | None = None,
        release: Release = NAMELESS,
    ) -> None:
        self.rules = rules
        self.release = release
        self.table = now or Table()
        self._sealer = sealer
        self._phases = Phases(rules.book)

    @property
    def state(self) -> str:
        """The public name of the state: the phase, or that the table is held."""
        return state_name(self.table)

    def load_state(self, table: Table) -> None:
        """Continue from this table."""
        self.table = table

    def decide(self, message: Message[Payload], seq: int = 0) -> Decided:
        """Decide one step; `seq` is the number that its record will get."""
        now = self.table
        # The sequence defines the order, not the clock: a clock that lags or was set back does not
        # undo a step, and one that jumped ahead does not lock anybody out.
        if message.at < now.at:
            message = replace(message, at=now.at)
        answer = None
        try:
            answer = card_sealing.seal_message(now, message, self.rules, self._sealer)
            after = self._carried_out(now, answer.message)
        except Refused as refused:
            return self._refused(answer or card_sealing.unsealed_message(message), refused, seq)
        return self._accepted(answer, after, seq)

    def _carried_out(self, now: Table, message: Message[Payload]) -> Table:
        _legal(now, message, self.rules)  # before time is applied: it may close an offer
        people.require_name(message, self.rules)
        message = players.with_known_name(now, message)
        players.refuse_interested(now, message, self.rules)
        before = now
        if message.at != now.at:
            now = replace(now, at=message.at)
            closed = offers.close_overdue(now, self.rules)
            now = now if closed is now else advance_cases(closed, self.rules)
        after = advance_cases(apply(now, message, self.rules), self.rules)
        after = shoe_round.follow_shoe_round(before, after, message)
        after = clocks.note_question_time(before, clocks.shift_clocks(after))
        if not after.happened:
            return after
        phase = self._phases.after(after.phase, after)
        return replace(after, phase=phase, happened=())

    # --- records -----------------------------------------------------------------------------

    def _accepted(self, answer: card_sealing.SealedMessage, after: Table, seq: int) -> Decided:
        """Record the step with its effect."""
        before = self.table
        after, ends_round = summaries.number_records(before, after, seq)
        line, clause = json_line(answer.shown), clause_of_step(before, after)
        opened = _opened(before.round, after.round)
        step = AcceptedStep(line, state_name(after), clause, opened, effect(before, after))
        shoes, rounds = after.history.shoes, after.history.rounds
        body = canonical(step)
        entries = [Entry(STEP, RECORD_FORMAT, answer.message.at, shoes, rounds, body, answer.blob)]
        if ends_round:
            body = canonical(summaries.summary(before, after, seq))
            entries.append(Entry(SUMMARY, RECORD_FORMAT, after.at, shoes, rounds, body))
        if shoes != before.history.shoes:
            house = self.rules.house
            entries.append(state_of_table(CHECKPOINT, RECORD_FORMAT, self.release, house, after))
        return Decided(Answer(True, after, self.rules, None, clause, seq), tuple(entries))

    def _refused(self, answer: card_sealing.SealedMessage, refused: Refused, seq: int) -> Decided:
        """Record the refused command; nothing changes."""
        now, why, clause = self.table, refused.reason, refused.clause
        body = canonical(RefusedStep(json_line(answer.shown), why, clause))
        at = answer.message.at
        entry = Entry(
            STEP, RECORD_FORMAT, at, now.history.shoes, now.history.rounds, body, answer.blob
        )
        return Decided(Answer(False, now, self.rules, why, clause, seq), (entry,))


def _legal(table: Table, message: Message[Payload], rules: Rules) -> None:
    """Refuse a command that is not legal in the present state."""
    entry, source = message_type(message.payload), message.source
    if entry is None or source not in entry.speakers:
        raise Refused(Code.NOT_YOUR_WORD, speaker=source, word=message.type)
    if not may_be_sent(entry, table):
        code = Code.NOT_WHILE_HELD if has_holds(table) else Code.NOT_NOW
        # Wagers are accepted only from that call on.
        early = isinstance(message.payload, OF_WAGERS) and table.phase not in ROUND_PHASES
        clause = rules.book.open_call.clause if early else None
        raise Refused(code, clause, phase=table.phase)
    if table.count_check is not None and source in ANYBODY and not entry.counts_first:
        raise Refused(Code.COUNT_FIRST)
    if message.via is not None:
        licences.can_command(table.site.people, message.actor, message.at)
    if type(message.payload) is MalformedPayload:
        raise Refused.from_sentence(message.payload.reason)


def _opened(before: Round | None, after: Round | None) -> list[OpenedCard]:
    """The cards that this step exposed, with the salts that open their commitments."""
    if after is before or after is None:
        return []
    lay, lie = before.cards if before else (), after.cards
    if lie is lay:
        return []
    had = len(lay)
    if lie[:had] == lay:  # the cards laid before are unchanged
        return [_with_salt(drawn) for drawn in lie[had:] if drawn.exposed]
    known = [drawn.n for drawn in lay if drawn.exposed]
    return [_with_salt(drawn) for drawn in lie if drawn.exposed and drawn.n not in known]


def _with_salt(drawn: Drawn) -> OpenedCard:
    return OpenedCard(drawn.n, drawn.card, drawn.salt)

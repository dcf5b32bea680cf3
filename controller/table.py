"""The table: one step in, one record down, one answer out. No I/O, no clock.

A step is worked out first, as the table it would lead to. Then the machine is asked; the record is
appended before the state changes, and only then is the new table taken and anything shown. A step
that is refused is recorded too and changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from msgspec.structs import replace
from transitions import EventData, MachineError

from controller.game.errors import GameError
from controller.journal.records import CHECKPOINT, Entry, canonical
from controller.round import doubt, machine, people, play
from controller.round.errors import Refused
from controller.round.machine import MOVES, State
from controller.round.prompts import Prompt, prompt
from controller.round.rules import Message, Rules
from controller.round.state import Drawn, Table
from controller.round.words import WORDS
from drivers.cards import Card, NotACard

VERSION = 2
"""Of the records this table writes. 2: a closed table listens to its devices."""

_TELLING = frozenset({"card", "read_failed", "excess", "excess_named", "result", "enter_card"})
"""Words that may tell what nobody has seen."""

WINNERS = {"player": "P", "banker": "B", "tie": "T"}
"""A device's result as it is sealed, one letter whatever it is."""

Append = Callable[[Entry], object]


class Sealing(Protocol):
    """What a face-down card is written with: see `controller.journal.seal`."""

    def seal(self, card_code: str | None, frame: bytes) -> Any: ...


@dataclass(slots=True)
class _Step:
    """One step on its way through the machine."""

    message: Message
    after: Table
    refused: Refused | None
    sealed: bytes | None = None
    leads_to: State = State.CLOSED
    leads_by_name: str = ""
    clause: str | None = None


@dataclass(slots=True)
class Answer:
    """What a step led to."""

    accepted: bool
    state: State
    reason: str | None = None
    clause: str | None = None
    table: Table = field(default_factory=Table)
    rules: Rules | None = None

    @property
    def prompt(self) -> Prompt:
        """What the dealer does and says next."""
        assert self.rules is not None
        return prompt(self.table, self.state, self.rules)


class TableMachine:
    """Holds the state of one table. `append` must not return before its record is durable."""

    state: State

    def __init__(
        self, rules: Rules, append: Append, sealer: Sealing, now: Table | None = None
    ) -> None:
        self.rules = rules
        self.table = now or Table()
        self._append = append
        self._sealer = sealer
        self._machine = machine.build(self, play.phase(rules.book, self.table))

    def stand_at(self, table: Table) -> None:
        """Go on from here, for replay: a machine takes longer to build than a shoe to play."""
        self.table = table
        self._machine.set_state(play.phase(self.rules.book, table), self)

    def handle(self, message: Message) -> Answer:
        """One step. An exception from `append` leaves everything as it was."""
        step = self._work_out(message)
        try:
            self.trigger(message.word, step=step)  # type: ignore[attr-defined]
        except MachineError:
            assert step.refused is not None, "what has no row was refused before"
            self._append(self._entry(step))
        refused = step.refused
        return Answer(
            refused is None,
            self.state,
            refused.reason if refused else None,
            refused.clause if refused else step.clause,
            self.table,
            self.rules,
        )

    def _work_out(self, message: Message) -> _Step:
        """What the step would lead to, or why it is refused; nothing changes yet."""
        # Order comes from the sequence, never the clock: a clock that lags or was put back does not
        # undo what happened, and one that jumped ahead does not lock anybody out.
        if message.at < self.table.at:
            message = replace(message, at=self.table.at)
        step = _Step(message, self.table, None)
        try:
            now = self.table
            if message.at != now.at:
                now = people.overdue_offer(replace(now, at=message.at), self.rules)
            before = now
            step.message = self._seal(before, message, step)
            step.after = self._carried_out(before, step.message)
        except Refused as refused:
            step.refused = refused
        except (GameError, NotACard) as error:
            step.refused = Refused(str(error))
        step.leads_to = play.phase(self.rules.book, step.after)
        step.leads_by_name = step.leads_to.name
        return step

    def _carried_out(self, before: Table, message: Message) -> Table:
        said = message.word
        word = WORDS.get(said)
        if word is None or message.source not in word.speakers:
            raise Refused(f"{message.source} cannot say {said!r}")
        if said not in MOVES[self.state]:
            raise Refused(f"not now: the table is {self.state.value.replace('_', ' ')}")
        if before.doubt is not None and _from_people(message) and said not in doubt.MAY_SAY:
            raise Refused(doubt.FIRST)
        return word.carry(before, message, self.rules)

    def _seal(self, before: Table, message: Message, step: _Step) -> Message:
        """What must not be known yet is sealed before anything is made of it, even if refused."""
        said = message.word
        if said not in _TELLING:
            return message
        if said == "result":
            return self._seal_result(before, message, step)
        if said == "enter_card":
            if before.case is None or before.case.waits_for != "missing":
                return message
            named = message.card or str(message.given.get("card", ""))
            message = replace(message, card=named, given={})
        if message.card is not None:
            message = replace(message, card=Card.parse(message.card).code)
        if self._lies_open(before, message):
            return replace(message, given={})
        return self._sealed(message, message.card, step)

    def _seal_result(self, before: Table, message: Message, step: _Step) -> Message:
        """The device's own result gives sealed hands away as surely as their cards would."""
        hidden = any(not drawn.exposed for drawn in _cards(before))
        if not hidden or message.winner not in WINNERS:
            return message
        return self._sealed(message, WINNERS[message.winner], step)

    def _sealed(self, message: Message, code: str | None, step: _Step) -> Message:
        sealed = self._sealer.seal(code, message.frame)
        step.sealed = sealed.blob
        given = {"commitment": sealed.commitment, "salt": sealed.salt.hex()}
        return replace(message, given=given, frame=b"")

    def _lies_open(self, before: Table, message: Message) -> bool:
        """Whether everybody sees the card as it is read; one that lies aside nobody has turned."""
        held, round_ = before.shoe, before.round
        if held is None or not before.opened or before.doubt is not None:
            return False
        if held.burn_left is None:
            return True
        aside = message.word in ("excess", "excess_named")
        if held.burn_left or aside or round_ is None or round_.face_down:
            return False
        return play.goes_to(self.rules.book, before) is not None

    # --- called by the machine ---------------------------------------------------------------

    def leads_here(self, event: EventData) -> bool:
        """Does the step lead to the state this row leads to?"""
        step: _Step = event.kwargs["step"]
        assert event.transition is not None
        dest = event.transition.dest
        if step.refused is not None:
            return False
        return step.leads_to is self.state if dest is None else step.leads_by_name == dest

    def journal(self, event: EventData) -> None:
        """Before the state changes: an exception here leaves everything as it was."""
        step: _Step = event.kwargs["step"]
        assert event.transition is not None
        if step.refused is None and event.transition.after == ["leave_as_is"]:
            leads_to = step.leads_to.value
            raise AssertionError(f"no row: {event.event.name} in {self.state} to {leads_to}")
        self._append(self._entry(step))

    def take(self, event: EventData) -> None:
        self.table = event.kwargs["step"].after

    def leave_as_is(self, event: EventData) -> None:
        """Recorded, and nothing else."""

    # --- records -----------------------------------------------------------------------------

    def _entry(self, step: _Step) -> Entry:
        refused, after = step.refused, step.after
        body: dict[str, Any] = {"in": _masked(step), "accepted": refused is None}
        if refused is not None:
            after = self.table
            body["reason"] = refused.reason
            body["clause"] = refused.clause
        else:
            body["state"] = step.leads_to.value
            body["clause"] = step.clause = _clause(self.table, after)
            body["opened"] = _opened(self.table, after)
        at = step.message.at
        return Entry("step", VERSION, at, after.shoes, after.rounds, canonical(body), step.sealed)

    def checkpoint(self) -> Entry:
        """All that is carried from one step to the next, for a shoe's beginning."""
        table = self.table
        return Entry(CHECKPOINT, VERSION, table.at, table.shoes, table.rounds, canonical(table))


def unsealed(message: Message, code: str | None) -> Message:
    """A recorded message with what was sealed put back, for replay."""
    if message.word == "result":
        winners = {letter: winner for winner, letter in WINNERS.items()}
        return replace(message, winner=winners[code or ""], given={})
    return replace(message, card=code, given={})


def _masked(step: _Step) -> Message:
    """The message as it may be read by anybody: a sealed card shows its commitment only."""
    if step.sealed is None:
        return step.message
    commitment = {"commitment": step.message.given["commitment"]}
    return replace(step.message, card=None, winner=None, given=commitment)


def _from_people(message: Message) -> bool:
    return message.source in ("staff", "player")


def _clause(before: Table, after: Table) -> str | None:
    """The clause a step came under: of the case it left open, or of the one it closed."""
    if after.case is not None:
        return after.case.clause
    closed = after.rulings[len(before.rulings) :]
    return closed[-1].clause if closed else None


def _opened(before: Table, after: Table) -> list[dict[str, Any]]:
    """The cards this step exposed, with the salts that open their commitments."""
    if _cards(before) is _cards(after):
        return []
    known = {drawn.n for drawn in _cards(before) if drawn.exposed}
    return [
        {"n": drawn.n, "card": drawn.card, "salt": drawn.salt}
        for drawn in _cards(after)
        if drawn.exposed and drawn.n not in known
    ]


def _cards(table: Table) -> tuple[Drawn, ...]:
    return table.round.cards if table.round else ()

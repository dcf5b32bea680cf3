"""Replay: from what was written to the table that wrote it.

A step that this very release decided, by these very rules, is decided again and must come to what
was recorded, so that chance in the code is found. A step that another decided has its effect
applied and is not judged.
"""

from collections import deque
from collections.abc import Iterable

import msgspec

from controller.engine import effects
from controller.engine.card_sealing import unseal_message
from controller.engine.effects import PlainState, Secret
from controller.engine.release import NAMELESS, CannotGoOn, Release, state_of
from controller.engine.step import TableMachine
from controller.journal.bodies import StepBody, step_of
from controller.journal.records import (
    CHECKPOINT,
    RECORD_FORMAT,
    RELEASE,
    STEP,
    SUMMARY,
    Entry,
    Record,
)
from controller.journal.seal import Sealed, Sealer
from controller.table.commands.message import message_from_line
from controller.table.rules import Rules
from controller.table.state import Table


class Diverged(CannotGoOn):
    """Replay does not come to what was recorded: the record's number, and both bodies."""


class WrittenByNewer(CannotGoOn):
    """A record of a format that only a newer Sabot understands: its number and what to do."""


def check_version(record: Record) -> None:
    """A newer format is refused, not guessed at."""
    if record.version > RECORD_FORMAT:
        raise WrittenByNewer(
            f"record {record.seq} has format {record.version}, and this release knows "
            f"{RECORD_FORMAT}: a newer release has written to this journal, so only that one or a "
            "later one goes on"
        )


def replay(
    rules: Rules, records: Iterable[Record], sealer: Sealer, release: Release = NAMELESS
) -> Table:
    """The table after these records, which begin with a checkpoint or with the journal itself."""
    return replay_records(rules, records, sealer, release).table


def replay_records(
    rules: Rules, records: Iterable[Record], sealer: Sealer, release: Release = NAMELESS
) -> "Replayer":
    found = list(records)
    machine = Replayer(rules, release)
    # Whoever took over last wrote down the state: of what lies before it only the hidden cards
    # are needed.
    known = max((place for place, each in enumerate(found) if each.kind == RELEASE), default=0)
    for record in found[:known]:
        machine.learn(record, sealer)
    for record in found[known:]:
        machine.step(record, sealer)
    return machine


class Replayer:
    """A table that is fed record by record and writes nothing."""

    def __init__(self, rules: Rules, release: Release = NAMELESS) -> None:
        self._release = release
        self._seal = _Recorded()
        self._machine = TableMachine(rules, self._seal, release=release)
        self._plain: PlainState | None = None
        """The state while another release's effects are applied to it; else the machine has it."""
        self._entries: deque[Entry] = deque()
        """What this release would have written for the step and has not been compared yet."""
        self._secrets: dict[str, Secret] = {}
        self.decided_by: Release | None = None
        """Whose step the last one was; None: of nobody."""

    @property
    def table(self) -> Table:
        if self._plain is not None:
            try:
                table = self._plain.read()
            except msgspec.ValidationError as error:
                raise Diverged(f"a recorded state cannot be read: {error}") from error
            self._machine.load_state(effects.restore_hidden_cards(table, self._secrets))
            self._plain = None
        return self._machine.table

    def restart(self) -> None:
        """Forget what was fed, to be fed from another checkpoint on."""
        self._machine.load_state(Table())
        self._plain = None
        self._secrets.clear()
        self._entries.clear()

    def learn(self, record: Record, sealer: Sealer) -> None:
        """Take note of what a record sealed, and of nothing else in it."""
        check_version(record)
        if record.sealed is not None:
            self._open(record, step_of(record), sealer)

    def step(self, record: Record, sealer: Sealer) -> None:
        check_version(record)
        if record.kind in (CHECKPOINT, RELEASE):
            self._state(record)
        elif record.kind == SUMMARY:
            self._compare_next(record)
        elif record.kind == STEP:
            self._step(record, sealer)

    def _step(self, record: Record, sealer: Sealer) -> None:
        body = step_of(record)
        secret = None if record.sealed is None else self._open(record, body, sealer)
        if self.decided_by == self._release:
            self._decide(record, body, secret)
        else:
            self._apply(body)

    def _open(self, record: Record, body: StepBody, sealer: Sealer) -> Secret:
        assert record.sealed is not None
        opened = sealer.open(record.sealed)
        secret = Secret(opened.card_code, opened.salt.hex())
        if body.line.commitment is not None:
            self._secrets[body.line.commitment] = secret
        return secret

    def _apply(self, body: StepBody) -> None:
        """Another's step: what it did is done, and nobody asks whether it might."""
        if body.effect is None:
            return
        if self._plain is None:
            self._plain = effects.state(self._machine.table)
        self._plain.apply(body.effect)

    def _decide(self, record: Record, body: StepBody, secret: Secret | None) -> None:
        message = message_from_line(body.line)
        if secret is not None:
            assert record.sealed is not None
            salt = bytes.fromhex(secret.salt)
            self._seal.next = Sealed(record.sealed, body.line.commitment or "", salt)
            message = unseal_message(message, secret.code)
        self._machine.load_state(self.table)
        answer, entries = self._machine.decide(message, record.seq)
        self._machine.load_state(answer.table)
        self._entries = deque(entries)
        self._compare_next(record)

    def _state(self, record: Record) -> None:
        """The state as it was written down; what this release has worked out has to be the same."""
        recorded = state_of(record)
        if record.kind == CHECKPOINT and self._entries:
            self._compare_next(record)
        self._plain = recorded.plain()
        self.decided_by = recorded.release

    def _compare_next(self, record: Record) -> None:
        """The record against what this release would have written; nothing for another's."""
        if self.decided_by != self._release:
            return
        entry = self._entries.popleft() if self._entries else None
        if entry is None or (entry.kind, entry.body) != (record.kind, record.body):
            gives = None if entry is None else entry.body
            raise Diverged(f"record {record.seq}: replay gives {gives!r}")


class _Recorded:
    """Hands out the seal that was recorded, so that replay needs no chance."""

    next: Sealed

    def seal(self, card_code: str | None, frame: bytes) -> Sealed:  # noqa: ARG002
        return self.next

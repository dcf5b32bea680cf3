"""Replay: rebuilds a table from its records.

A step that this release decided under this configuration is decided again and must equal its
record, which detects nondeterminism in the code. The effect of any other step is applied without
judging it.
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
    """The replay differs from the record: the record's number, and both bodies."""


class WrittenByNewer(CannotGoOn):
    """A record has a format that only a newer Sabot reads: its number, and what to do."""


def check_version(record: Record) -> None:
    """Refuse a newer format, instead of guessing."""
    if record.version > RECORD_FORMAT:
        raise WrittenByNewer(
            f"record {record.seq} has format {record.version}, and this release knows "
            f"{RECORD_FORMAT}: a newer release has written to this journal, so only that one or a "
            "later one goes on"
        )


def replay(
    rules: Rules, records: Iterable[Record], sealer: Sealer, release: Release = NAMELESS
) -> Table:
    """The table after these records, which must begin with a checkpoint or with the journal
    itself."""
    return replay_records(rules, records, sealer, release).table


def replay_records(
    rules: Rules, records: Iterable[Record], sealer: Sealer, release: Release = NAMELESS
) -> "Replayer":
    found = list(records)
    machine = Replayer(rules, release)
    # The last takeover recorded the state; from earlier records only the hidden cards are needed.
    known = max((place for place, each in enumerate(found) if each.kind == RELEASE), default=0)
    for record in found[:known]:
        machine.learn(record, sealer)
    for record in found[known:]:
        machine.step(record, sealer)
    return machine


class Replayer:
    """A table that is rebuilt record by record and writes nothing."""

    def __init__(self, rules: Rules, release: Release = NAMELESS) -> None:
        self._release = release
        self._seal = _Recorded()
        self._machine = TableMachine(rules, self._seal, release=release)
        self._plain: PlainState | None = None
        """The state while effects of another release are applied; otherwise the machine has it."""
        self._entries: deque[Entry] = deque()
        """The entries that this release would have written for the step, not compared yet."""
        self._secrets: dict[str, Secret] = {}
        self.decided_by: Release | None = None
        """The release that decided the last step; None before the first."""

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
        """Discard the state, to start from another checkpoint."""
        self._machine.load_state(Table())
        self._plain = None
        self._secrets.clear()
        self._entries.clear()

    def learn(self, record: Record, sealer: Sealer) -> None:
        """Store the sealed part of a record, and ignore the rest."""
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
        """Apply the recorded effect of another release's step, without judging it."""
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
        """Load a recorded state; a state that this release computed must be equal."""
        recorded = state_of(record)
        if record.kind == CHECKPOINT and self._entries:
            self._compare_next(record)
        self._plain = recorded.plain()
        self.decided_by = recorded.release

    def _compare_next(self, record: Record) -> None:
        """Compare the record with what this release would have written; records of others are
        skipped."""
        if self.decided_by != self._release:
            return
        entry = self._entries.popleft() if self._entries else None
        if entry is None or (entry.kind, entry.body) != (record.kind, record.body):
            gives = None if entry is None else entry.body
            raise Diverged(f"record {record.seq}: replay gives {gives!r}")


class _Recorded:
    """Returns the recorded seal, so that replay needs no randomness."""

    next: Sealed

    def seal(self, card_code: str | None, frame: bytes) -> Sealed:  # noqa: ARG002
        return self.next

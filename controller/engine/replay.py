"""Replay: from what was written to the table that wrote it.

A step that this very release decided, by these very rules, is decided again and must come to what
was recorded, so that chance in the code is found. A step that another decided has its effect
applied and is not judged. Steps before form 4 have no effect; their words are fed to today's code.
"""

import dataclasses
from collections import deque
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from controller.engine import effects, forms
from controller.engine.effects import LooseState, Secret
from controller.engine.forms import HAS_EFFECT, StepBody
from controller.engine.release import NAMELESS, CannotGoOn, Release
from controller.engine.sealing import unsealed
from controller.engine.step import VERSION, TableMachine
from controller.journal.records import CHECKPOINT, RELEASE, STEP, SUMMARY, Entry, Record
from controller.journal.seal import Sealed, Sealer
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.message import from_line


class Diverged(CannotGoOn):
    """Replay does not come to what was recorded: the record's number, and both bodies."""


class WrittenByNewer(CannotGoOn):
    """A record of a form that only a newer Sabot understands: its number and what to do."""


def check_version(record: Record) -> None:
    """Old forms are read by new code; a newer one is refused, not guessed at."""
    if record.version > VERSION:
        raise WrittenByNewer(
            f"record {record.seq} has form {record.version}, and this release knows {VERSION}: a "
            "newer release has written to this journal, so only that one or a later one goes on"
        )


def replay(
    rules: Rules, records: Iterable[Record], sealer: Sealer, release: Release = NAMELESS
) -> Table:
    """The table after these records, which begin with a checkpoint or with the journal itself."""
    return replayed(rules, records, sealer, release).table


def replayed(
    rules: Rules, records: Iterable[Record], sealer: Sealer, release: Release = NAMELESS
) -> "Replaying":
    found = list(records)
    machine = Replaying(rules, release)
    # Whoever took over last wrote down the state: of what lies before it only the hidden cards
    # are needed.
    known = max((place for place, each in enumerate(found) if each.kind == RELEASE), default=0)
    for record in found[:known]:
        machine.learn(record, sealer)
    for record in found[known:]:
        machine.step(record, sealer)
    return machine


class Replaying:
    """A table that is fed record by record and writes nothing."""

    def __init__(self, rules: Rules, release: Release = NAMELESS) -> None:
        self._rules = rules
        self._release = release
        self._seal = _Recorded()
        self._machine = TableMachine(rules, self._worked_out, self._seal, release=release)
        self._older_rules = dataclasses.replace(rules, of_older_form=True)
        self._loose: LooseState | None = None
        """The state while another release's effects are applied to it; else the machine has it."""
        self._loose_form = VERSION
        self._entries: deque[Entry] = deque()
        """What this release would have written for the step and has not been compared yet."""
        self._secrets: dict[str, Secret] = {}
        self.decided_by: Release | None = None
        """Whose step the last one was; None: of a release before form 4, or of nobody."""

    @property
    def table(self) -> Table:
        if self._loose is not None:
            try:
                table = forms.table_of(self._loose, self._loose_form)
            except msgspec.ValidationError as error:
                says = f"a state of form {self._loose_form} cannot be read: {error}"
                raise Diverged(says) from error
            self._machine.stand_at(effects.uncovered(table, self._secrets))
            self._loose = None
        return self._machine.table

    def begin_anew(self) -> None:
        """Forget what was fed, to be fed from another checkpoint on."""
        self._machine.stand_at(Table())
        self._loose = None
        self._secrets.clear()
        self._entries.clear()

    def learn(self, record: Record, sealer: Sealer) -> None:
        """Take note of what a record sealed, and of nothing else in it."""
        check_version(record)
        if record.sealed is not None:
            self._open(record, forms.step_of(record), sealer)

    def step(self, record: Record, sealer: Sealer) -> None:
        check_version(record)
        if record.kind in (CHECKPOINT, RELEASE):
            self._state(record)
        elif record.kind == SUMMARY:
            self._compare_next(record)
        elif record.kind == STEP:
            self._step(record, sealer)

    def _step(self, record: Record, sealer: Sealer) -> None:
        body = forms.step_of(record)
        secret = None if record.sealed is None else self._open(record, body, sealer)
        if record.version >= HAS_EFFECT and self.decided_by != self._release:
            self._apply(record, body)
        elif body.accepted or record.version >= HAS_EFFECT:
            self._decide(record, body, secret)
        # What an older release refused changed nothing, whatever this one would say.

    def _open(self, record: Record, body: StepBody, sealer: Sealer) -> Secret:
        assert record.sealed is not None
        opened = sealer.open(record.sealed)
        secret = Secret(opened.card_code, opened.salt.hex())
        if body.line.commitment is not None:
            self._secrets[body.line.commitment] = secret
        return secret

    def _apply(self, record: Record, body: StepBody) -> None:
        """Another's step: what it did is done, and nobody asks whether it might."""
        if body.effect is None:
            return
        if self._loose is None:
            self._loose, self._loose_form = effects.state(self._machine.table), record.version
        effects.apply(body.effect, self._loose)

    def _decide(self, record: Record, body: StepBody, secret: Secret | None) -> None:
        said = from_line(body.line, judged=record.version >= HAS_EFFECT)
        if secret is not None:
            assert record.sealed is not None
            salt = bytes.fromhex(secret.salt)
            self._seal.next = Sealed(record.sealed, body.line.commitment or "", salt)
            said = unsealed(said, secret.code)
        self._machine.stand_at(self.table)
        older = record.version < HAS_EFFECT
        self._machine.rules = self._older_rules if older else self._rules
        self._machine.handle(said, record.seq)
        if record.version >= HAS_EFFECT:
            self._compare_next(record)
            return
        if not forms.agrees(record, self._entries[0]):
            raise Diverged(
                f"record {record.seq} was written by an older release, and this one comes to "
                f"something else with this configuration ({self._entries[0].body!r}): open the "
                "journal once with the configuration it was played with, or let that release "
                "finish the shoe"
            )
        self._entries.clear()  # an older release wrote no summary, and a checkpoint of its own
        round_ = self._machine.table.round
        if round_ is not None and round_.summary:
            unsummed = replace(self._machine.table, round=replace(round_, summary=0))
            self._machine.stand_at(unsummed)

    def _state(self, record: Record) -> None:
        """The state as it was written down; what this release has worked out has to be the same."""
        recorded = forms.state_in(record)
        if record.kind == CHECKPOINT and self._entries:
            self._compare_next(record)
        self._loose, self._loose_form = recorded.table, recorded.version
        self.decided_by = recorded.release

    def _worked_out(self, *entries: Entry) -> None:
        self._entries = deque(entries)

    def _compare_next(self, record: Record) -> None:
        """The record against what this release would have written; nothing for another's."""
        if record.version < HAS_EFFECT or self.decided_by != self._release:
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

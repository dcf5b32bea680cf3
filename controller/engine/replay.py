"""Replay: the same code, fed with what was written; every step must come to what was recorded."""

from collections.abc import Iterable

from controller.engine import forms
from controller.engine.sealing import unsealed
from controller.engine.step import VERSION, TableMachine
from controller.journal.records import CHECKPOINT, Entry, Record
from controller.journal.seal import Sealed, Sealer
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.message import from_line


class Diverged(Exception):
    """Replay does not come to what was recorded: the record's number, and both bodies."""


class WrittenByNewer(Exception):
    """A record of a form that only a newer Sabot understands: its number and what to do."""


def check_version(record: Record) -> None:
    """Old forms are read by new code; a newer one is refused, not guessed at."""
    if record.version > VERSION:
        raise WrittenByNewer(
            f"record {record.seq} has form {record.version}, and this release knows {VERSION}: a "
            "newer release has written to this journal, so only that one or a later one goes on"
        )


def replay(rules: Rules, records: Iterable[Record], sealer: Sealer) -> Table:
    machine = Replaying(rules)
    for record in records:
        machine.step(record, sealer)
    return machine.table


class Replaying:
    """A table that compares instead of writing; fed record by record."""

    def __init__(self, rules: Rules) -> None:
        self._seal = _Recorded()
        self._machine = TableMachine(rules, self._compare, self._seal)
        self._record: Record | None = None

    @property
    def table(self) -> Table:
        return self._machine.table

    def begin_anew(self) -> None:
        """Forget what was fed, to be fed from another checkpoint on."""
        self._machine.stand_at(Table())

    def step(self, record: Record, sealer: Sealer) -> None:
        check_version(record)
        self._record = record
        if record.kind == CHECKPOINT:
            self._checkpoint(record)
            return
        body = forms.step_of(record)
        if record.version < VERSION and not body.accepted:
            return  # what an older Sabot refused changed nothing, whatever this one would say
        said = from_line(body.line, judged=record.version >= VERSION)
        if record.sealed is not None:
            opened = sealer.open(record.sealed)
            self._seal.next = Sealed(record.sealed, body.line.commitment or "", opened.salt)
            said = unsealed(said, opened.card_code)
        self._machine.handle(said)

    def _checkpoint(self, record: Record) -> None:
        table = forms.table_of(record)
        now = self._machine.table
        # What an older release kept in other words cannot be compared field by field.
        comparable = record.version == VERSION and record.seq > 1
        if comparable and now.shoes == table.shoes and now != table:
            raise Diverged(f"record {record.seq}: the checkpoint differs from replay")
        self._machine.stand_at(table)

    def _compare(self, entry: Entry) -> None:
        record = self._record
        assert record is not None
        if record.version == VERSION and entry.body != record.body:
            raise Diverged(f"record {record.seq}: replay gives {entry.body!r}")
        if record.version < VERSION and not forms.agrees(record, entry):
            raise Diverged(f"record {record.seq}: replay gives {entry.body!r}")


class _Recorded:
    """Hands out the seal that was recorded, so that replay needs no chance."""

    next: Sealed

    def seal(self, card_code: str | None, frame: bytes) -> Sealed:  # noqa: ARG002
        return self.next

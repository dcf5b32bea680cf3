"""A table with its journal: opened where it stopped, every step on disk before it is answered."""

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.journal.records import CHECKPOINT, AnyJournal, Entry, Record
from controller.journal.seal import Sealed, Sealer
from controller.round.rules import Message, Rules
from controller.round.state import Table
from controller.table import VERSION, Answer, TableMachine, unsealed


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


@dataclass(frozen=True)
class Session:
    """One running table. Make it with `open_session`."""

    machine: TableMachine
    journal: AnyJournal

    def handle(self, message: Message) -> Answer:
        before = self.machine.table
        answer = self.machine.handle(message)
        after = answer.table
        if after.shoes != before.shoes:
            self.journal.append(self.machine.checkpoint())
            self.journal.keep_head()
        if _rounds_over(after) and not _rounds_over(before):
            self.journal.keep_head()
        return answer


def _rounds_over(table: Table) -> bool:
    return table.round is not None and table.round.over


def open_session(rules: Rules, journal: AnyJournal, sealer: Sealer, at: float = 0.0) -> Session:
    """Where the journal stops, the table goes on; in mid-round it asks what the stop meant."""
    now = replay(rules, journal.since_checkpoint(), sealer)
    machine = TableMachine(rules, journal.append, sealer, now)
    session = Session(machine, journal)
    if now.opened:
        session.handle(Message("system", event="restarted", at=at))
    return session


def replay(rules: Rules, records: Any, sealer: Sealer) -> Table:
    """The same code, fed with what was written; every step must come to what was recorded."""
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
            table = msgspec.json.decode(record.body, type=Table)
            if record.seq > 1 and self._machine.table.shoes == table.shoes:
                self._compare_table(record, table)
            self._machine.stand_at(table)
            return
        body = msgspec.json.decode(record.body)
        if record.version < VERSION and not body["accepted"]:
            return  # what an older Sabot refused changed nothing, whatever this one would say
        message = msgspec.convert(body["in"], Message)
        if record.sealed is not None:
            opened = sealer.open(record.sealed)
            commitment = message.given["commitment"]
            self._seal.next = Sealed(record.sealed, commitment, opened.salt)
            message = unsealed(message, opened.card_code)
        elif message.word in ("card", "read_failed", "excess"):
            message = replace(message, given={})
        self._machine.handle(message)

    def _compare(self, entry: Entry) -> None:
        record = self._record
        assert record is not None
        if entry.body != record.body:
            raise Diverged(f"record {record.seq}: replay gives {entry.body!r}")

    def _compare_table(self, record: Record, table: Table) -> None:
        if self._machine.table != table:
            raise Diverged(f"record {record.seq}: the checkpoint differs from replay")


class _Recorded:
    """Hands out the seal that was recorded, so that replay needs no chance."""

    next: Sealed

    def seal(self, card_code: str | None, frame: bytes) -> Sealed:  # noqa: ARG002
        return self.next

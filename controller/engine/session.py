"""A table with its journal: opened where it stopped, every step on disk before it is answered."""

from dataclasses import dataclass

from controller.engine.replay import replay
from controller.engine.step import Answer, TableMachine
from controller.journal.records import AnyJournal
from controller.journal.seal import Sealer
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.message import Message, message
from controller.table.words.vocabulary import Word


@dataclass(frozen=True)
class Session:
    """One running table. Make it with `open_session`."""

    machine: TableMachine
    journal: AnyJournal

    def handle(self, said: Message[Word]) -> Answer:
        before = self.machine.table
        answer = self.machine.handle(said)
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
        session.handle(message("system", "restarted", at=at))
    return session

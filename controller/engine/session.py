"""A table with its journal: it resumes at the journal's end, and every step is durable before its
answer."""

from dataclasses import dataclass

from controller.engine.release import NAMELESS, Release, check_rulebook, state_of_table
from controller.engine.replay import replay_records
from controller.engine.step import Answer, TableMachine
from controller.journal.records import RECORD_FORMAT, RELEASE, AnyJournal
from controller.journal.seal import Sealer
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.commands.device_events import NoticeEvent
from controller.table.commands.message import Message, new_message
from controller.table.commands.pseudonyms import Disguise
from controller.table.commands.registry import Payload
from controller.table.rules import Rules
from controller.table.state import Table


@dataclass(frozen=True)
class Session:
    """One running table. Create it with `open_session`."""

    machine: TableMachine
    journal: AnyJournal
    took_over: bool = False
    """Whether another release or configuration decided the steps before this opening."""
    disguise: Disguise | None = None
    """Replaces players' names by pseudonyms, if the site requires it."""

    def handle(self, message: Message[Payload]) -> Answer:
        """Take one step, which is durable when this returns. After an exception nothing has
        changed."""
        if self.disguise is not None:
            message = self.disguise(message)
        before = self.machine.table
        answer, entries = self.machine.decide(message, self.journal.head.seq + 1)
        self.journal.append(*entries)
        after = answer.table
        self.machine.load_state(after)
        if after.history.shoes != before.history.shoes or (
            _rounds_over(after) and not _rounds_over(before)
        ):
            self.journal.round_ended()
        return answer


def _rounds_over(table: Table) -> bool:
    return table.round is not None and table.round.over


def _as_next_round(rules: Rules) -> Sentence:
    """The notice that the rulebook does not allow the house's option for a card too many."""
    policy, clause = rules.house.excess, rules.book.excess.clause
    return sentence(Code.EXCESS_NOT_ALLOWED, policy=policy, clause=clause)


def open_session(
    rules: Rules,
    journal: AnyJournal,
    sealer: Sealer,
    at: float = 0.0,
    release: Release = NAMELESS,
    disguise: Disguise | None = None,
) -> Session:
    """Resume the table at the end of its journal; in mid-round a case asks what the stop meant."""
    found = replay_records(rules, journal.since_checkpoint(), sealer, release)
    now, before = found.table, found.decided_by
    took_over = before != release
    if took_over:
        check_rulebook(now, before, release)
        journal.append(state_of_table(RELEASE, RECORD_FORMAT, release, rules.house, now))
    machine = TableMachine(rules, sealer, now, release)
    session = Session(machine, journal, took_over, disguise)
    if rules.excess is not rules.house.excess:
        session.handle(Message("system", NoticeEvent(note=_as_next_round(rules)), at=at))
    if now.day.is_open:
        session.handle(new_message("system", "restarted", at=at))
        if took_over:
            reported = NoticeEvent(note=sentence(Code.TOOK_OVER))
            session.handle(Message("system", reported, at=at))
    return session

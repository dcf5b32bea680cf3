"""Computes what is derived from records, one record after the other. No I/O."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import msgspec

from controller.engine.summaries import RoundSummary, summary_of
from controller.floor.projections.hold_tracker import Followed, HoldKey, OpenHold
from controller.floor.store.moments import hour_of
from controller.floor.store.severity import Severity
from controller.game.errors import GameError
from controller.journal.bodies import JsonLine, step_of
from controller.journal.records import CHECKPOINT, RELEASE, STEP, SUMMARY, Record
from controller.messages.catalogue import english
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.protocol.orders import NOT_TAKEN, UNWRITTEN, OrderOutcome
from controller.protocol.unreadable import UNREADABLE as NOT_READ
from controller.table.commands.device_events import NotedEvent
from controller.table.holds import HoldKind, HoldReason, HoldView

NOBODY: Final = "nobody"
SHOE: Final = "shoe"
HELD: Final = "held"
"""The kind of exception for a hold of the table's own."""
UNREADABLE: Final = "unreadable"
ORDER: Final = "order"
"""The kind of exception for an order that no floor of this site can have sent in this form."""
_AGAINST: Final = {
    OrderOutcome.FORGED: Code.FLOOR_ORDER_FORGED,
    OrderOutcome.REPLAYED: Code.FLOOR_ORDER_REPLAYED,
    OrderOutcome.EXPIRED: Code.FLOOR_ORDER_EXPIRED,
    OrderOutcome.WRONG_TABLE: Code.FLOOR_ORDER_WRONG_TABLE,
    OrderOutcome.NOT_FROM_FLOOR: Code.FLOOR_ORDER_NOT_ALLOWED,
    OrderOutcome.NOT_A_WORD: Code.FLOOR_ORDER_NOT_ALLOWED,
}
"""The outcomes that are reported. A table that had moved on, was busy or stopped needs no
investigation."""
_CARDS: Final = frozenset({"card", "read_failed", "excess"})
_ERRORS: Final = frozenset({"error", "fault"})
_BAD: Final = (
    *NOT_READ, GameError, ArithmeticError, AssertionError, AttributeError, LookupError,
    TypeError, ValueError,
)  # fmt: skip
"""Errors of a record that another program, or a newer release, wrote: it is stored and reported."""


@dataclass(frozen=True)
class RoundSummaryRow:
    """A round, the record of its summary, and its rulebook."""

    seq: int
    summary: RoundSummary
    rulebook: str


@dataclass(frozen=True)
class OpenHoldRow:
    """An open hold with its current text."""

    seq: int
    kind: str
    what: str
    since: float
    sentence: Sentence
    severity: Severity
    clause: str | None = None
    role: str | None = None
    word: str | None = None
    second: bool = False

    @property
    def text(self) -> str:
        return english(self.sentence)


@dataclass(frozen=True)
class UntakenOrderRow:
    """An order that a table rejected unjudged, or a count of orders that it did not log one by
    one."""

    seq: int
    at: float
    who: str
    outcome: OrderOutcome | None
    """None if the table only counted, or logged an outcome unknown to this release."""
    orders: int = 1


@dataclass(frozen=True)
class ClosedRow:
    hold: OpenHold
    at: float
    seq: int


@dataclass
class DeviceCount:
    cards: int = 0
    misreads: int = 0
    errors: int = 0
    link_losses: int = 0


@dataclass
class Derived:
    """The result of some records of one table."""

    rounds: list[RoundSummaryRow] = field(default_factory=list)
    exceptions: dict[tuple[int, HoldKey], OpenHoldRow] = field(default_factory=dict)
    """Exceptions by the record that opened them; the last entry counts."""
    closed: list[ClosedRow] = field(default_factory=list)
    not_taken: list[UntakenOrderRow] = field(default_factory=list)
    devices: dict[tuple[datetime, str], DeviceCount] = field(
        default_factory=lambda: defaultdict(DeviceCount)
    )


def take(record: Record, followed: Followed, into: Derived, *, counts: bool = True) -> None:
    """Processes a record. A record from an earlier epoch does not count; only its state is
    tracked."""
    try:
        _take(record, followed, into, counts=counts)
    except _BAD:
        tell_unreadable(record, into)


def tell_unreadable(record: Record, into: Derived) -> None:
    """Reports a record that cannot be read; it is stored and counts for nothing."""
    sentence_ = sentence(Code.FLOOR_UNREADABLE, record=record.seq)
    row = OpenHoldRow(record.seq, UNREADABLE, "", record.at, sentence_, Severity.WATCH)
    into.exceptions[record.seq, HoldKey(UNREADABLE, "", record.at)] = row


def _take(record: Record, followed: Followed, into: Derived, *, counts: bool) -> None:
    if record.kind in (CHECKPOINT, RELEASE):
        followed.stand_at(record)
        _follow_holds(record, followed, into)
    elif record.kind == SUMMARY and counts:
        summary = summary_of(record)
        into.rounds.append(RoundSummaryRow(record.seq, summary, followed.rulebook))
    elif record.kind == STEP:
        step = step_of(record)
        if not step.accepted:
            return
        if counts:
            _count_device(record, step.line, into)
            _note_order(record, step.line, into)
        if followed.take(step):
            _follow_holds(record, followed, into)


def _count_device(record: Record, line: JsonLine, into: Derived) -> None:
    event = line.event
    if event is None:
        return
    counted = into.devices[hour_of(record.at), line.source]
    counted.cards += event in _CARDS
    counted.misreads += event == "read_failed"
    counted.errors += event in _ERRORS
    counted.link_losses += event == "link_lost"


def _note_order(record: Record, line: JsonLine, into: Derived) -> None:
    if line.event != "noted":
        return
    noted = msgspec.convert(line.given, NotedEvent)
    who, text = noted.who or "", noted.says or ""
    if noted.what == UNWRITTEN:
        into.not_taken.append(UntakenOrderRow(record.seq, record.at, who, None, int(text)))
    elif noted.what == NOT_TAKEN:
        outcome = _outcome(text)
        into.not_taken.append(UntakenOrderRow(record.seq, record.at, who, outcome))
        if outcome in _AGAINST:
            _tell_against(record, _AGAINST[outcome], who, into)


def _outcome(text: str) -> OrderOutcome | None:
    return OrderOutcome(text) if text in OrderOutcome.__members__.values() else None


def _tell_against(record: Record, code: Code, who: str, into: Derived) -> None:
    sentence_ = sentence(code) if code is Code.FLOOR_ORDER_FORGED else sentence(code, who=who)
    row = OpenHoldRow(record.seq, ORDER, code.value, record.at, sentence_, Severity.ALARM)
    into.exceptions[record.seq, HoldKey(ORDER, code.value, record.at)] = row


def _follow_holds(record: Record, followed: Followed, into: Derived) -> None:
    """Opens new holds, updates lasting ones, closes ended ones."""
    found, stops = followed.holds()
    was = {each.key: each for each in followed.open}
    now: dict[HoldKey, OpenHold] = {}
    for hold in found:
        row = _row(hold, record.seq, stops=stops)
        key = HoldKey(row.kind, row.what, row.since)
        opened = was.get(key) or OpenHold(*key, record.seq)
        now[key] = opened
        into.exceptions[opened.seq, key] = _row(hold, opened.seq, stops=stops)
    into.closed += [
        ClosedRow(each, record.at, record.seq) for key, each in was.items() if key not in now
    ]
    followed.open = list(now.values())


def _row(hold: HoldView, seq: int, *, stops: bool) -> OpenHoldRow:
    lost = hold.kind is HoldKind.LATCH and hold.cause == HoldReason.JOURNAL_LOSS.value
    severity = Severity.STOPPED if stops else Severity.WATCH
    return OpenHoldRow(
        seq,
        HELD,
        hold.cause,
        hold.since,
        hold.text,
        Severity.ALARM if lost else severity,
        hold.clause,
        None if hold.role is None else hold.role.value,
        hold.command,
        hold.second,
    )
